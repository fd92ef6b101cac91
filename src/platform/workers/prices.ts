/**
 * @file What models cost where it is public: a table with its sources, as old as it says, and no promise. What a provider
 * lists itself and what the user enters count more. Loaded when a worker is set up.
 *
 * `date` is the day for which the source states the price; where it states none, the day on which it was read.
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
    /** By the model's id; US dollars for a million tokens. */
    models: z.record(z.string(), z.strictObject({ input: usd, cachedInput: z.optional(usd), output: usd })),
  }),
);

const KNOWN = priceTable.parse(table);

/** What a model costs at a provider, as far as the table tells. A dated build of a model costs what the model does. */
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
