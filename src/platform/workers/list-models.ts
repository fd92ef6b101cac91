/**
 * @file Requests the list of a server's models.
 */
import * as z from 'zod/mini';
import {
  abortError,
  fault,
  FaultError,
  LONGEST_NAME,
  parseJson,
  type Clock,
  type ListedModel,
} from '../../core/contract';
import { faultFromRefusal, faultFromThrown } from './worker-faults';
import type { Fetch } from './guarded-fetch';
import { listedPrice, pricedFields } from './listed-price';
import { waitAtMost } from './patience';
import { withoutKey } from './provider-words';
import { readText } from './read-text';
import { LONGEST_LIST } from './reply-limits';
import { openModels, readRefusal } from './sdk';
import { hostOf, type Target } from './target';

z.config({ jitless: true });

/**
 * Fields that state whether a model accepts images: `architecture` of OpenRouter, `capabilities` of Mistral. A value of an
 * unexpected type counts as missing. Entries of `input_modalities` are not validated, because zod would collect an issue for
 * every entry of a hostile list.
 */
const architecture = z.object({ input_modalities: z.optional(z.unknown()) });
const capabilities = z.object({ vision: z.optional(z.boolean()) });
const listedModel = z.object({
  id: z.string(),
  ...pricedFields,
  architecture: z.catch(z.nullish(architecture), null),
  capabilities: z.catch(z.nullish(capabilities), null),
});
const models = z.array(listedModel);
const entries = z.array(z.unknown());
const listShape = z.union([z.object({ data: entries }), entries]);

/** Maximum number of models that are read from a list. No known server has more. */
const MOST_MODELS = 5000;

export interface ListDependencies {
  readonly clock: Clock;
  readonly fetch?: Fetch;
  /** Longest wait for the whole list, ms. */
  readonly timeout: number;
}

/**
 * Requests the server's models and sorts them by id. Rejects with a `FaultError`, or with an `AbortError` on abort. The fault has
 * an HTTP status if the server sent an error or an invalid list.
 */
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
  let response: Response;
  try {
    response = await openModels(target, fetch, signal);
  } catch (thrown) {
    throw new FaultError(faultFromRefusal(readRefusal(thrown), target, clock.now()));
  }
  const list = listShape.safeParse(parseJson((await readText(response, LONGEST_LIST)) ?? ''));
  const listedAs = list.success ? (Array.isArray(list.data) ? list.data : list.data.data) : null;
  // The list is cut before validation, because zod collects an issue for every invalid entry.
  const found = listedAs && models.safeParse(listedAs.slice(0, MOST_MODELS));
  if (!found?.success) throw new FaultError(noList(target, response.status));
  const { prefix } = target.preset.models;
  const listed = new Map<string, ListedModel>();
  for (const model of found.data) {
    const id = model.id.startsWith(prefix) ? model.id.slice(prefix.length) : model.id;
    const price = listedPrice(model);
    const canSee = acceptsImages(model);
    // If a model is listed twice, the first entry counts. An id that contains the API key is skipped, so that the key is never
    // shown or stored with the model.
    if (id.length > LONGEST_NAME || listed.has(id) || withoutKey(id, target.key) !== id) continue;
    listed.set(id, { id, ...(price ? { price } : {}), ...(canSee === null ? {} : { canSee }) });
  }
  return [...listed.values()].sort((one, other) => one.id.localeCompare(other.id));
}

/** Whether a model accepts images. `null`: unknown. */
function acceptsImages({ architecture: architecture, capabilities: can }: z.infer<typeof listedModel>): boolean | null {
  const modalities = architecture?.input_modalities;
  if (Array.isArray(modalities)) return modalities.includes('image');
  return can?.vision ?? null;
}

function noList(target: Target, status: number) {
  const message = `${hostOf(target.baseUrl)} returned no list of models. Check the address. It usually ends in /v1.`;
  return fault('broken-reply', message, { status });
}

function late(target: Target, ms: number) {
  const message = `${hostOf(target.baseUrl)} returned no list of models within ${Math.round(ms / 1000)} seconds. Try again.`;
  return fault('timeout', message, { retryable: true });
}
