/** @file Loads the licenses of everything that Podium's build contains. `scripts/licences/` generates the list. */
import * as z from 'zod/mini';
import { fault, FaultError, isAbort } from '../../core/contract';

const LIST = './licences.json';
/** URL of the full license texts. */
export const LICENCE_TEXTS = './licences.txt';

const Licences = z.array(
  z.object({
    name: z.string(),
    version: z.nullable(z.string()),
    licence: z.string(),
    address: z.nullable(z.url({ protocol: /^https?$/ })),
  }),
);
export type Licence = z.infer<typeof Licences>[number];

/** Loads the list. Rejects with a `FaultError` on failure, or with an `AbortError` after an abort. */
export async function loadLicences(
  signal: AbortSignal,
  fetchFile: (address: string, options: RequestInit) => Promise<Response> = (address, options) =>
    fetch(address, options),
): Promise<readonly Licence[]> {
  try {
    const response = await fetchFile(LIST, { signal });
    if (!response.ok) throw new TypeError(`Status ${response.status}`);
    return Licences.parse(await response.json());
  } catch (thrown) {
    if (isAbort(thrown)) throw thrown;
    const message = 'Couldn’t load the licences. Check your connection and try again.';
    throw new FaultError(fault('unreachable', message, { retryable: true, detail: String(thrown).slice(0, 500) }));
  }
}
