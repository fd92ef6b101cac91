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

export type Bytes = Uint8Array<ArrayBuffer>;
const bytes = z.custom<Bytes>((value) => value instanceof Uint8Array && value.buffer instanceof ArrayBuffer);
const sealed = z.object({ iv: bytes, data: bytes });

/** The vault's header. `derivation` states how the encryption key is derived from the passphrase. */
export const headerShape = z.object({
  format: z.literal('podium-vault'),
  version: z.literal(1),
  /** A new id for every passphrase. */
  id: z.string(),
  derivation: z.object({
    name: z.literal('PBKDF2'),
    hash: z.literal('SHA-256'),
    rounds: z.int().check(z.gte(ROUNDS), z.lte(MOST_ROUNDS)),
    salt: bytes,
  }),
  cipher: z.literal('AES-GCM-256'),
  /** An encrypted value for checking the passphrase. Only the right passphrase can decrypt it. */
  check: sealed,
});
export type VaultHeader = z.infer<typeof headerShape>;

/**
 * The encrypted API key of one worker. The worker's id and origin are not encrypted, because the
 * worker's setup contains them anyway. The API key can be decrypted only with the same id and
 * origin.
 */
export const entryShape = z.object({ id: z.string(), origin: z.string(), sealed });
export type VaultEntry = z.infer<typeof entryShape>;
