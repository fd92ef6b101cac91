/**
 * @file The models an address offers.
 */
import * as z from 'zod/mini';
import { abortError, fault, FaultError, type Clock } from '../../core/contract';
import { faultFromRefusal, faultFromThrown } from './faults';
import type { Fetch } from './guarded-fetch';
import { loadSdk } from './load-sdk';
import { waitAtMost } from './patience';
import { hostOf, type Target } from './target';

z.config({ jitless: true });

const models = z.array(z.object({ id: z.string() }));
const listShape = z.union([z.object({ data: models }), models]);

export interface ListDependencies {
  readonly clock: Clock;
  readonly fetch?: Fetch;
  /** Longest wait for the whole list, ms. */
  readonly timeout: number;
}

/** Ids in alphabetical order. Throws a `FaultError`, with the HTTP status where the server answered at all. */
export async function listModels(
  target: Target,
  dependencies: ListDependencies,
  signal: AbortSignal,
): Promise<readonly string[]> {
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

async function readList(target: Target, { clock, fetch }: ListDependencies, signal: AbortSignal): Promise<string[]> {
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
  const { prefix } = target.preset.models;
  const ids = found.map(({ id }) => (id.startsWith(prefix) ? id.slice(prefix.length) : id));
  return ids.sort((one, other) => one.localeCompare(other));
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
