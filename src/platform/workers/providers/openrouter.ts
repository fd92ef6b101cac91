/** @file The preset for OpenRouter. It reports the cost of each call, and can send an error inside a stream. */
import { fitBudget, OPEN_LIST, service, SERVICE_LIMITS } from './preset';

export const openrouter = service('https://openrouter.ai/settings/keys', {
  id: 'openrouter',
  label: 'OpenRouter',
  baseUrl: 'https://openrouter.ai/api/v1',
  extraFields: 'router',
  reasoning: {
    request: (level) => ({ fields: { reasoning: { effort: level === 'off' ? 'none' : level } } }),
    minimal: true,
    budget: (tokens, call) => ({
      fields: { reasoning: tokens === 0 ? { effort: 'none' } : { max_tokens: fitBudget(tokens, call) } },
    }),
    places: ['reasoning_details', 'reasoning'],
  },
  models: OPEN_LIST,
  usage: { cost: true },
  // Models run at different hosts, and each host has its own limits.
  limits: { ...SERVICE_LIMITS, per: 'model' },
});
