/**
 * @file Anthropic's OpenAI-compatible API. It answers a page only with an explicit header, and some organisations forbid that.
 * Thinking uses the answer's tokens and is not returned.
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
  // The list is part of its native API and not of the compatible one.
  models: { open: false, prefix: '', keyHeader: 'x-api-key', headers: { 'anthropic-version': '2023-06-01' } },
  // Pages can read all of its headers.
  limits: { ...SERVICE_LIMITS, headers: 'anthropic-ratelimit' },
});

/** Smallest budget in tokens. */
const LEAST_BUDGET = 1024;
const SHARES = { low: 0.25, medium: 0.5, high: 0.75 } as const;

/** The budget must be smaller than the answer's limit. If that is too small, thinking is not set. */
function askAnthropic(level: ReasoningLevel, { maxTokens }: ReasoningCall): ReasoningRequest {
  if (level === 'off') return { fields: { thinking: { type: 'disabled' } } };
  if (maxTokens <= LEAST_BUDGET) return { fields: {} };
  const budget = Math.max(LEAST_BUDGET, Math.floor(maxTokens * SHARES[level]));
  return { fields: { thinking: { type: 'enabled', budget_tokens: budget } }, without: ['temperature'] };
}
