/**
 * @file The preset for xAI. Some of its models reject a thinking level. After the first such error, Podium
 * leaves the level out.
 */
import { BY_EFFORT, service } from './preset';

export const xai = service('https://console.x.ai', {
  id: 'xai',
  label: 'xAI',
  telemetryName: 'x_ai',
  baseUrl: 'https://api.x.ai/v1',
  refuses: ['top_k'],
  reasoning: { ...BY_EFFORT, places: ['reasoning_content'] },
});
