import { expect, test } from 'vitest';
import { beginningOf } from '../../../src/core/contract';

test('the beginning of a text is as long as asked for, and cuts no character in half', () => {
  expect(beginningOf('short', 100)).toBe('short');
  expect(beginningOf('🎼🎼', 3)).toBe('🎼');
  expect(beginningOf('abc', 2)).toBe('ab');
});
