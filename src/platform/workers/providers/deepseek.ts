/** @file DeepSeek. It thinks or does not, with no degrees between, and ignores the temperature while it thinks. */
import { service, SERVICE_LIMITS } from './preset';

export const deepseek = service('https://platform.deepseek.com/api_keys', {
  id: 'deepseek',
  label: 'DeepSeek',
  baseUrl: 'https://api.deepseek.com',
  reasoning: {
    ask: (level) => ({ fields: { thinking: { type: level === 'off' ? 'disabled' : 'enabled' } } }),
    places: ['reasoning_content'],
  },
  // It says nothing of limits.
  limits: { ...SERVICE_LIMITS, headers: null },
});
