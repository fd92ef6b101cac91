/**
 * @file Creates and uses passkeys whose authenticators compute secrets (WebAuthn's extension `prf`). Nobody checks their
 * signatures, because there is no server: only the secret unlocks something.
 */
import { fault, FaultError, isAbort, type NoPasskeys, type Passkeys, type PasskeySecret } from '../core/contract';
import { fromBase64, toBase64 } from '../platform/base64';

/** What every passkey computes its secret from. The secrets of two passkeys differ all the same. */
const INPUT = new TextEncoder().encode('Podium: the key vault, version 1');

const NOTHING_USED = 'No passkey was used, so the keys stay locked.';
const NOTHING_ADDED = 'No passkey was added.';
const CANNOT =
  'This passkey can’t encrypt keys, so Podium doesn’t use it, and you can delete it. Try another device, password manager or security key, or a passphrase.';

export function createPasskeys(site: string = location.hostname): Passkeys {
  return {
    site,
    problem: () => problemAt(site),

    async create(others, signal) {
      const date = new Date().toISOString().slice(0, 10);
      const credential = await ask(NOTHING_ADDED, () =>
        navigator.credentials.create({
          signal,
          publicKey: {
            rp: { id: site, name: 'Podium' },
            user: { id: random(), name: `Podium keys, ${date}`, displayName: `Podium keys, ${date}` },
            challenge: random(),
            pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
            excludeCredentials: others.flatMap(named),
            authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
            extensions: { prf: { eval: { first: INPUT } } },
          },
        }),
      );
      const { prf } = credential.getClientExtensionResults();
      const output = bytesOf(prf?.results?.first);
      const id = toBase64(new Uint8Array(credential.rawId));
      if (output) return { id, site, output };
      if (prf?.enabled === false) throw new FaultError(fault('bad-request', CANNOT));
      // Some authenticators compute secrets only when a passkey is used.
      return use([id], site, NOTHING_ADDED, signal);
    },

    use: (ids, signal) => use(ids, site, NOTHING_USED, signal),
  };
}

async function use(
  ids: readonly string[],
  site: string,
  cancelled: string,
  signal: AbortSignal,
): Promise<PasskeySecret> {
  const credential = await ask(cancelled, () =>
    navigator.credentials.get({
      signal,
      publicKey: {
        rpId: site,
        challenge: random(),
        allowCredentials: ids.flatMap(named),
        // An authenticator computes another secret if it does not verify the user.
        userVerification: 'required',
        extensions: { prf: { eval: { first: INPUT } } },
      },
    }),
  );
  const output = bytesOf(credential.getClientExtensionResults().prf?.results?.first);
  if (!output) throw new FaultError(fault('bad-request', CANNOT));
  return { id: toBase64(new Uint8Array(credential.rawId)), site, output };
}

async function problemAt(site: string): Promise<NoPasskeys | null> {
  if (/^\[|^\d+(\.\d+){3}$/.test(site)) return 'ip-address';
  if (!('PublicKeyCredential' in globalThis)) return 'unsupported';
  // Older browsers lack this method, and may know the extension all the same.
  if (!('getClientCapabilities' in PublicKeyCredential)) return null;
  return (await PublicKeyCredential.getClientCapabilities())['extension:prf'] === false ? 'unsupported' : null;
}

/** @param cancelled what the fault says if the user cancels. Browsers report a missing passkey in the same way */
async function ask(cancelled: string, call: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    const credential = await call();
    if (credential instanceof PublicKeyCredential) return credential;
  } catch (thrown) {
    if (isAbort(thrown)) throw thrown;
    if (!(thrown instanceof DOMException)) throw thrown;
    if (thrown.name === 'InvalidStateError') {
      const message =
        'This device already has a passkey for these keys. Use another device, password manager or security key.';
      throw new FaultError(fault('bad-request', message));
    }
    if (thrown.name !== 'NotAllowedError') {
      throw new FaultError(fault('internal', `${cancelled} The browser refused it.`, { detail: thrown.message }));
    }
  }
  throw new FaultError(fault('unauthorized', cancelled, { retryable: true }));
}

function named(base64: string): PublicKeyCredentialDescriptor[] {
  const id = fromBase64(base64);
  return id ? [{ type: 'public-key', id }] : [];
}

function bytesOf(source: BufferSource | undefined): Uint8Array<ArrayBuffer> | null {
  if (!source) return null;
  const view = ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
  return view.slice();
}

function random(): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(32));
}
