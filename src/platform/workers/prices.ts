/**
 * @file Looks up a model's price in a table of published prices. A price from the provider's list or from the
 * user takes precedence. This module is lazy-loaded when a worker is set up.
 *
 * In the table, `date` is the day for which the source states the price. If the source states no day, it is
 * the day when the source was read. If a price depends on the hour or on the length of the prompt, `note` states this.
 */
import * as z from 'zod/mini';
import type { KnownPrice } from '../../core/contract';
import { usd } from '../../core/contract/storage/schema-parts';
import table from './prices.json';

z.config({ jitless: true });

export const priceTable = z.array(
  z.strictObject({
    provider: z.string(),
    source: z.url(),
    date: z.iso.date(),
    note: z.optional(z.string()),
    /** Prices by the model's id, in US dollars per million tokens. */
    models: z.record(z.string(), z.strictObject({ input: usd, cachedInput: z.optional(usd), output: usd })),
  }),
);

const KNOWN = priceTable.parse(table);

/**
 * Returns the price of a model at a provider, or `null` if the table has none. Ignores a date or `-latest` at the end of the
 * model's id.
 */
export function knownPrice(provider: string, model: string): KnownPrice | null {
  const plain = model.trim().replace(/-(latest|\d{8}|\d{4}-\d{2}-\d{2})$/, '');
  for (const { models, source, date, note, ...row } of KNOWN) {
    const price = row.provider === provider ? models[plain] : undefined;
    if (price) return { price: withoutGaps(price), source, date, ...(note === undefined ? {} : { note }) };
  }
  return null;
}

function withoutGaps({ input, output, cachedInput }: z.infer<typeof priceTable>[number]['models'][string]) {
  return cachedInput === undefined ? { input, output } : { input, output, cachedInput };
}
