import { expect, test } from 'vitest';
import { beginningOf } from '../../../src/core/contract';

test('returns at most the requested number of UTF-16 units, without splitting a character', () => {
  expect(beginningOf('short', 100)).toBe('short');
  expect(beginningOf('🎼🎼', 3)).toBe('🎼');
  expect(beginningOf('abc', 2)).toBe('ab');
});

test('keeps joined emoji, flags and letters with marks whole', () => {
  const family = '👨‍👩‍👧‍👦';
  for (let length = 3; length < 3 + family.length; length++) expect(beginningOf(`abc${family}d`, length)).toBe('abc');
  expect(beginningOf(`abc${family}d`, 3 + family.length)).toBe(`abc${family}`);
  expect(beginningOf('🇯🇵🇫🇷', 6)).toBe('🇯🇵');
  expect(beginningOf('ee\u0301', 2)).toBe('e');
});

test('splits a character that is longer than the requested length, but no code point', () => {
  expect(beginningOf(`e${'\u0301'.repeat(1_000)}`, 3)).toBe('e\u0301\u0301');
  expect(beginningOf('👨‍👩‍👧‍👦', 4)).toBe('👨‍');
  expect(beginningOf('🎼', 1)).toBe('');
  expect(beginningOf('ab', 0)).toBe('');
});
