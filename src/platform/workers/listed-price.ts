/**
 * @file Reads a model's price from its entry in a server's list of models. Servers use different fields:
 * - OpenRouter: `pricing.prompt` and `pricing.completion`, per token
 * - Vercel's AI gateway: `pricing.input` and `pricing.output`, per token
 * - Together, Perplexity: `pricing.input` and `pricing.output`, per million tokens
 * - DeepInfra: `metadata.pricing.input_tokens` and `output_tokens`, per million tokens
 * - LiteLLM: `input_cost_per_token` and `output_cost_per_token`
 *
 * A price may be a number or a string. All prices are in US dollars.
 */
import * as z from 'zod/mini';
import { isMoney, type Price } from '../../core/contract';

z.config({ jitless: true });

const amount = z.catch(z.nullish(z.union([z.string(), z.number()])), null);
const pricing = z.catch(
  z.nullish(
    z.object({
      prompt: amount,
      completion: amount,
      input: amount,
      output: amount,
      input_tokens: amount,
      output_tokens: amount,
      input_cache_read: amount,
      cached_input: amount,
      cache_read_tokens: amount,
    }),
  ),
  null,
);
/** The fields of an entry that may contain a price. */
export const pricedFields = {
  pricing,
  metadata: z.catch(z.nullish(z.object({ pricing })), null),
  input_cost_per_token: amount,
  output_cost_per_token: amount,
  cache_read_input_token_cost: amount,
};
type Priced = { [Field in keyof typeof pricedFields]?: z.infer<(typeof pricedFields)[Field]> };

/** A price in the unit that the list uses. */
interface Written {
  readonly input: number | null;
  readonly output: number | null;
  readonly cached: number | null;
  /** The unit: one token or a million tokens. `either`: the amounts show which unit applies. */
  readonly per: 'token' | 'million' | 'either';
}

/**
 * Limit in US dollars for prices whose unit the server does not state. If input and output both cost less,
 * the price is per token. Otherwise, it is per million tokens. A token of every paid model costs less than
 * this limit, and a million tokens cost more.
 */
const PER_TOKEN_BELOW = 0.001;

/**
 * Returns the price in an entry, per million tokens. `null` if the entry has no valid price. If a model's
 * price depends on more than the tokens, OpenRouter lists a negative price, which is invalid here.
 */
export function listedPrice(entry: Priced): Price | null {
  const found = writtenIn(entry).find(({ input, output }) => input !== null && output !== null);
  if (!found || found.input === null || found.output === null) return null;
  const largest = Math.max(found.input, found.output);
  const isPerToken = found.per === 'token' || (found.per === 'either' && largest < PER_TOKEN_BELOW);
  const input = perMillion(found.input, isPerToken);
  const output = perMillion(found.output, isPerToken);
  const cachedInput = found.cached === null ? null : perMillion(found.cached, isPerToken);
  if (input === null || output === null) return null;
  return cachedInput === null ? { input, output } : { input, output, cachedInput };
}

function writtenIn(entry: Priced): Written[] {
  const { pricing: own, metadata } = entry;
  return [
    written(own?.prompt, own?.completion, own?.input_cache_read, 'token'),
    written(own?.input, own?.output, own?.input_cache_read ?? own?.cached_input, 'either'),
    written(
      metadata?.pricing?.input_tokens,
      metadata?.pricing?.output_tokens,
      metadata?.pricing?.cache_read_tokens,
      'million',
    ),
    written(entry.input_cost_per_token, entry.output_cost_per_token, entry.cache_read_input_token_cost, 'token'),
  ];
}

type Amount = z.infer<typeof amount>;

function written(input: Amount, output: Amount, cached: Amount, per: Written['per']): Written {
  return { input: numberOf(input), output: numberOf(output), cached: numberOf(cached), per };
}

function numberOf(value: Amount): number | null {
  if (value === null || value === undefined || (typeof value === 'string' && value.trim() === '')) return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

function perMillion(dollars: number, isPerToken: boolean): number | null {
  // Rounds the price, because 0.0000008 times a million is 0.7999999999999999 in floating-point arithmetic.
  const price = isPerToken ? Number((dollars * 1e6).toPrecision(10)) : dollars;
  return isMoney(price) ? price : null;
}
