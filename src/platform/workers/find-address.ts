/**
 * @file Tries the usual address of a server's API when the given one has none. Many servers answer below `/v1`, and users
 * leave that out.
 */
import { FaultError, type Fault, type ListedModel } from '../../core/contract';
import type { Target } from './target';

type List = (target: Target, signal: AbortSignal) => Promise<readonly ListedModel[]>;

/** Replies of a server that has nothing at the address. Without CORS headers, a page sees no reply at all. */
const NOTHING_THERE: readonly Fault['code'][] = ['bad-address', 'broken-reply', 'not-found', 'unreachable'];
/** `/v1`, `/v1beta/openai`, `/api/v2` already say a version. */
const VERSIONED = /\/v\d/;

/**
 * The same address with `/v1` if the server lists its models there, or refuses to without another key. `null`: not worth
 * trying, or not there. The key goes to the same origin only. Throws only an `AbortError`.
 * @param found why nothing was found at the given address
 */
export async function findAddress(
  target: Target,
  found: Fault,
  list: List,
  signal: AbortSignal,
): Promise<string | null> {
  if (!NOTHING_THERE.includes(found.code) || target.preset.place === 'service') return null;
  if (!URL.canParse(target.baseUrl) || VERSIONED.test(new URL(target.baseUrl).pathname)) return null;
  const baseUrl = `${target.baseUrl}/v1`;
  try {
    await list({ ...target, baseUrl }, signal);
    return baseUrl;
  } catch (thrown) {
    if (!(thrown instanceof FaultError)) throw thrown;
    return thrown.fault.code === 'unauthorized' ? baseUrl : null;
  }
}
