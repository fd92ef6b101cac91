import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gradedAnswers, scoreOf, standardError } from '../../../../src/core/evaluation/statistics/score';
import { wilsonInterval } from '../../../../src/core/analysis/statistics/interval';
import { outcome } from '../../../fixtures/evaluation/batches';

/** The outcomes of one repeat, one character for each task. `1`: correct. `0`: wrong. `-`: failed. */
function repeat(text: string, index = 0) {
  const correct = { '1': true, '0': false };
  return [...text].map((letter, task) =>
    outcome(correct[letter as '0' | '1'] ?? null, { taskId: `t${task}`, repeat: index }),
  );
}
const score = (...repeats: readonly string[]) => scoreOf(gradedAnswers(repeats.flatMap(repeat), 'strict'));

describe('the score', () => {
  it('has the standard error over tasks if there is one repeat', () => {
    // The squared standard error is the variance of the four answers, 0.25 · 4/3, divided by 4.
    expect(score('1100')).toEqual({
      mean: 0.5,
      error: expect.closeTo(Math.sqrt(1 / 12), 12),
      errorOver: 'tasks',
      repeats: 1,
      tasks: 4,
      graded: 4,
    });
  });

  it('is the mean over the repeats, with the standard error over repeats, if there are several', () => {
    // The repeats score 0.5, 0.75 and 1. The squared standard error is their variance, 0.0625, divided by 3.
    expect(score('1100', '1110', '1111')).toEqual({
      mean: 0.75,
      error: expect.closeTo(0.25 / Math.sqrt(3), 12),
      errorOver: 'repeats',
      repeats: 3,
      tasks: 4,
      graded: 12,
    });
  });

  it('has the standard error over repeats if there are only two repeats', () => {
    // The repeats score 0.5 and 1. The squared standard error is their variance, 0.125, divided by 2.
    expect(score('1100', '1111')).toMatchObject({ mean: 0.75, error: expect.closeTo(0.25, 12), errorOver: 'repeats' });
  });

  it('leaves out failed outcomes instead of counting them as wrong', () => {
    expect(score('11--')).toMatchObject({ mean: 1, graded: 2, tasks: 2 });
    expect(score('----')).toBeNull();
  });

  it('has no standard error for a single task', () => {
    expect(score('1')).toMatchObject({ mean: 1, error: null });
  });

  it('is null for a grading profile (a set of rules) under which no outcome has a verdict', () => {
    expect(scoreOf(gradedAnswers(repeat('11'), 'paper-artefact'))).toBeNull();
  });

  it('has the same standard error as `standardError` if there is one repeat', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 2, maxLength: 60 }), (answers) => {
        const text = answers.map((correct) => (correct ? '1' : '0')).join('');
        expect(score(text)?.error).toBeCloseTo(standardError(answers.map(Number)) ?? NaN, 10);
      }),
    );
  });
});

describe('the Wilson interval', () => {
  it.each([
    // Computed with another program from Wilson’s formula.
    [8, 10, 0.4901624715, 0.9433178485],
    [0, 10, 0, 0.2775327999],
    [10, 10, 0.7224672001, 1],
    [50, 100, 0.4038315266, 0.5961684734],
  ])('matches Wilson’s formula for %i of %i', (count, of, low, high) => {
    const interval = wilsonInterval(count, of);
    expect(interval?.mean).toBe(count / of);
    expect(interval?.low).toBeCloseTo(low, 8);
    expect(interval?.high).toBeCloseTo(high, 8);
  });

  it('contains the share of right answers and stays between 0 and 1, or is null without answers', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.nat(1000), (one, more) => {
        const interval = wilsonInterval(one, one + more);
        if (one + more === 0) {
          expect(interval).toBeNull();
          return;
        }
        const { low = NaN, mean = NaN, high = NaN } = interval ?? {};
        expect(0 <= low && low <= mean && mean <= high && high <= 1).toBe(true);
      }),
      { examples: [[0, 0]] },
    );
  });
});
