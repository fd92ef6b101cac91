/** @file The preset for DeepSeek. Thinking is on or off. While thinking is on, DeepSeek ignores the temperature. */
import { service, SERVICE_LIMITS } from './preset';

export const deepseek = service('https://platform.deepseek.com/api_keys', {
  id: 'deepseek',
  label: 'DeepSeek',
  baseUrl: 'https://api.deepseek.com',
  refuses: ['top_k'],
  reasoning: {
    request: (level) => ({ fields: { thinking: { type: level === 'off' ? 'disabled' : 'enabled' } } }),
    minimal: false,
    budget: null,
    places: ['reasoning_content'],
  },
  // DeepSeek reports no rate limits in its headers.
  limits: { ...SERVICE_LIMITS, headers: null },
});
