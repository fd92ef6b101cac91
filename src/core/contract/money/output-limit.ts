/** @file Lowers the output limit of a call to what a budget has left, so that its maximum cost still fits. */
import { isFree, worstCost, type Charged } from './account';

/** Fewest output tokens that are worth a call. Below them, the call is refused. */
const LEAST_OUTPUT = 512;

/** Tolerance when a cost is compared with what is left, relative to it, because both are floating-point numbers. */
const ROUNDING = 1e-9;

/** What a budget has left. `null`: no limit. */
export interface Room {
  readonly tokens: number | null;
  /** US dollars. */
  readonly usd: number | null;
}

/** The lowest output limit that a call may be given in place of its own. */
export function leastOutput(maxTokens: number): number {
  return Math.min(LEAST_OUTPUT, maxTokens);
}

/**
 * The highest output limit with which a call fits.
 * @param input most tokens of its prompt
 * @param maxTokens its own output limit
 * @returns `null` if too few tokens would be left for an answer, or the price is unknown
 */
export function affordableOutput(who: Charged, input: number, maxTokens: number, room: Room): number | null {
  const byTokens = room.tokens === null ? maxTokens : Math.floor(room.tokens - input);
  const limit = Math.min(maxTokens, byTokens, room.usd === null ? maxTokens : paidOutput(who, input, room.usd));
  return limit >= leastOutput(maxTokens) ? limit : null;
}

/** Output tokens that the money left pays for. */
function paidOutput(who: Charged, input: number, usd: number): number {
  if (isFree(who)) return Infinity;
  const { price } = who;
  if (!price) return 0;
  const left = usd - (input * price.input) / 1e6;
  if (price.output === 0) return left >= 0 ? Infinity : 0;
  const tokens = Math.floor((left * 1e6) / price.output);
  const cost = worstCost(who, input, tokens) ?? Infinity;
  return cost > usd * (1 + ROUNDING) ? tokens - 1 : tokens;
}
