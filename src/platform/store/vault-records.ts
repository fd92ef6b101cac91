/** @file The stored records of the vault: its header and its entries. Apart from the encryption, which is lazy-loaded. */
import * as z from 'zod/mini';

z.config({ jitless: true });

/** OWASP's least for PBKDF2-SHA256. */
export const ROUNDS = 600_000;
/** A record that asks for more was not written by us; it would only keep the page busy. */
const MOST_ROUNDS = 10_000_000;

export type Bytes = Uint8Array<ArrayBuffer>;
const bytes = z.custom<Bytes>((value) => value instanceof Uint8Array && value.buffer instanceof ArrayBuffer);
const sealed = z.object({ iv: bytes, data: bytes });

/** What lies beside the keys: how to get from the passphrase to them. */
export const headerShape = z.object({
  format: z.literal('podium-vault'),
  version: z.literal(1),
  /** New with every passphrase. */
  id: z.string(),
  derivation: z.object({
    name: z.literal('PBKDF2'),
    hash: z.literal('SHA-256'),
    rounds: z.int().check(z.gte(ROUNDS), z.lte(MOST_ROUNDS)),
    salt: bytes,
  }),
  cipher: z.literal('AES-GCM-256'),
  /** Opens with the right passphrase only. */
  check: sealed,
});
export type VaultHeader = z.infer<typeof headerShape>;

/** One worker's key. Id and origin stand in the clear, as they do in its setup; they are bound to what is sealed. */
export const entryShape = z.object({ id: z.string(), origin: z.string(), sealed });
export type VaultEntry = z.infer<typeof entryShape>;
