/**
 * @file The preset for xAI. Some of its models reject a thinking level. After the first rejection by a model,
 * Podium leaves the level out for this model.
 */
import { BY_EFFORT, service } from './preset';

export const xai = service('https://console.x.ai', {
  id: 'xai',
  label: 'xAI',
  telemetryName: 'x_ai',
  baseUrl: 'https://api.x.ai/v1',
  extraFields: 'xai',
  refuses: ['top_k'],
  reasoning: { ...BY_EFFORT, places: ['reasoning_content'] },
});
