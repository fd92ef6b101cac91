/** @file Fireworks. Its preflight knows few headers; thoughts come apart or, for some models, inside the content. */
import { askByEffort, service } from './preset';

export const fireworks = service('https://app.fireworks.ai/settings/users/api-keys', {
  id: 'fireworks',
  label: 'Fireworks',
  baseUrl: 'https://api.fireworks.ai/inference/v1',
  reasoning: { ask: askByEffort, places: ['reasoning_content', 'think-tags'] },
});
