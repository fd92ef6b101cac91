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
 * Fields of OpenRouter and Mistral about a model's inputs. Values of other types are ignored. The schema does not check the
 * entries of `input_modalities`, because it would collect a problem for each entry of a hostile list.
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

/** Maximum number of models, more than any server has. Further models are left out. */
const MOST_MODELS = 5000;

export interface ListDependencies {
  readonly clock: Clock;
  readonly fetch?: Fetch;
  /** Longest wait for the whole list, ms. */
  readonly timeout: number;
}

/**
 * The models in alphabetical order. Rejects with a `FaultError`, or with an `AbortError` on abort. If the server replied, the fault
 * has the HTTP status.
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
  // The list is cut before it is validated, because a schema collects the problems of all entries.
  const found = listedAs && models.safeParse(listedAs.slice(0, MOST_MODELS));
  if (!found?.success) throw new FaultError(noList(target, response.status));
  const { prefix } = target.preset.models;
  const listed = new Map<string, ListedModel>();
  for (const model of found.data) {
    const id = model.id.startsWith(prefix) ? model.id.slice(prefix.length) : model.id;
    const price = listedPrice(model);
    const canSee = acceptsImages(model);
    // If a model is listed twice, the first entry counts. A name that contains the key is left out, because the form would
    // offer and store it.
    if (id.length > LONGEST_NAME || listed.has(id) || withoutKey(id, target.key) !== id) continue;
    listed.set(id, { id, ...(price ? { price } : {}), ...(canSee === null ? {} : { canSee }) });
  }
  return [...listed.values()].sort((one, other) => one.id.localeCompare(other.id));
}

/** Whether a model accepts images. `null` if the list does not state it. */
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
