/** @file xAI. Some of its models cannot be told how much to think; that is learnt from the refusal. */
import { askByEffort, service } from './preset';

export const xai = service('https://console.x.ai', {
  id: 'xai',
  label: 'xAI',
  baseUrl: 'https://api.x.ai/v1',
  reasoning: { ask: askByEffort, places: ['reasoning_content'] },
});
