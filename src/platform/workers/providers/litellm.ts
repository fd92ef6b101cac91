/** @file LiteLLM, a proxy for many providers, including those that don't answer pages. */
import { askByEffort, ownServer } from './preset';

export const liteLlm = ownServer({
  id: 'litellm',
  label: 'LiteLLM',
  baseUrl: 'http://localhost:4000/v1',
  key: { needed: 'optional', from: null },
  reasoning: { ask: askByEffort, places: ['reasoning_content', 'think-tags'] },
  allowPage: () => 'LiteLLM allows every page by default. Allow this page in the proxy in front of it.',
});
