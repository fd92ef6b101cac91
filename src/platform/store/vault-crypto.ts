/**
 * @file Encrypts API keys with a random vault key (AES-GCM-256). The vault key is stored only encrypted: once under a key that
 * PBKDF2-SHA256 derives from the passphrase, and once under a key that HKDF-SHA256 derives from the answer of each passkey. In older
 * vaults, the key that is derived from the passphrase is the vault key. None of these keys leaves WebCrypto.
 * Each API key is encrypted separately with a fresh IV, and bound to its worker and to the origin for which it was entered. A
 * record that was changed, or moved to another worker, origin or vault, cannot be decrypted.
 */
import * as z from 'zod/mini';
import { fault, FaultError, type PasskeySecret, type VaultSecret } from '../../core/contract';
import {
  ROUNDS,
  type Bytes,
  type OldVaultHeader,
  type StoredLock,
  type VaultEntry,
  type VaultHeader,
} from './vault-records';

z.config({ jitless: true });

const SALT_BYTES = 16;
const IV_BYTES = 12;
const AES = { name: 'AES-GCM', length: 256 };

const plainShape = z.object({ id: z.string(), origin: z.string(), key: z.string() });

/** The header of a vault, with its vault key. */
export interface OpenedVault<Header = VaultHeader | OldVaultHeader> {
  readonly header: Header;
  readonly secret: CryptoKey;
}

/** Creates an empty vault with one lock. */
export async function newVault(secret: VaultSecret): Promise<OpenedVault<VaultHeader>> {
  const header: VaultHeader = {
    format: 'podium-vault',
    version: 2,
    id: crypto.randomUUID(),
    cipher: 'AES-GCM-256',
    locks: [],
  };
  // Extractable, because each new lock encrypts it.
  const vault = { header, secret: await webCrypto().subtle.generateKey(AES, true, ['encrypt', 'decrypt']) };
  return { ...vault, header: { ...header, locks: [await newLock(vault, secret)] } };
}

/** Encrypts the vault key of an opened vault under another secret. */
export async function newLock(vault: OpenedVault<VaultHeader>, secret: VaultSecret): Promise<StoredLock> {
  const salt = random(SALT_BYTES);
  if (typeof secret === 'string') {
    const kind = 'passphrase';
    const derivation = { name: 'PBKDF2', hash: 'SHA-256', rounds: ROUNDS, salt } as const;
    const wrapping = await fromPassphrase(secret, derivation, ['wrapKey']);
    return { kind, derivation, wrapped: await wrap(vault, wrapping, aboutLock(vault.header, { kind, derivation })) };
  }
  const { id, site } = secret;
  const plain = { kind: 'passkey', id, site, derivation: { name: 'HKDF', hash: 'SHA-256', salt } } as const;
  const wrapping = await fromPasskey(secret, plain.derivation, ['wrapKey']);
  return { ...plain, addedAt: Date.now(), wrapped: await wrap(vault, wrapping, aboutLock(vault.header, plain)) };
}

/** Opens a vault. Returns `null` if the secret opens none of its locks, or if the header was changed. */
export async function openVault(
  header: VaultHeader | OldVaultHeader,
  secret: VaultSecret,
): Promise<OpenedVault | null> {
  if (header.version === 1) return typeof secret === 'string' ? openOldVault(header, secret) : null;
  for (const lock of header.locks) {
    const unwrapping = await unwrappingKey(lock, secret);
    const key = unwrapping && (await unwrap(lock, unwrapping, aboutLock(header, lock)));
    if (key) return { header, secret: key };
  }
  return null;
}

/** `null` if the secret is of another kind, or the passkey is another one. */
function unwrappingKey(lock: StoredLock, secret: VaultSecret): Promise<CryptoKey> | null {
  if (lock.kind === 'passphrase')
    return typeof secret === 'string' ? fromPassphrase(secret, lock.derivation, ['unwrapKey']) : null;
  return typeof secret !== 'string' && secret.id === lock.id
    ? fromPasskey(secret, lock.derivation, ['unwrapKey'])
    : null;
}

async function openOldVault(header: OldVaultHeader, passphrase: string): Promise<OpenedVault | null> {
  const { format, version, id, derivation, check } = header;
  const { name, hash, rounds, salt } = derivation;
  const secret = await fromPassphrase(passphrase, derivation, ['encrypt', 'decrypt']);
  const about = utf8(JSON.stringify([format, version, id, name, hash, rounds, [...salt]]));
  return (await open(secret, check, about)) === null ? null : { header, secret };
}

export async function sealKey(vault: OpenedVault, id: string, origin: string, key: string): Promise<VaultEntry> {
  const plain = JSON.stringify({ id, origin, key });
  return { id, origin, sealed: await seal(vault.secret, plain, aboutKey(vault.header, id, origin)) };
}

