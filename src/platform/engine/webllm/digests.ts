/**
 * @file Parses and compares the digests of a model's files: MD5 in the model's list of weights, SHA-256 in a pin (see `launch.ts`),
 * and Subresource Integrity in the manifest of a user's own model.
 */
import { md5 } from '@noble/hashes/legacy.js';
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

const HASHES = { md5, sha256, sha384, sha512 };

export interface Digest {
  readonly algorithm: keyof typeof HASHES;
  /** Lower case. */
  readonly hex: string;
}

/** Parses a digest in the form of Subresource Integrity, `sha256-…`. Does not check the form. */
export function digestOf(integrity: string): Digest {
  const [algorithm = '', base64 = ''] = integrity.split(/-(.*)/s);
  const hex = bytesToHex(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
  return { algorithm: algorithm === 'sha384' || algorithm === 'sha512' ? algorithm : 'sha256', hex };
}

/** Checks whether content has the expected digest. The content arrives in pieces. */
export class DigestCheck {
  readonly #expected: Digest;
  readonly #hash: ReturnType<typeof md5.create> | ReturnType<typeof sha512.create>;

  constructor(expected: Digest) {
    this.#expected = expected;
    this.#hash = HASHES[expected.algorithm].create();
  }

  add(piece: Uint8Array): void {
    this.#hash.update(piece);
  }

  /** Call it once, after the last piece. */
  matches(): boolean {
    return bytesToHex(this.#hash.digest()) === this.#expected.hex;
  }
}

export function matchesDigest(content: Uint8Array, expected: Digest): boolean {
  const check = new DigestCheck(expected);
  check.add(content);
  return check.matches();
}
