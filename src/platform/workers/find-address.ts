/**
 * @file Tries the usual address of a server's API if there is no API at the given address. Many servers answer below `/v1`, and
 * users often leave out this part.
 */
import { FaultError, type Fault, type ListedModel } from '../../core/contract';
import type { Target } from './target';

type List = (target: Target, signal: AbortSignal) => Promise<readonly ListedModel[]>;

/** Codes of faults that may mean that there is no API at the address. A page can't read a reply without CORS headers. */
const NOTHING_THERE: readonly Fault['code'][] = ['bad-address', 'broken-reply', 'not-found', 'unreachable'];
/** Matches addresses that already contain a version, such as `/v1`, `/v1beta/openai` and `/api/v2`. */
const VERSIONED = /\/v\d/;

/**
 * Requests the list of models at the same address with `/v1`. Returns this address if the server sends the list or rejects the
 * key. Returns `null` otherwise, and if `/v1` would not help. The key is sent to the same origin only. Rejects only with an
 * `AbortError`.
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
