/** @file The router of Hugging Face: it hands a call on to whoever serves the model, so much depends on them. */
import { askByEffort, OPEN_LIST, service } from './preset';

export const huggingFace = service('https://huggingface.co/settings/tokens', {
  id: 'hugging-face',
  label: 'Hugging Face',
  baseUrl: 'https://router.huggingface.co/v1',
  reasoning: { ask: askByEffort, places: ['reasoning_content', 'reasoning', 'think-tags'] },
  models: OPEN_LIST,
});
