/**
 * @file The preset for the server of llama.cpp. It accepts calls from every web page, unless a proxy in front
 * of it blocks them.
 */
import { BY_TEMPLATE, ownServer } from './preset';

export const llamaCpp = ownServer({
  id: 'llama-cpp',
  label: 'llama.cpp',
  baseUrl: 'http://localhost:8080/v1',
  key: { needed: 'optional', from: null },
  reasoning: { ...BY_TEMPLATE, places: ['reasoning_content', 'think-tags'] },
  allowPage: () =>
    'The latest server of llama.cpp allows every page by default. Update your server. If a proxy is in front of it, allow this page there.',
});
