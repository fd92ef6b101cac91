import { describe, expect, test } from 'vitest';
import { readPuzzle } from '../../../src/core/tasks';

/** The puzzle's key, which contains the puzzle in Podium's own wording. */
function read(text: string): string | undefined {
  return readPuzzle(text)?.key;
}

/** Whether the answer in a text is right. */
function right(question: string, text: string): boolean | undefined {
  return readPuzzle(question)?.check(text).correct;
}

describe('Countdown in a user’s words', () => {
  const puzzle = 'countdown: Use 3, 4, 7, 8, 25 and 50, each at most once, with + − × ÷ to reach 537.';
  test.each([
    'Use 3, 4, 7, 8, 25 and 50, each at most once, with + − × ÷ to reach 537.',
    'use 3,4,7,8,25,50 to make 537',
    'Can you get 537 from 3 4 7 8 25 & 50? Only plus, minus, times and divided by.',
    'How do I reach 537 with 3; 4; 7; 8; 25; 50 – each at most once?',
    'Numbers: 3 4 7 8 25 50. Target: 537',
    'With + - * / and the numbers 3, 4, 7, 8, 25 and 50 in any order, arrive at 537!',
  ])('“%s” is read as the same puzzle', (text) => expect(read(text)).toBe(puzzle));

  test('requires every number if the question says “exactly once”', () => {
    expect(read('Use 2, 3 and 7, each exactly once, to reach 42.')).toContain('exactly once');
    expect(right('Use 2, 3, 7 and 9, each exactly once, to reach 42.', '2 × 3 × 7')).toBe(false);
    expect(right('Use 2, 3, 7 and 9, each exactly once, to reach 51.', '2 × 3 × 7 + 9')).toBe(true);
  });

  const question = 'Use 3, 4, 7, 8, 25 and 50, each at most once, with + − × ÷ to reach 537.';
  test.each([
    ['7 × (50 + 25) + 8 + 4 = 537', true],
    ['50 + 25 = 75, then 75 × 7 = 525.\nThe answer is 7(50+25) + 8 + 4.', true],
    ['$$\\boxed{7 \\times (50 + 25) + 8 + 4}$$', true],
    ['The answer: `7*(25+50)+4+8 = 537`. I hope that helps.', true],
    ['(7 x (50 + 25)) + (8 + 4)', true],
    ['**Answer:** 7 × 75 + 12 = 537', false],
    ['7 × 50 + 25 × 8 = 537', false],
    ['25 × 25 − 88 = 537', false],
    ['There is no way.', false],
    ['537', false],
  ])('the check of the answer “%s” returns %j', (text, expected) => expect(right(question, text)).toBe(expected));

  test('accepts only the nearest value if the target cannot be reached', () => {
    const hard = 'Use 1, 1 and 2 to reach 100.';
    expect(right(hard, '(1 + 1) × 2 = 4')).toBe(true);
    expect(right(hard, '1 + 2 = 3')).toBe(false);
  });
});

describe('Arithmetic in a user’s words', () => {
  test.each([
    ['What is 7 + 3 × (8 − 2) − 12 ÷ 4?', 'What is 7 + 3 × (8 − 2) − 12 ÷ 4?'],
    ['12*7+3 =', 'What is 12 × 7 + 3?'],
    ['How much is 3 plus 4 times 5?', 'What is 3 + 4 × 5?'],
    ['Please calculate (2+3)(4-1) exactly.', 'What is (2 + 3) × (4 − 1)?'],
    ['Work out 100 - 20 - (5 - 2).', 'What is 100 − 20 − (5 − 2)?'],
    ['Evaluate $2.5 \\times 4$', 'What is (5/2) × 4?'],
  ])('“%s” is read as %j', (text, expected) => expect(read(text)).toBe(`arithmetic: ${expected}`));

  test.each([
    ['22', true],
    ['7 + 18 − 3 = 22', true],
    ['Answer: 22.', true],
    ['It comes to \\frac{44}{2}', true],
    ['The answer is **21**, not 22', false],
    ['Nothing', false],
  ])('the check of the answer “%s” returns %j', (text, expected) =>
    expect(right('What is 7 + 3 × (8 − 2) − 12 ÷ 4?', text)).toBe(expected),
  );

  test('accepts a separator of thousands, but not a rounded fraction', () => {
    expect(right('What is 1234 + 1?', 'That is 1,235.')).toBe(true);
    expect(right('What is 1 ÷ 3?', '1/3')).toBe(true);
    expect(right('What is 1 ÷ 3?', '0.333')).toBe(false);
  });
});

