/**
 * @file Encrypts API keys. PBKDF2-SHA256 derives an AES-GCM-256 key from the passphrase. The derived key never leaves WebCrypto.
 * Each API key is encrypted separately with a fresh IV, and bound to its worker and to the origin for which it was entered. A
 * record that was changed, or moved to another worker, origin or vault, cannot be decrypted.
 */
import * as z from 'zod/mini';
import { fault, FaultError } from '../../core/contract';
import { ROUNDS, type Bytes, type VaultEntry, type VaultHeader } from './vault-records';

z.config({ jitless: true });

const SALT_BYTES = 16;
const IV_BYTES = 12;

const plainShape = z.object({ id: z.string(), origin: z.string(), key: z.string() });

/** The header of a vault, with the key that was derived from its passphrase. */
export interface OpenedVault {
  readonly header: VaultHeader;
  readonly secret: CryptoKey;
}

/** Creates an empty vault with a new passphrase. */
export async function newVault(passphrase: string): Promise<OpenedVault> {
  const derivation = { name: 'PBKDF2', hash: 'SHA-256', rounds: ROUNDS, salt: random(SALT_BYTES) } as const;
  const secret = await derive(passphrase, derivation);
  const plain = {
    format: 'podium-vault',
    version: 1,
    id: crypto.randomUUID(),
    derivation,
    cipher: 'AES-GCM-256',
  } as const;
  return { header: { ...plain, check: await seal(secret, '', aboutHeader(plain)) }, secret };
}

/** Opens a vault. Returns `null` if the passphrase is wrong or the header was changed. */
export async function openVault(header: VaultHeader, passphrase: string): Promise<OpenedVault | null> {
  const secret = await derive(passphrase, header.derivation);
  return (await open(secret, header.check, aboutHeader(header))) === null ? null : { header, secret };
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

function aboutHeader({ format, version, id, derivation }: Omit<VaultHeader, 'check'>): Bytes {
  const { name, hash, rounds, salt } = derivation;
  return utf8(JSON.stringify([format, version, id, name, hash, rounds, [...salt]]));
}

function aboutKey({ format, version, id: vault }: VaultHeader, id: string, origin: string): Bytes {
  return utf8(JSON.stringify([format, version, vault, id, origin]));
}

async function derive(passphrase: string, { rounds, salt }: VaultHeader['derivation']): Promise<CryptoKey> {
  const { subtle } = webCrypto();
  // Normalizes the text, because keyboards can encode the same letters as different characters.
  const typed = await subtle.importKey('raw', utf8(passphrase.normalize('NFKC')), 'PBKDF2', false, ['deriveKey']);
  const how = { name: 'PBKDF2', hash: 'SHA-256', iterations: rounds, salt };
  return subtle.deriveKey(how, typed, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
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
    // WebCrypto doesn't report why decryption failed.
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
