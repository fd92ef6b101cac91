import { describe, expect, it } from 'vitest';
import { gradedLine } from '../../../../src/app/components/runs/reward-words';
import { runSummary } from '../../run-summaries';

describe('gradedLine', () => {
  it('is empty when nothing is graded', () => {
    expect(gradedLine([])).toBe('');
    expect(gradedLine([runSummary()])).toBe('');
  });

  it('reports form and correctness separately, with steps per workflow beside the mean', () => {
    const summaries = [
      runSummary({ correct: true, reward: 1, steps: 5 }),
      runSummary({ correct: false, reward: 0.5, steps: 8, rounds: 2 }),
      runSummary({ correct: null, reward: 0, steps: 0, rounds: 0 }),
      runSummary({ correct: null, steps: 50 }),
    ];
    expect(gradedLine(summaries)).toBe(
      '3 graded runs: mean reward 0.50, valid plans 67 %, right 33 %, 3.0 steps per workflow.',
    );
  });

  it('warns when nearly all of enough workflows have one step', () => {
    const one = runSummary({ correct: true, reward: 1, steps: 1 });
    expect(gradedLine([one])).not.toMatch(/one step/);
    expect(gradedLine(Array.from({ length: 10 }, () => one))).toMatch(/Nearly all have one step/);
  });
});
