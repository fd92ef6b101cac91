import { expect, test } from 'vitest';
import { beginningOf } from '../../../src/core/contract';

test('beginningOf returns at most the given number of UTF-16 units without splitting a character', () => {
  expect(beginningOf('short', 100)).toBe('short');
  expect(beginningOf('🎼🎼', 3)).toBe('🎼');
  expect(beginningOf('abc', 2)).toBe('ab');
});

test('beginningOf does not split joined emoji, flags and letters with combining marks', () => {
  const family = '👨‍👩‍👧‍👦';
  for (let length = 3; length < 3 + family.length; length++) expect(beginningOf(`abc${family}d`, length)).toBe('abc');
  expect(beginningOf(`abc${family}d`, 3 + family.length)).toBe(`abc${family}`);
  expect(beginningOf('🇯🇵🇫🇷', 6)).toBe('🇯🇵');
  expect(beginningOf('ee\u0301', 2)).toBe('e');
});

test('beginningOf splits a character that is longer than the limit, but never a code point', () => {
  expect(beginningOf(`e${'\u0301'.repeat(1_000)}`, 3)).toBe('e\u0301\u0301');
  expect(beginningOf('👨‍👩‍👧‍👦', 4)).toBe('👨‍');
  expect(beginningOf('🎼', 1)).toBe('');
  expect(beginningOf('ab', 0)).toBe('');
});
