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
import { withoutSecrets } from './provider-words';
import { readText } from './read-text';
import { LONGEST_LIST } from './reply-limits';
import { openModels, readRefusal } from './sdk';
import { hostOf, secretsOf, type Target } from './target';

z.config({ jitless: true });

/**
 * Fields that state whether a model accepts images: `architecture` of OpenRouter, `capabilities` of Mistral. A value of an
 * unexpected type counts as missing. Entries of `input_modalities` are not validated, because zod would collect an issue for
 * every entry of a hostile list.
 */
const architecture = z.object({ input_modalities: z.optional(z.unknown()) });
const capabilities = z.object({ vision: z.optional(z.boolean()) });
const tokens = z.catch(z.nullish(z.int().check(z.gte(1))), null);
const text = z.catch(z.optional(z.string()), undefined);
const listedModel = z.object({
  id: text,
  model: text,
  name: text,
  ...pricedFields,
  architecture: z.catch(z.nullish(architecture), null),
  capabilities: z.catch(z.nullish(capabilities), null),
  context_length: tokens,
  context_window: tokens,
  max_context_length: tokens,
  max_model_len: tokens,
  max_completion_tokens: tokens,
  top_provider: z.catch(z.nullish(z.object({ context_length: tokens, max_completion_tokens: tokens })), null),
  supported_parameters: z.optional(z.unknown()),
});
type Entry = z.infer<typeof listedModel>;
const entries = z.nullable(z.array(z.unknown()));
/** `models` is the name of the list in the own APIs of Ollama and Gemini. */
const page = z.object({ data: z.optional(entries), models: z.optional(entries), object: z.optional(z.unknown()) });
/** Fields that lead to the next page of a list: of Anthropic and OpenAI, of Google, and a link. */
const pointers = z.object({
  has_more: z.catch(z.optional(z.boolean()), undefined),
  last_id: text,
  nextPageToken: text,
  next_page_token: text,
  next: text,
});

/** Maximum number of models that are read from a list. No known server has more. */
const MOST_MODELS = 5000;
/** Maximum number of requests for one list. */
const MOST_PAGES = 20;

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

/** Reads all pages of the list. If a page after the first one can't be read, the models so far are the list. */
async function readList(target: Target, dependencies: ListDependencies, signal: AbortSignal): Promise<ListedModel[]> {
  const listed = new Map<string, ListedModel>();
  const add = (found: Page) => {
    const before = listed.size;
    for (const entry of found.entries) addModel(listed, entry, target);
    return listed.size > before;
  };
  const first = await readPage(target, {}, dependencies, signal);
  add(first);
  let queries = nextQueries(first.body);
  for (let pages = 1; pages < MOST_PAGES; pages++) {
    const query = queries.shift();
    if (!query || listed.size >= MOST_MODELS) break;
    const next = await readPage(target, query, dependencies, signal).catch((thrown: unknown) => {
      if (signal.aborted) throw thrown;
      return null;
    });
    // A server that ignores the query repeats a page that is already known. Then another query may be the right one.
    if (next && add(next)) queries = nextQueries(next.body);
  }
  return [...listed.values()].sort((one, other) => one.id.localeCompare(other.id));
}

interface Page {
  readonly entries: readonly unknown[];
  readonly body: unknown;
}

async function readPage(
  target: Target,
  query: Query,
  { clock, fetch }: ListDependencies,
  signal: AbortSignal,
): Promise<Page> {
  let response: Response;
  try {
    response = await openModels(target, query, fetch, signal);
  } catch (thrown) {
    throw new FaultError(faultFromRefusal(readRefusal(thrown), target, clock.now()));
  }
  const body = parseJson((await readText(response, LONGEST_LIST)) ?? '');
  const listedAs = entriesOf(body);
  if (listedAs === null) throw new FaultError(noList(target, response.status));
  return { entries: listedAs.slice(0, MOST_MODELS), body };
}

/** The entries of a list. Servers without models may send `null` instead of an empty list. `null`: the body is no list. */
function entriesOf(body: unknown): readonly unknown[] | null {
  if (Array.isArray(body)) return body;
  const found = page.safeParse(body);
  if (!found.success) return null;
  const { data, models, object } = found.data;
  if (data === undefined && models === undefined) return object === 'list' ? [] : null;
  return data ?? models ?? [];
}

/** Adds an entry of a list. An entry without a name is left out, so that one bad entry doesn't hide the others. */
function addModel(listed: Map<string, ListedModel>, entry: unknown, target: Target): void {
  const read = listedModel.safeParse(typeof entry === 'string' ? { id: entry } : entry);
  if (!read.success) return;
  const id = idOf(read.data, target);
  // If a model is listed twice, the first entry counts. An id that contains the API key is skipped, so that the key is never
  // shown or stored with the model.
  if (id === null || id.length > LONGEST_NAME || listed.has(id) || withoutSecrets(id, secretsOf(target)) !== id) return;
  const price = listedPrice(read.data);
  const canSee = acceptsImages(read.data);
  listed.set(id, { id, ...(price ? { price } : {}), ...(canSee === null ? {} : { canSee }), ...limitsOf(read.data) });
}

/** Maximum number of names of parameters that are read for a model. */
const MOST_PARAMETERS = 100;

/**
 * What the list says of a model's tokens and parameters: OpenRouter and Together have `context_length`, Groq `context_window`,
 * Mistral `max_context_length`, vLLM `max_model_len`.
 */
function limitsOf(entry: Entry): Pick<ListedModel, 'contextWindow' | 'maxOutput' | 'parameters'> {
  const { top_provider: top, supported_parameters: parameters } = entry;
  const contextWindow =
    entry.context_length ??
    entry.context_window ??
    entry.max_context_length ??
    entry.max_model_len ??
    top?.context_length;
  const maxOutput = top?.max_completion_tokens ?? entry.max_completion_tokens;
  const names = Array.isArray(parameters)
    ? parameters.slice(0, MOST_PARAMETERS).filter((name) => typeof name === 'string' && name.length <= LONGEST_NAME)
    : null;
  return {
    ...(contextWindow ? { contextWindow } : {}),
    ...(maxOutput ? { maxOutput } : {}),
    ...(names ? { parameters: names } : {}),
  };
}

/** The id of a model. Lists in the own formats of Ollama and Gemini have it in `model` or `name`. */
function idOf({ id, model, name }: Entry, { preset }: Target): string | null {
  const { prefix } = preset.models;
  const isNamed = (each: string | undefined) => each !== undefined && each.trim() !== '';
  if (isNamed(id)) return id?.startsWith(prefix) ? id.slice(prefix.length) : (id ?? null);
  return [model, name].find(isNamed)?.replace(/^models\//, '') ?? null;
}

type Query = Readonly<Record<string, string>>;

/** The queries that may lead to the page after this one, most likely first. */
function nextQueries(body: unknown): Query[] {
  const read = pointers.safeParse(body);
  if (!read.success) return [];
  const { has_more: hasMore, last_id: last, next, nextPageToken, next_page_token: token } = read.data;
  const queries: Query[] = [];
  if (next !== undefined && URL.canParse(next, 'https://host'))
    queries.push(Object.fromEntries(new URL(next, 'https://host').searchParams));
  if (nextPageToken) queries.push({ pageToken: nextPageToken });
  if (token) queries.push({ page_token: token });
  if (hasMore && last) queries.push({ after_id: last }, { after: last });
  return queries;
}

/** Whether a model accepts images. `null`: unknown. */
function acceptsImages({ architecture, capabilities: can }: Entry): boolean | null {
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
