/** @file xAI. Some of its models don't support a thinking level, which is learned from the refusal. */
import { askByEffort, service } from './preset';

export const xai = service('https://console.x.ai', {
  id: 'xai',
  label: 'xAI',
  baseUrl: 'https://api.x.ai/v1',
  reasoning: { ask: askByEffort, places: ['reasoning_content'] },
});
