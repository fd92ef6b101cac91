/** @file SHA-256 digests that identify texts and images: prompts as sent, and long content that is stored only once. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** SHA-256 of a text's UTF-8 bytes, as lower-case hex. */
export function sha256Hex(text: string): string {
  return sha256HexOfBytes(utf8ToBytes(text));
}

/** SHA-256 of bytes, as lower-case hex. */
export function sha256HexOfBytes(bytes: Uint8Array): string {
  return bytesToHex(sha256(bytes));
}
