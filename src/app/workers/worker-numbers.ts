/** @file Parses the prices and limits that the user types for a worker. */
import { isMoney, type Price, type RateLimits } from '../../core/contract';

/** Parses prices in US dollars per million tokens. `null`: all fields are empty, so the price is unknown. */
export function readPrice(input: string, output: string, cached: string): Price | null | 'unreadable' {
  if (input.trim() === '' && output.trim() === '' && cached.trim() === '') return null;
  const price = { input: Number(input.trim() || Number.NaN), output: Number(output.trim() || Number.NaN) };
  const cachedInput = cached.trim() === '' ? null : Number(cached.trim());
  if (!isMoney(price.input) || !isMoney(price.output)) return 'unreadable';
  if (cachedInput === null) return price;
  return isMoney(cachedInput) ? { ...price, cachedInput } : 'unreadable';
}

/** Parses rate limits. `null`: all fields are empty, so Podium learns the limits from replies. */
export function readLimits(...typed: readonly [string, string, string]): RateLimits | null | 'unreadable' {
  const read = typed.map((text) => (text.trim() === '' ? null : Number(text.trim().replaceAll(',', ''))));
  if (read.some((value) => value !== null && !(Number.isSafeInteger(value) && value >= 1))) return 'unreadable';
  const [concurrent = null, requestsPerMinute = null, tokensPerMinute = null] = read;
  return read.every((value) => value === null) ? null : { concurrent, requestsPerMinute, tokensPerMinute };
}
