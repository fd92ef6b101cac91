import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { sha256Hex } from '../../../src/core/contract';

it.each(['', 'abc', 'ä → 漢 🎻'])('sha256Hex(%j) is the SHA-256 of the UTF-8 bytes of the text', (text) => {
  expect(sha256Hex(text)).toBe(createHash('sha256').update(text, 'utf8').digest('hex'));
});
