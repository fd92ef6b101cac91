/** @file Any other server that speaks the OpenAI API: nothing is known of it, so it is asked for what most take. */
import { askByEffort, ownServer } from './preset';

export const custom = ownServer({
  id: 'custom',
  label: 'Another server',
  baseUrl: '',
  key: { needed: 'optional', from: null },
  reasoning: { ask: askByEffort, places: ['reasoning_content', 'reasoning_details', 'reasoning', 'think-tags'] },
  // A proxy may pass on what OpenRouter told it.
  usage: { cost: true },
});
