/** @file Finds out why a request for a model's file failed. The browser gives no reason. */
import type { Fault } from '../../core/contract';
import { corsFault, networkFault, type Named } from './engine-faults';

/** Distinguishes a server that refuses the page's origin from a server that does not respond. */
export async function fetchFault(address: string | URL, thrown: unknown, named: Named): Promise<Fault> {
  const { onLine } = navigator;
  if (onLine && named.host !== null && (await answersWithoutCors(address))) {
    return corsFault(named, new URL(address), location.origin);
  }
  return networkFault(onLine, thrown, named);
}

/** Whether the server responds to a request that needs no CORS headers. The page cannot read the response. */
async function answersWithoutCors(address: string | URL): Promise<boolean> {
  try {
    const response = await fetch(address, { method: 'HEAD', mode: 'no-cors', cache: 'no-store' });
    return response.type === 'opaque';
  } catch {
    return false;
  }
}
