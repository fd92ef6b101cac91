/**
 * @file The preset for Fireworks. Its CORS preflight allows few headers. Thoughts are in their own field or,
 * for some models, in the content.
 */
import { BY_EFFORT, service } from './preset';

export const fireworks = service('https://app.fireworks.ai/settings/users/api-keys', {
  id: 'fireworks',
  label: 'Fireworks',
  baseUrl: 'https://api.fireworks.ai/inference/v1',
  reasoning: { ...BY_EFFORT, places: ['reasoning_content', 'think-tags'] },
});
