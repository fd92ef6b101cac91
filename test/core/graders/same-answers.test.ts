import { describe, expect, it } from 'vitest';
import { sameAnswers } from '../../../src/core/graders/same-answers';

describe('two answers', () => {
  it.each([
    ['the same number', 'So it is 0.5.\n\n**Answer:** $0.5$', '**Answer:** $\\frac{1}{2}$'],
    ['an equation that names its symbol', '**Answer:** $x = 0.5$', '**Answer:** $x = 1/2$'],
    ['the same list', '**Answer:** 1/2, 3', '**Answer:** $0.5, 3$'],
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
    ['calculations', '**Answer:** $3 × 17 + 4 × 1 = 55$', '**Answer:** $2 × 17 + 2 × 10 + 1 × 1 = 55$'],
  ])('don’t agree if they are different %s of the same value', (_what, one, other) => {
    expect(sameAnswers(one, other)).not.toBe(true);
  });

  it('can’t be compared if one is prose', () => {
    expect(sameAnswers('The sea is blue.\nSo is the sky.', '**Answer:** 5')).toBeNull();
  });
});
