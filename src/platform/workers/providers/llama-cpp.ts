/** @file The server of llama.cpp. It answers every page, unless something stands before it. */
import { askByTemplate, ownServer } from './preset';

export const llamaCpp = ownServer({
  id: 'llama-cpp',
  label: 'llama.cpp',
  baseUrl: 'http://localhost:8080/v1',
  key: { needed: 'optional', from: null },
  reasoning: { ask: askByTemplate, places: ['reasoning_content', 'think-tags'] },
  allowPage: () =>
    'The server of llama.cpp allows every page by itself: update it, or allow this page in whatever stands before it.',
});
