/** @file Formats values for display: times, counts, prices, sizes, rates, percentages and lists. */
import type { Price } from '../../core/contract';

export { money } from '../../core/contract';

/** A value as text with its name, such as the cost of a step. */
export interface Figure {
  readonly name: string;
  readonly value: string;
}

/** Created at first use. Creating the first `NumberFormat` takes up to 25 ms, which would delay the start of the page. */
let whole: Intl.NumberFormat | null = null;

/** Formats ms as `0.3 s`, `15.0 s`, `2 min 05 s`, `1 h 02 min`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(Math.round(seconds) / 60);
  if (minutes < 60) return `${minutes} min ${String(Math.round(seconds) % 60).padStart(2, '0')} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** Formats ms as `38 ms`. Times of a second or more are formatted by `duration`. */
export function shortDuration(ms: number): string {
  return ms < 999.5 ? `${Math.round(ms)} ms` : duration(ms);
}

/** A count with thousands separators: `2,731`. */
export function count(value: number): string {
  if (Number.isInteger(value) && value >= 0 && value < 1000) return String(value);
  whole ??= new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
  return whole.format(value);
}

/** A price as `$0.5 in, $1.5 out per million tokens`. Not rounded, because budgets depend on the exact price. */
export function priceWords(price: Pick<Price, 'input' | 'output' | 'perCall'> | null): string {
  if (!price) return 'price unknown';
  const extra = price.perCall ? `, up to $${price.perCall} more per call` : '';
  return `$${price.input} in, $${price.output} out per million tokens${extra}`;
}

/** Bytes as `480 kB`, `4.3 MB`, `612 MB`, `5.1 GB`. */
export function size(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`;
  if (bytes < 1e8) return `${(bytes / 1e6).toFixed(1)} MB`;
  return bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

/** Tokens per second: `38 tok/s`, `0.4 tok/s`. */
export function tokenRate(rate: number): string {
  return `${rate < 10 ? rate.toFixed(1) : count(rate)} tok/s`;
}

/** A fraction (0 to 1) as `72 %`. */
export function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

/** A fraction (0 to 1) with one decimal: `72.4 %`. */
export function finePercent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** `1 step`, `4 steps`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** `1`, `1 and 2`, `1, 2 and 3`. */
export function listed(values: readonly (string | number)[]): string {
  const words = values.map(String);
  const last = words.pop();
  if (last === undefined) return '';
  return words.length === 0 ? last : `${words.join(', ')} and ${last}`;
}