describe('Ordering in a user’s words', () => {
  test.each([
    ['Rank 0.7, 0.65 and 0.699 from largest to smallest.', 'numbers in order, largest first: 0.7, 0.65, 0.699.'],
    ['sort 5 3 9 1', 'numbers in order, smallest first: 5, 3, 9, 1.'],
    ['Put $\\frac{3}{4}$, $\\frac{2}{3}$ and $\\frac58$ by size', 'fractions in order, smallest first: 3/4, 2/3, 5/8.'],
    [
      'Put July 4th, 1776, 14 July 1789 and 1903-12-17 in chronological order, newest first',
      'dates in order, latest first: 4 July 1776, 14 July 1789, 17 December 1903.',
    ],
  ])('“%s” is read as %j', (text, expected) => expect(read(text)).toBe(`ordering: Put these ${expected}`));

  test.each([
    ['2/3 < 3/4 < 7/8', true],
    ['1. 2/3\n2. 3/4\n3. 7/8', true],
    ['As decimals 3/4 = 0.75 and 2/3 ≈ 0.667.\n\n**Answer:** $2/3, 3/4, 7/8$', true],
    ['7/8, 3/4, 2/3', false],
    ['2/3, 7/8', false],
    ['2/3, 3/4, 3/4', false],
  ])('the check of the answer “%s” returns %j', (text, expected) =>
    expect(right('Order 3/4, 7/8 and 2/3 by size.', text)).toBe(expected),
  );
});

describe('Statements in a user’s words', () => {
  const question =
    'Knights tell the truth, knaves lie. Ann says that Bob is a knave. Bob says: "Ann and I are of the same kind." What are they?';
  test.each([
    ['Ann is a knight and Bob is a knave.', true],
    ['Ann: knight\nBob: knave', true],
    ['Knights: Ann\nKnaves: Bob', true],
    ['**Answer:** Bob lies, Ann tells the truth.', true],
    ['Ann and Bob are both knaves.', false],
    ['Ann is a knight.', false],
    ['Suppose Ann is a knave, then Bob is a knight; that fails.\nAnswer: Ann knight, Bob knave', true],
  ])('the check of the answer “%s” returns %j', (text, expected) => expect(right(question, text)).toBe(expected));

  test('rejects a puzzle with a statement that cannot be parsed', () => {
    expect(read('Knights never lie. Ann says: "It rains." Bob says: "Ann is a knave."')).toBeUndefined();
  });

  test('accepts only the answer with the fewest contradictions if there is no solution', () => {
    const paradox = 'Knights never lie. Ann says: "I am a knave." Bob says: "Ann is a knight."';
    expect(right(paradox, 'Ann knight, Bob knight')).toBe(true);
    expect(right(paradox, 'Ann knave, Bob knight')).toBe(false);
  });
});

describe('The coin puzzle in a user’s words', () => {
  const question = 'What is the fewest coins that make 30 from coins of 1, 10 and 25?';
  test.each([
    ['3 × 10 = 30', true],
    ['10 + 10 + 10', true],
    ['Three coins: 3 coins of 10.', true],
    ['**Answer:** $1 × 25 + 5 × 1 = 30$', false],
    ['2 × 15', false],
  ])('the check of the answer “%s” returns %j', (text, expected) => expect(right(question, text)).toBe(expected));

  test('rejects an amount that the coins cannot make', () => {
    expect(read('Make 7 with the fewest coins of 2 and 4.')).toBeUndefined();
  });
});
