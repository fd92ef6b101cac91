/** @file Lowers the output limit of a call, so that its maximum cost fits into the rest of a budget. */
import type { Sampling } from '../model/message';
import { costOf, type PoolWorker } from '../worker/worker';
import { isFree, worstCost, type Charged } from './account';

/** Minimum output limit of a call, in tokens. If the budget allows fewer tokens, the call is refused. */
const LEAST_OUTPUT = 512;
/**
 * Minimum output limit of a call that requests thinking. It is higher than `LEAST_OUTPUT`, because thinking
 * counts towards the output limit. Providers accept thinking budgets of at least 1,024 tokens. The level
 * `high` uses three quarters of the output limit for thinking, so a quarter (512 tokens) is left for the
 * answer.
 */
const LEAST_THINKING_OUTPUT = 2048;

/** Relative tolerance when a cost is compared with the rest of a budget, because both are floating-point numbers. */
const ROUNDING = 1e-9;

/** What is left of a budget. `null`: no limit. */
export interface Room {
  readonly tokens: number | null;
  /** US dollars. */
  readonly usd: number | null;
}

/** The output limits of a call, in tokens: its own limit, and the lowest limit that may replace its own. */
export interface OutputLimits {
  readonly maxTokens: number;
  readonly least: number;
}

/** The lowest output limit that may replace a call's own limit for this worker. */
export function leastOutput(
  { kind, thinks }: Pick<PoolWorker, 'kind' | 'thinks'>,
  { maxTokens, reasoning = 'off', mostThinking }: Pick<Sampling, 'maxTokens' | 'reasoning' | 'mostThinking'>,
): number {
  const isThinking = kind === 'endpoint' && (mostThinking === true || (thinks ?? reasoning !== 'off'));
  return Math.min(isThinking ? LEAST_THINKING_OUTPUT : LEAST_OUTPUT, maxTokens);
}

/**
 * The highest output limit with which a call fits into the rest of a budget.
 * @param input maximum number of tokens of the call's prompt
 * @returns `null` if the call doesn't fit even with the limit `least`. A call of unknown price never fits a
 * money limit
 */
export function affordableOutput(
  who: Charged,
  input: number,
  { maxTokens, least }: OutputLimits,
  room: Room,
): number | null {
  const byTokens = room.tokens === null ? maxTokens : Math.floor(room.tokens - input);
  const limit = Math.min(maxTokens, byTokens, room.usd === null ? maxTokens : paidOutput(who, input, room.usd));
  return limit >= least ? limit : null;
}

/** How many output tokens the remaining money can pay for, after the input. */
function paidOutput(who: Charged, input: number, usd: number): number {
  if (isFree(who)) return Infinity;
  const { price } = who;
  if (!price) return 0;
  const left = usd - (costOf({ input, output: 0 }, price) ?? 0);
  if (price.output === 0) return left >= 0 ? Infinity : 0;
  const tokens = Math.floor((left * 1e6) / price.output);
  const cost = worstCost(who, input, tokens) ?? Infinity;
  return cost > usd * (1 + ROUNDING) ? tokens - 1 : tokens;
}
