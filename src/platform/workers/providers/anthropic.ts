/**
 * @file The preset for Anthropic's OpenAI-compatible API. The API answers web pages only if the call has the header in
 * `FROM_A_PAGE`. Some organizations forbid calls from web pages. Thinking counts towards the answer's token limit. The API does
 * not return the thinking.
 */
import type { ReasoningCall, ReasoningLevel, ReasoningRequest } from '../../../core/contract';
import { fitBudget, service, SERVICE_LIMITS } from './preset';

const FROM_A_PAGE = { 'anthropic-dangerous-direct-browser-access': 'true' };

export const anthropic = service('https://console.anthropic.com/settings/keys', {
  id: 'anthropic',
  label: 'Anthropic',
  baseUrl: 'https://api.anthropic.com/v1',
  headers: FROM_A_PAGE,
  // The compatible API ignores these settings.
  refuses: ['seed', 'top_k', 'presence_penalty'],
  reasoning: { request: anthropicReasoning, minimal: false, budget: thinkAtMost, places: [] },
  // The list of models is part of Anthropic's native API, which expects other headers.
  models: { open: false, prefix: '', keyHeader: 'x-api-key', headers: { 'anthropic-version': '2023-06-01' } },
  // Pages can read all headers of this API.
  limits: { ...SERVICE_LIMITS, headers: 'anthropic-ratelimit' },
});

/** Smallest budget for thinking that the API accepts, in tokens. */
const LEAST_BUDGET = 1024;
const SHARES = { minimal: 0, low: 0.25, medium: 0.5, high: 0.75 } as const;

function anthropicReasoning(level: ReasoningLevel, call: ReasoningCall): ReasoningRequest {
  return thinkAtMost(level === 'off' ? 0 : Math.max(LEAST_BUDGET, Math.floor(call.maxTokens * SHARES[level])), call);
}

/** The budget must be smaller than the answer's token limit. If the limit is too small for any budget, thinking is not set. */
function thinkAtMost(tokens: number, call: ReasoningCall): ReasoningRequest {
  if (tokens === 0) return { fields: { thinking: { type: 'disabled' } } };
  if (call.maxTokens <= LEAST_BUDGET) return { fields: {} };
  const budget = Math.max(LEAST_BUDGET, fitBudget(tokens, call));
  return {
    fields: { thinking: { type: 'enabled', budget_tokens: budget } },
    without: ['temperature', 'top_p'],
  };
}
