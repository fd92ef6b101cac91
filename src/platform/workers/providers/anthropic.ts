/**
 * @file Anthropic's OpenAI-compatible API. It answers a page only if told that this is meant, and some organisations forbid it
 * altogether. Thinking is paid from the answer's tokens and comes back to nobody here.
 */
import type { ReasoningCall, ReasoningLevel, ReasoningRequest } from '../../../core/contract';
import { service, SERVICE_LIMITS } from './preset';

const FROM_A_PAGE = { 'anthropic-dangerous-direct-browser-access': 'true' };

export const anthropic = service('https://console.anthropic.com/settings/keys', {
  id: 'anthropic',
  label: 'Anthropic',
  baseUrl: 'https://api.anthropic.com/v1',
  headers: FROM_A_PAGE,
  refuses: ['seed'],
  reasoning: { ask: askAnthropic, places: [] },
  // The list belongs to its own API and not to the compatible one.
  models: { open: false, prefix: '', keyHeader: 'x-api-key', headers: { 'anthropic-version': '2023-06-01' } },
  // It lets a page read all of its headers.
  limits: { ...SERVICE_LIMITS, headers: 'anthropic-ratelimit' },
});

/** Tokens; a smaller budget is refused. */
const LEAST_BUDGET = 1024;
const SHARES = { low: 0.25, medium: 0.5, high: 0.75 } as const;

/** The budget must be smaller than the answer's limit. With less room than that it is left as it is. */
function askAnthropic(level: ReasoningLevel, { maxTokens }: ReasoningCall): ReasoningRequest {
  if (level === 'off') return { fields: { thinking: { type: 'disabled' } } };
  if (maxTokens <= LEAST_BUDGET) return { fields: {} };
  const budget = Math.max(LEAST_BUDGET, Math.floor(maxTokens * SHARES[level]));
  return { fields: { thinking: { type: 'enabled', budget_tokens: budget } }, without: ['temperature'] };
}
