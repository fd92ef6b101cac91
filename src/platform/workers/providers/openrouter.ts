/** @file OpenRouter: many providers behind one key. It tells what each call cost, and can say an error in the middle of a stream. */
import { OPEN_LIST, service, SERVICE_LIMITS } from './preset';

export const openrouter = service('https://openrouter.ai/settings/keys', {
  id: 'openrouter',
  label: 'OpenRouter',
  baseUrl: 'https://openrouter.ai/api/v1',
  reasoning: {
    ask: (level) => ({ fields: { reasoning: { effort: level === 'off' ? 'none' : level } } }),
    places: ['reasoning_details', 'reasoning'],
  },
  models: { ...OPEN_LIST, prices: true },
  usage: { cost: true },
  // Behind it each model has a host of its own, which turns calls away by itself.
  limits: { ...SERVICE_LIMITS, per: 'model' },
});
