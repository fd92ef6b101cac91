/** @file Checks that a passphrase for the key vault is long and hard to guess. */
import { fault, FaultError, SHORTEST_PASSPHRASE } from '../../core/contract';

/**
 * Checks a new passphrase. Rejects with a `FaultError`: `bad-request` for a short or weak passphrase, `internal` if
 * the check cannot be loaded.
 */
export async function checkPassphrase(passphrase: string): Promise<void> {
  if ([...passphrase].length < SHORTEST_PASSPHRASE) {
    const message = `Choose a passphrase of at least ${SHORTEST_PASSPHRASE} characters, for example four words.`;
    throw new FaultError(fault('bad-request', message));
  }
  const { weaknessOf } = await loadStrength();
  const weakness = weaknessOf(passphrase);
  if (weakness !== null) throw new FaultError(fault('bad-request', weakness));
}

async function loadStrength() {
  try {
    return await import('./passphrase-strength');
  } catch (thrown) {
    const message = 'Couldn’t load the passphrase check. Check the connection, reload the page, and try again.';
    throw new FaultError(fault('internal', message, { retryable: true, detail: String(thrown).slice(0, 500) }));
  }
}
