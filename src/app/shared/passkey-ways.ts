/** @file What the page can do with passkeys: unlock the keys, add a passkey, and say why it can't. */
import { PASSPHRASE_LOCK, type NoPasskeys, type PasskeySecret, type VaultLock } from '../../core/contract';
import type { KeysState } from '../state/keys.svelte';

/** What unlocks the keys on this page. */
export interface UnlockWays {
  /** Ids of the passkeys that were created for this page's host name. */
  readonly passkeys: readonly string[];
  readonly hasPassphrase: boolean;
  /** Host names of the other passkeys. */
  readonly elsewhere: readonly string[];
}

/** @param locks what unlocks the vault */
function waysAt(site: string, locks: readonly VaultLock[]): UnlockWays {
  return {
    passkeys: locks.filter((lock) => lock.site === site).map(({ id }) => id),
    hasPassphrase: locks.some(({ id }) => id === PASSPHRASE_LOCK),
    elsewhere: [...new Set(locks.flatMap((lock) => (lock.site === null || lock.site === site ? [] : [lock.site])))],
  };
}

export async function readWays(keys: KeysState): Promise<UnlockWays> {
  // Calls `locks` first, because only what is read before an `await` is tracked.
  const locks = keys.locks();
  return waysAt((await keys.passkeys()).site, await locks);
}

/** Asks for a passkey and unlocks the keys with it. */
export async function unlockWithPasskey(keys: KeysState, signal: AbortSignal): Promise<void> {
  const { passkeys } = await readWays(keys);
  await keys.unlock(await (await keys.passkeys()).use(passkeys, signal));
}

/** Asks for a new passkey. Nothing is stored in Podium yet. */
export async function newPasskey(keys: KeysState, signal: AbortSignal): Promise<PasskeySecret> {
  const { passkeys } = await readWays(keys);
  return (await keys.passkeys()).create(passkeys, signal);
}

/** Why there is no passkey on this page, and what to do. */
export function noPasskeysSentence(problem: NoPasskeys, { hostname }: Pick<Location, 'hostname'>): string {
  switch (problem) {
    case 'ip-address':
      return isLoopback(hostname)
        ? `Browsers don’t allow passkeys at an IP address such as ${hostname}. Open Podium at localhost to use one.`
        : `Browsers don’t allow passkeys at an IP address such as ${hostname}. Open Podium under a host name to use one.`;
    case 'unsupported':
      return 'This browser can’t encrypt with passkeys (WebAuthn PRF). Current versions of Chrome, Edge and Safari can.';
    default:
      return problem satisfies never;
  }
}

/** The address of this page at `localhost`. `null`: the page has another address than this machine's. */
export function localhostAddress({ hostname, protocol, port }: Pick<Location, 'hostname' | 'protocol' | 'port'>) {
  return isLoopback(hostname) ? `${protocol}//localhost${port === '' ? '' : `:${port}`}/` : null;
}

const isLoopback = (hostname: string) => hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
