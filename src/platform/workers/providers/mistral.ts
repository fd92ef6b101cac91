/**
 * @file The preset for Mistral. Its streams always report usage, and it rejects the option that requests usage. Thoughts are sent
 * as parts of the content.
 */
import { service } from './preset';

export const mistral = service('https://console.mistral.ai/api-keys', {
  id: 'mistral',
  label: 'Mistral',
  telemetryName: 'mistral_ai',
  baseUrl: 'https://api.mistral.ai/v1',
  extraFields: 'mistral',
  refuses: ['stream_options', 'seed', 'top_k'],
  reasoning: {
    // Mistral supports only these two values.
    request: (level) => ({ fields: { reasoning_effort: level === 'off' ? 'none' : 'high' } }),
    minimal: false,
    budget: null,
    places: ['content-parts'],
  },
});