/** The API key of an entry, or `null` if the entry was changed or moved. */
export async function openKey(vault: OpenedVault, { id, origin, sealed }: VaultEntry): Promise<string | null> {
  const text = await open(vault.secret, sealed, aboutKey(vault.header, id, origin));
  if (text === null) return null;
  const plain = z.safeParse(plainShape, JSON.parse(text));
  return plain.success && plain.data.id === id && plain.data.origin === origin ? plain.data.key : null;
}

type Derivation<Kind extends StoredLock['kind']> = Extract<StoredLock, { kind: Kind }>['derivation'];

/** What a lock is bound to. A lock that was changed or moved to another vault doesn't open. */
function aboutLock(
  { format, version, id, cipher }: VaultHeader,
  lock:
    | { kind: 'passphrase'; derivation: Derivation<'passphrase'> }
    | { kind: 'passkey'; id: string; site: string; derivation: Derivation<'passkey'> },
): Bytes {
  const { name, hash, salt } = lock.derivation;
  const own = lock.kind === 'passphrase' ? [lock.derivation.rounds] : [lock.id, lock.site];
  return utf8(JSON.stringify([format, version, id, cipher, lock.kind, name, hash, [...salt], ...own]));
}

function aboutKey({ format, version, id: vault }: OpenedVault['header'], id: string, origin: string): Bytes {
  return utf8(JSON.stringify([format, version, vault, id, origin]));
}

async function fromPassphrase(
  passphrase: string,
  { rounds, salt }: Derivation<'passphrase'>,
  uses: KeyUsage[],
): Promise<CryptoKey> {
  const { subtle } = webCrypto();
  // Normalizes the text, because keyboards can encode the same letters as different characters.
  const typed = await subtle.importKey('raw', utf8(passphrase.normalize('NFKC')), 'PBKDF2', false, ['deriveKey']);
  return subtle.deriveKey({ name: 'PBKDF2', hash: 'SHA-256', iterations: rounds, salt }, typed, AES, false, uses);
}

async function fromPasskey(
  { output }: PasskeySecret,
  { salt }: Derivation<'passkey'>,
  uses: KeyUsage[],
): Promise<CryptoKey> {
  const { subtle } = webCrypto();
  const answered = await subtle.importKey('raw', output, 'HKDF', false, ['deriveKey']);
  const info = utf8('Podium vault key');
  return subtle.deriveKey({ name: 'HKDF', hash: 'SHA-256', salt, info }, answered, AES, false, uses);
}

async function wrap({ secret }: OpenedVault, wrapping: CryptoKey, about: Bytes) {
  const iv = random(IV_BYTES);
  const how = { name: 'AES-GCM', iv, additionalData: about };
  return { iv, data: new Uint8Array(await webCrypto().subtle.wrapKey('raw', secret, wrapping, how)) };
}

async function unwrap({ wrapped }: StoredLock, unwrapping: CryptoKey, about: Bytes): Promise<CryptoKey | null> {
  const how = { name: 'AES-GCM', iv: wrapped.iv, additionalData: about };
  try {
    const { subtle } = webCrypto();
    return await subtle.unwrapKey('raw', wrapped.data, unwrapping, how, AES, true, ['encrypt', 'decrypt']);
  } catch {
    // WebCrypto doesn't report why decryption failed.
    return null;
  }
}

async function seal(secret: CryptoKey, text: string, about: Bytes): Promise<{ iv: Bytes; data: Bytes }> {
  const iv = random(IV_BYTES);
  const data = await webCrypto().subtle.encrypt({ name: 'AES-GCM', iv, additionalData: about }, secret, utf8(text));
  return { iv, data: new Uint8Array(data) };
}

async function open(secret: CryptoKey, { iv, data }: { iv: Bytes; data: Bytes }, about: Bytes): Promise<string | null> {
  try {
    const plain = await webCrypto().subtle.decrypt({ name: 'AES-GCM', iv, additionalData: about }, secret, data);
    return new TextDecoder().decode(plain);
  } catch {
    return null;
  }
}

/** Throws a `FaultError` on pages without WebCrypto. These are pages loaded over plain http, except from localhost. */
function webCrypto(): Crypto {
  if (globalThis.isSecureContext === false) {
    const message = 'Keys can only be stored over https or on localhost. Open Podium there, then try again.';
    throw new FaultError(fault('storage-failed', message));
  }
  return crypto;
}

function random(length: number): Bytes {
  return crypto.getRandomValues(new Uint8Array(length));
}

function utf8(text: string): Bytes {
  return new TextEncoder().encode(text);
}
