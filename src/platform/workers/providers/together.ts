/**
 * @file The preset for Together. If a model can answer with and without thinking, thinking can be turned on
 * or off. Some models also accept an effort.
 */
import { service } from './preset';

export const together = service('https://api.together.ai/settings/api-keys', {
  id: 'together',
  label: 'Together',
  baseUrl: 'https://api.together.ai/v1',
  reasoning: {
    request: (level) => ({
      fields:
        level === 'off' ? { reasoning: { enabled: false } } : { reasoning: { enabled: true }, reasoning_effort: level },
    }),
    minimal: false,
    budget: null,
    places: ['reasoning', 'think-tags'],
  },
});
