/**
 * @file The schemas of the records in the vault, which stores encrypted API keys. This file is
 * separate from the encryption code, because that code is lazy-loaded.
 */
import * as z from 'zod/mini';

z.config({ jitless: true });

/** OWASP's minimum number of iterations for PBKDF2-SHA256. */
export const ROUNDS = 600_000;
/** Maximum accepted number of iterations. An imported record with more could freeze the page. */
const MOST_ROUNDS = 10_000_000;
/** Maximum number of locks, for the same reason. */
export const MOST_LOCKS = 20;

export type Bytes = Uint8Array<ArrayBuffer>;
const bytes = z.custom<Bytes>((value) => value instanceof Uint8Array && value.buffer instanceof ArrayBuffer);
const sealed = z.object({ iv: bytes, data: bytes });

const passphraseDerivation = z.object({
  name: z.literal('PBKDF2'),
  hash: z.literal('SHA-256'),
  rounds: z.int().check(z.gte(ROUNDS), z.lte(MOST_ROUNDS)),
  salt: bytes,
});
const passkeyDerivation = z.object({ name: z.literal('HKDF'), hash: z.literal('SHA-256'), salt: bytes });

/** The vault key, encrypted under a key that is derived from the passphrase or from a passkey. */
const lock = z.union([
  z.object({ kind: z.literal('passphrase'), derivation: passphraseDerivation, wrapped: sealed }),
  z.object({
    kind: z.literal('passkey'),
    /** The credential id in base64. */
    id: z.string(),
    site: z.string(),
    addedAt: z.number(),
    derivation: passkeyDerivation,
    wrapped: sealed,
  }),
]);
export type StoredLock = z.infer<typeof lock>;

const plain = {
  format: z.literal('podium-vault'),
  /** A new id for every vault key. */
  id: z.string(),
  cipher: z.literal('AES-GCM-256'),
};

/** The header of older versions. The key that is derived from the passphrase encrypts the API keys. */
const oldHeaderShape = z.object({
  ...plain,
  version: z.literal(1),
  derivation: passphraseDerivation,
  /** An encrypted value for checking the passphrase. Only the right passphrase can decrypt it. */
  check: sealed,
});
export type OldVaultHeader = z.infer<typeof oldHeaderShape>;

const currentHeaderShape = z.object({
  ...plain,
  version: z.literal(2),
  locks: z.array(lock).check(z.minLength(1), z.maxLength(MOST_LOCKS)),
});
export type VaultHeader = z.infer<typeof currentHeaderShape>;

/** The vault's header. It states how the key that encrypts the API keys is derived or decrypted. */
export const headerShape = z.union([currentHeaderShape, oldHeaderShape]);

/**
 * The encrypted API key of one worker. The worker's id and origin are not encrypted, because the
 * worker's setup contains them anyway. The API key can be decrypted only with the same id and
 * origin.
 */
export const entryShape = z.object({ id: z.string(), origin: z.string(), sealed });
export type VaultEntry = z.infer<typeof entryShape>;
