/** @file xAI. Some of its models refuse a thinking level. After the first refusal, Podium leaves the level out. */
import { BY_EFFORT, service } from './preset';

export const xai = service('https://console.x.ai', {
  id: 'xai',
  label: 'xAI',
  telemetryName: 'x_ai',
  baseUrl: 'https://api.x.ai/v1',
  refuses: ['top_k'],
  reasoning: { ...BY_EFFORT, places: ['reasoning_content'] },
});
