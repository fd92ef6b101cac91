/**
 * @file The models an address offers.
 */
import * as z from 'zod/mini';
import { abortError, fault, FaultError, type Clock, type ListedModel, type Price } from '../../core/contract';
import { faultFromRefusal, faultFromThrown } from './faults';
import type { Fetch } from './guarded-fetch';
import { loadSdk } from './load-sdk';
import { waitAtMost } from './patience';
import { hostOf, type Target } from './target';

z.config({ jitless: true });

/** US dollars for one token, as text. */
const perToken = z.catch(z.nullish(z.string()), null);
const pricing = z.object({ prompt: perToken, completion: perToken, input_cache_read: perToken });
/** What OpenRouter and Mistral say of what a model takes in. Others put other things there, which count as nothing. */
const architecture = z.object({ input_modalities: z.optional(z.array(z.string())) });
const capabilities = z.object({ vision: z.optional(z.boolean()) });
const listedModel = z.object({
  id: z.string(),
  pricing: z.catch(z.nullish(pricing), null),
  architecture: z.catch(z.nullish(architecture), null),
  capabilities: z.catch(z.nullish(capabilities), null),
});
const models = z.array(listedModel);
const listShape = z.union([z.object({ data: models }), models]);

export interface ListDependencies {
  readonly clock: Clock;
  readonly fetch?: Fetch;
  /** Longest wait for the whole list, ms. */
  readonly timeout: number;
}

/** In alphabetical order. Throws a `FaultError`, with the HTTP status where the server answered at all. */
export async function listModels(
  target: Target,
  dependencies: ListDependencies,
  signal: AbortSignal,
): Promise<readonly ListedModel[]> {
  const upstream = new AbortController();
  const stop = () => upstream.abort();
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (signal.aborted) throw abortError();
    return await waitAtMost(
      readList(target, dependencies, upstream.signal),
      dependencies.timeout,
      () => late(target, dependencies.timeout),
      dependencies.clock,
    );
  } catch (thrown) {
    if (signal.aborted) throw abortError();
    throw new FaultError(faultFromThrown(thrown, target));
  } finally {
    signal.removeEventListener('abort', stop);
    upstream.abort();
  }
}

async function readList(
  target: Target,
  { clock, fetch }: ListDependencies,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const sdk = await loadSdk();
  let response: Response;
  try {
    response = await sdk.openModels(target, fetch, signal);
  } catch (thrown) {
    throw new FaultError(faultFromRefusal(sdk.readRefusal(thrown), target, clock.now()));
  }
  const list = listShape.safeParse(parseJson(await response.text()));
  if (!list.success) throw new FaultError(noList(target, response.status));
  const found = Array.isArray(list.data) ? list.data : list.data.data;
  const { prefix, prices = false } = target.preset.models;
  const listed = found.map((model): ListedModel => {
    const id = model.id.startsWith(prefix) ? model.id.slice(prefix.length) : model.id;
    const price = prices && model.pricing ? readPrice(model.pricing) : null;
    return { id, ...(price ? { price } : {}), ...(takesImages(model) ? { canSee: true } : {}) };
  });
  return listed.sort((one, other) => one.id.localeCompare(other.id));
}

function takesImages({ architecture: takes, capabilities: can }: z.infer<typeof listedModel>): boolean {
  return takes?.input_modalities?.includes('image') === true || can?.vision === true;
}

/** `null` where it depends on more than tokens: OpenRouter lists that as a negative price. */
function readPrice({ prompt, completion, input_cache_read: cached }: z.infer<typeof pricing>): Price | null {
  const input = perMillion(prompt);
  const output = perMillion(completion);
  const cachedInput = perMillion(cached);
  if (input === null || output === null) return null;
  return cachedInput === null ? { input, output } : { input, output, cachedInput };
}

function perMillion(text: string | null | undefined): number | null {
  const dollars = text === null || text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  // Rounded, because 0.0000003 times a million is not quite 0.3 for a computer.
  return dollars >= 0 ? Number((dollars * 1e6).toPrecision(10)) : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function noList(target: Target, status: number) {
  const message = `${hostOf(target.baseUrl)} gave no list of models. Check the address: it usually ends in /v1.`;
  return fault('broken-reply', message, { status });
}

function late(target: Target, ms: number) {
  const message = `${hostOf(target.baseUrl)} gave no list of models within ${Math.round(ms / 1000)} seconds. Try again.`;
  return fault('timeout', message, { retryable: true });
}
