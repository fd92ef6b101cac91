/** @file LiteLLM, a proxy for many providers: also the way to one that answers no pages. */
import { askByEffort, ownServer } from './preset';

export const liteLlm = ownServer({
  id: 'litellm',
  label: 'LiteLLM',
  baseUrl: 'http://localhost:4000/v1',
  key: { needed: 'optional', from: null },
  reasoning: { ask: askByEffort, places: ['reasoning_content', 'think-tags'] },
  allowPage: () => 'LiteLLM allows every page by itself: allow this page in whatever stands before it.',
});
