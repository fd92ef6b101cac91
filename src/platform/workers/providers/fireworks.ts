/** @file Fireworks. Its preflight allows few headers. Thoughts are separate or, for some models, inside the content. */
import { BY_EFFORT, service } from './preset';

export const fireworks = service('https://app.fireworks.ai/settings/users/api-keys', {
  id: 'fireworks',
  label: 'Fireworks',
  baseUrl: 'https://api.fireworks.ai/inference/v1',
  reasoning: { ...BY_EFFORT, places: ['reasoning_content', 'think-tags'] },
});
