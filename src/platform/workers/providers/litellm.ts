/** @file LiteLLM, a proxy for many providers, including providers that don't answer calls from pages. */
import { BY_EFFORT, ownServer, OWN_LIMITS } from './preset';

export const liteLlm = ownServer({
  id: 'litellm',
  label: 'LiteLLM',
  baseUrl: 'http://localhost:4000/v1',
  key: { needed: 'optional', from: null },
  reasoning: { ...BY_EFFORT, places: ['reasoning_content', 'think-tags'] },
  // Each model can be at another provider, so it is unknown which models share limits.
  limits: { ...OWN_LIMITS, per: 'unknown' },
  allowPage: () => 'LiteLLM allows every page by default. Allow this page in the proxy in front of it.',
});
