import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPattern } from '../../../../src/core/graders/patterns/read-pattern';

const matches = (source: string, text: string) => {
  const pattern = readPattern(source);
  return pattern.ok ? pattern.matches(text) : pattern.problem;
};

const ATOMS = [
  'a',
  'b',
  '.',
  '[ab]',
  '[^a]',
  '\\d',
  '\\s',
  '\\W',
  '\\p{L}',
  '\\u{1F600}',
  '[]',
  '^',
  '$',
  '\\b',
  '\\B',
];
const QUANTIFIERS = ['*', '+', '?', '*?', '{2}', '{0,2}', '{1,}'];
const LOOKS = ['(?=', '(?!', '(?<=', '(?<!'];

/** Random regular expressions without back-references. */
const { source } = fc.letrec<{ source: string }>((tie) => ({
  source: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...ATOMS),
    fc.tuple(tie('source'), tie('source')).map(([one, other]) => `${one}${other}`),
    fc.tuple(tie('source'), tie('source')).map(([one, other]) => `(${one}|${other})`),
    fc.tuple(tie('source'), fc.constantFrom(...QUANTIFIERS)).map(([inner, times]) => `(?:${inner})${times}`),
    fc.tuple(fc.constantFrom(...LOOKS), tie('source')).map(([look, inner]) => `${look}${inner})`),
  ),
}));
/**
 * Random texts. They include a letter with two cases, a lone surrogate, and ſ, which `\w` matches
 * if case is ignored.
 */
const text = fc.string({ unit: fc.constantFrom('a', 'B', '1', ' ', '\n', 'É', 'ſ', '😀', '\ud83d'), maxLength: 6 });

describe('`readPattern`', () => {
  test('matches the same texts as RegExp', () => {
    fc.assert(
      fc.property(source, fc.array(text, { minLength: 5, maxLength: 5 }), (pattern, texts) => {
        const native = new RegExp(`^(?:${pattern})$`, 'iu');
        for (const each of texts) expect(matches(pattern, each)).toBe(native.test(each));
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ['nested repetitions', '(a+)+b', 'a'.repeat(100_000)],
    ['alternatives that overlap', '(a|a|aa)*b', 'a'.repeat(100_000)],
    ['a look-ahead with nested repetitions', '(?=(a*)*b)a*', 'a'.repeat(100_000)],
    ['a look-behind with nested repetitions', 'a*(?<=b(a*)*)', 'a'.repeat(100_000)],
    ['several long repetitions', '.*.*.*=.*', 'x'.repeat(100_000)],
  ])('checks 100,000 characters quickly with %s, where RegExp is slow', (_, pattern, long) => {
    expect(matches(pattern, long)).toBe(false);
  });

  test('returns null if the check would take too long', () => {
    expect(matches('.*(a{0,50}){0,50}b', 'a'.repeat(1_000_000))).toBe(null);
  });

  test.each([
    ['(', 'not a valid regular expression'],
    ['a{2,1}', 'not a valid regular expression'],
    ['(a)\\1', 'back-reference'],
    ['(?<x>a)\\k<x>', 'back-reference'],
    ['(?i:a)', 'flags inside'],
    ['(?:){1000000000}', 'too many parts'],
    ['((a{100}){100}){100}', 'too many parts'],
    [`(?:${'|'.repeat(5000)}){0,20000}`, 'too many parts'],
    [`${'('.repeat(5000)}${')'.repeat(5000)}`, 'too many parts'],
  ])('explains why it can’t compile $0', (pattern, words) => {
    expect(matches(pattern, 'a')).toContain(words);
  });
});
