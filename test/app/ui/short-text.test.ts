import { expect, test } from 'vitest';
import { shortText } from '../../../src/app/ui/short-text';

test('does not change a text of at most 300 characters', () => {
  expect(shortText('What is 2 + 2?')).toBe('What is 2 + 2?');
  expect(shortText('a'.repeat(300))).toBe('a'.repeat(300));
});

test('cuts a longer text with an ellipsis, and splits no surrogate pair', () => {
  expect(shortText('a'.repeat(2_000_000))).toBe(`${'a'.repeat(300)}…`);
  expect(shortText('🎼'.repeat(1_000))).toBe(`${'🎼'.repeat(150)}…`);
  expect(shortText(`a${'🎼'.repeat(1_000)}`)).toBe(`a${'🎼'.repeat(149)}…`);
});

test('cuts before a joined emoji, a flag or a letter with marks, not within it', () => {
  const family = '👨‍👩‍👧‍👦';
  expect(shortText(`${'a'.repeat(295)}${family}${'b'.repeat(100)}`)).toBe(`${'a'.repeat(295)}…`);
  expect(shortText(`${'a'.repeat(298)}🇯🇵${'b'.repeat(100)}`)).toBe(`${'a'.repeat(298)}…`);
  expect(shortText(`${'a'.repeat(299)}e\u0301${'b'.repeat(100)}`)).toBe(`${'a'.repeat(299)}…`);
  expect(shortText(`${'a'.repeat(289)}${family}${'b'.repeat(100)}`)).toBe(`${'a'.repeat(289)}${family}…`);
});

test('cuts a letter that has more than 300 combining marks', () => {
  expect(shortText(`a${'\u0301'.repeat(30_000)}`)).toBe(`a${'\u0301'.repeat(299)}…`);
});
