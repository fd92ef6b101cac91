import { describe, expect, it } from 'vitest';
import { sameAnswers } from '../../../src/core/graders/same-answers';

describe('two answers', () => {
  it.each([
    ['the same number', 'So it is 0.5.\n\n**Answer:** $0.5$', '**Answer:** $\\frac{1}{2}$'],
    ['an equation that names its symbol', '**Answer:** $x = 0.5$', '**Answer:** $x = 1/2$'],
    ['the same list', '**Answer:** 1/2, 3', '**Answer:** $0.5, 3$'],
    [
      'the same list of words, whatever else they say',
      'Each of the 6 fits.\n\n**Answer:** Ada knave, Ben knave, Cleo knave, Dan knave, Eve knave, Finn knight',
      'I keep the answer of step 3.\n\n**Answer:** Ada knave, Ben knave, Cleo knave, Dan knave, Eve knave, Finn knight',
    ],
    ['a sentence with commas and a number', '**Answer:** 12, because a, b, c and d are even', '**Answer:** 12'],
    ['a result with and without its calculation', '**Answer:** $3 × 17 + 4 × 1 = 55$', '**Answer:** 55'],
    ['the same calculation', '**Answer:** $3 × 17 + 4 × 1 = 55$', 'It is so.\n\n**Answer:** $3 × 17 + 4 × 1 = 55$'],
  ])('agree if they state %s', (_what, one, other) => {
    expect(sameAnswers(one, other)).toBe(true);
  });

  it('disagree if their values differ', () => {
    expect(sameAnswers('**Answer:** 4', '**Answer:** 5')).toBe(false);
    expect(sameAnswers('**Answer:** 1, 2', '**Answer:** 1, 3')).toBe(false);
  });

  it.each([
    ['lists of numbers', '**Answer:** $2/17, 5/13, 4/10$', '**Answer:** $2/17, 4/10, 5/13$'],
    ['lists of words', '**Answer:** Ada, Ben, Cleo', '**Answer:** Ben, Ada, Cleo'],
    ['lists of dates', '**Answer:** 2 May 1806, 3 June 1807', '**Answer:** 3 June 1807, 2 May 1806'],
    [
      'long lists of dates',
      'I compared 22 pairs.\n\n**Answer:** 21 January 1800, 5 December 1800, 24 July 1805, 21 June 1810, 27 May 1819',
      'I compared 11 pairs.\n\n**Answer:** 5 December 1800, 21 January 1800, 24 July 1805, 21 June 1810, 27 May 1819',
    ],
    [
      'long lists of words',
      'Each of the 6 fits.\n\n**Answer:** Ada knave, Ben knave, Cleo knave, Dan knight, Eve knave, Finn knight',
      'Each of the 6 fits.\n\n**Answer:** Ada knave, Ben knave, Cleo knave, Dan knave, Eve knight, Finn knight',
    ],
    ['calculations', '**Answer:** $3 × 17 + 4 × 1 = 55$', '**Answer:** $2 × 17 + 2 × 10 + 1 × 1 = 55$'],
  ])('don’t agree if they are different %s of the same value', (_what, one, other) => {
    expect(sameAnswers(one, other)).not.toBe(true);
  });

  it('can’t be compared if one is prose', () => {
    expect(sameAnswers('The sea is blue.\nSo is the sky.', '**Answer:** 5')).toBeNull();
  });
});
