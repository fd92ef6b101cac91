/**
 * @file Sends requests to the Hugging Face hub. Limits the number of concurrent requests, obeys the
 * hub's rate limit, and retries temporary failures. Rejects responses from other hosts.
 */
import PQueue from 'p-queue';
import { FaultError, isAbort, type Clock } from '../../core/contract';
import { isOwnHost, type DatasetAddress, type HubHost } from './hub-address';
import { hubFault, otherHost, rateLimited, unreachable } from './hub-faults';

export interface HubRequest {
  readonly url: string;
  readonly address: DatasetAddress;
  /** Path of the file. `null`: the request is for the list of files. */
  readonly file: string | null;
  /** Byte range from `start` (inclusive) to `end` (exclusive). Absent: the whole response. */
  readonly range?: { readonly start: number; readonly end: number };
}

export interface HubClient {
  readonly host: HubHost;
  /**
   * Resolves when the response headers have arrived. Retries temporary failures. Rejects with a
   * `FaultError`, or with an `AbortError` on abort.
   * @param patience maximum wait before an attempt, in ms. If an attempt needs a longer wait, the
   *   request fails
   */
  send(request: HubRequest, patience: number, signal: AbortSignal): Promise<Response>;
}

/** The `patience` of a request while the user is waiting, in ms. */
export const NO_PATIENCE = 5000;
const AT_A_TIME = 4;
/**
 * Waits before the first, second and third retry, in ms. Used only if the hub does not request a
 * wait.
 */
const PAUSES = [1000, 5000, 20_000];

export function createHubClient(host: HubHost, clock: Pick<Clock, 'now' | 'sleep'>): HubClient {
  const queue = new PQueue({ concurrency: AT_A_TIME });
  /**
   * New attempts wait until this time, in ms since the epoch. All requests share this time, because
   * the hub’s rate limit applies to all requests together.
   */
  let closedUntil = 0;

  const attempt = async (request: HubRequest, signal: AbortSignal) => {
    const response = await fetchFromHub(request, signal);
    if (!isOwnHost(response.url, host)) {
      await response.body?.cancel();
      throw otherHost(response.url);
    }
    if (response.ok) return response;
    await response.body?.cancel();
    throw new FaultError(hubFault(response, request.address, request.file, host));
  };

  return {
    host,
    async send(request, patience, signal) {
      for (let attempts = 0; ; attempts++) {
        try {
          const wait = closedUntil - clock.now();
          if (wait > patience) throw new FaultError(rateLimited(wait));
          if (wait > 0) await clock.sleep(wait, signal);
          return await queue.add(() => attempt(request, signal));
        } catch (thrown) {
          signal.throwIfAborted();
          if (!(thrown instanceof FaultError)) throw thrown;
          const { retryable, retryAfter } = thrown.fault;
          const pause = retryAfter ?? PAUSES[attempts];
          if (retryAfter !== undefined) closedUntil = Math.max(closedUntil, clock.now() + retryAfter);
          if (!retryable || pause === undefined || pause > patience || attempts >= PAUSES.length) throw thrown;
          await clock.sleep(pause, signal);
        }
      }
    },
  };
}

async function fetchFromHub({ url, address, range }: HubRequest, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(url, {
      signal,
      headers: {
        ...(address.token !== null && { Authorization: `Bearer ${address.token}` }),
        ...(range && { Range: `bytes=${range.start}-${range.end - 1}` }),
      },
      // The hub redirects file requests to its other hosts. Browsers don't send the token to these
      // hosts.
      redirect: 'follow',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
    });
  } catch (thrown) {
    if (signal.aborted || isAbort(thrown)) throw thrown;
    throw unreachable(thrown);
  }
}
