/** @file The preset for any other OpenAI-compatible server. Its features are unknown, so calls use common settings. */
import { BY_EFFORT, ownServer, OWN_LIMITS } from './preset';

export const custom = ownServer({
  id: 'custom',
  label: 'Another server',
  baseUrl: '',
  key: { needed: 'optional', from: null },
  reasoning: { ...BY_EFFORT, places: ['reasoning_content', 'reasoning_details', 'reasoning', 'think-tags'] },
  // A proxy in front of OpenRouter may forward the field `usage.cost` in the reply's body.
  usage: { cost: true },
  limits: { ...OWN_LIMITS, per: 'unknown' },
});
