/**
 * @file Reads a model's price from its entry in a server's list. There is no standard for such entries:
 * - OpenRouter: `pricing.prompt` and `pricing.completion`, per token
 * - Vercel's gateway: `pricing.input` and `pricing.output`, per token
 * - Together, Perplexity: `pricing.input` and `pricing.output`, per million tokens
 * - DeepInfra: `metadata.pricing.input_tokens` and `output_tokens`, per million tokens
 * - LiteLLM: `input_cost_per_token` and `output_cost_per_token`
 *
 * Numbers may be written as text. All prices are in US dollars.
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

/** A price as the list states it. */
interface Written {
  readonly input: number | null;
  readonly output: number | null;
  readonly cached: number | null;
  /** `either`: the size of the price shows which of the two applies. */
  readonly per: 'token' | 'million' | 'either';
}

/**
 * If the unit of a price is unknown, a price below this limit is per token, and any other price is per million tokens, in US
 * dollars. No model costs this much for one token, and no model costs this little for a million tokens.
 */
const PER_TOKEN_BELOW = 0.001;

/**
 * The price in an entry. `null` if the entry has no price, or if the price is negative. OpenRouter lists a negative
 * price if the price depends on more than tokens.
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
  // The price is rounded, because 0.0000003 times a million is not exactly 0.3 in floating-point arithmetic.
  const price = isPerToken ? Number((dollars * 1e6).toPrecision(10)) : dollars;
  return isMoney(price) ? price : null;
}
