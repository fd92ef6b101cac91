/**
 * @file The preset for LiteLLM, a proxy for many providers. Some of these providers refuse direct calls from
 * web pages.
 */
import { BY_EFFORT, ownServer, OWN_LIMITS } from './preset';

export const liteLlm = ownServer({
  id: 'litellm',
  label: 'LiteLLM',
  baseUrl: 'http://localhost:4000/v1',
  key: { needed: 'optional', from: null },
  reasoning: { ...BY_EFFORT, places: ['reasoning_content', 'think-tags'] },
  // Models may belong to different providers, so Podium can't know which models share limits.
  limits: { ...OWN_LIMITS, per: 'unknown' },
  allowPage: () =>
    'LiteLLM allows every page by default, but a proxy in front of it may not. Allow this page in that proxy.',
});
