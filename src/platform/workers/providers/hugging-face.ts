/**
 * @file The preset for the router of Hugging Face. The router forwards calls to a model's host, so many
 * features depend on that host.
 */
import { BY_EFFORT, OPEN_LIST, service } from './preset';

export const huggingFace = service('https://huggingface.co/settings/tokens', {
  id: 'hugging-face',
  label: 'Hugging Face',
  baseUrl: 'https://router.huggingface.co/v1',
  reasoning: { ...BY_EFFORT, places: ['reasoning_content', 'reasoning', 'think-tags'] },
  models: OPEN_LIST,
});
