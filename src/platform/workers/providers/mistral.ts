/** @file Mistral. It counts tokens in a stream unasked and refuses to be asked; thoughts are parts of the content. */
import { service } from './preset';

export const mistral = service('https://console.mistral.ai/api-keys', {
  id: 'mistral',
  label: 'Mistral',
  baseUrl: 'https://api.mistral.ai/v1',
  refuses: ['stream_options', 'seed'],
  reasoning: {
    // Those of its models that can be told know only these two.
    ask: (level) => ({ fields: { reasoning_effort: level === 'off' ? 'none' : 'high' } }),
    places: ['content-parts'],
  },
});
