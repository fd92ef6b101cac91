/**
 * @file Tries `/v1` below the entered address if the address itself has no API. Users often leave
 * out `/v1`, and many servers require it.
 */
import { FaultError, type Fault, type ListedModel } from '../../core/contract';
import type { Target } from './target';

type List = (target: Target, signal: AbortSignal) => Promise<readonly ListedModel[]>;

/**
 * Fault codes that may mean that the address has no API. Error replies without CORS headers can't
 * be read, so they cause `unreachable`.
 */
const NOTHING_THERE: readonly Fault['code'][] = ['bad-address', 'broken-reply', 'not-found', 'unreachable'];
/** Matches paths that already contain a version, such as `/v1`, `/v1beta/openai` and `/api/v2`. */
const VERSIONED = /\/v\d/;

/**
 * Adds `/v1` to the address and requests the list of models there. Sends the key only to the same
 * origin. Rejects only with an `AbortError`.
 * @param found the fault that occurred at the given address
 * @returns the address with `/v1` if the server lists its models or rejects the key there, otherwise
 *   `null`
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
