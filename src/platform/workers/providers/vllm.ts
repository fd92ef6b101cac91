/**
 * @file The preset for vLLM, on one machine or on a cluster. By default, vLLM accepts calls from every web
 * page.
 */
import { BY_TEMPLATE, ownServer } from './preset';

export const vllm = ownServer({
  id: 'vllm',
  label: 'vLLM',
  baseUrl: 'http://localhost:8000/v1',
  key: { needed: 'optional', from: null },
  reasoning: { ...BY_TEMPLATE, places: ['reasoning', 'reasoning_content', 'think-tags'] },
  allowPage: (origin) => `Start vLLM with --allowed-origins '["${origin}"]', or without that option.`,
});
