/**
 * @file The audit of the training ground: a policy finds whatever holes it has, so workflows without sense must not earn
 * more than what they honestly are worth, whoever the workers are.
 */
import { describe, expect, it } from 'vitest';
import { play, rewardOf, type Item } from '../../../src/core/training/environment';
import { wordSkeleton } from '../../../src/core/conductor/policy';
import { fillByRank, SHAPES } from '../../../src/core/training/templates';
import { SUBTASK } from '../../../src/core/conductor/wording';
import type { Step } from '../../../src/core/contract';
import { items, smallSociety } from './society';

const asked = items(smallSociety('train', 60), 240);
/** One standard deviation of a difference of paired rates over 240 items is at most about this. */
const DEVIATION = 0.035;

type Words = keyof typeof SUBTASK;
type Part = readonly [Words, number, ...number[]];

/** Steps as [words, worker (counted around the pool), …seen]. */
const steps = (parts: readonly Part[], item: Item): Step[] =>
  parts.map(([words, worker, ...access]) => ({
    worker: worker % item.workers.length,
    subtask: SUBTASK[words],
    access,
  }));

function score(...parts: readonly Part[]): { readonly right: number; readonly reward: number } {
  const played = asked.map((item) => play(item, steps(parts, item)));
  const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
  return {
    right: mean(played.map(({ correct }) => Number(correct))),
    reward: mean(played.map(({ correct, calls }) => rewardOf(correct, calls))),
  };
}

const once = score(['solve', 0]);
const planned = score(['plan', 1], ['solve', 0, 0]);

describe('workflows without sense', () => {
  it('that only plan or only check are never right', () => {
    expect(score(['plan', 0], ['plan', 1, 0], ['plan', 2, 0, 1]).right).toBe(0);
    expect(score(['verify', 0]).right).toBe(0);
    expect(score(['verify', 0], ['verify', 1, 0]).right).toBe(0);
    expect(score(['solve', 0], ['verify', 1, 0]).right).toBeLessThan(0.02);
  });

  it('gain nothing by more plans than one', () => {
    const many = score(['plan', 0], ['plan', 1], ['plan', 2], ['plan', 3], ['solve', 0, 0, 1, 2, 3]);
    expect(many.reward).toBeLessThan(planned.reward + DEVIATION / 2);
    expect(many.right).toBeLessThan(planned.right + 2 * DEVIATION);
  });

  it('gain nothing by a check of nothing', () => {
    const unseen = score(['solve', 0], ['verify', 1], ['refine', 0, 0, 1]);
    const plain = score(['solve', 0], ['refine', 0, 0]);
    expect(unseen.right).toBeLessThan(plain.right + DEVIATION);
    expect(score(['verify', 1], ['solve', 0, 0]).right).toBeLessThan(once.right + DEVIATION);
  });

  it('gain nothing by mending, merging or deciding where there is nothing', () => {
    for (const words of ['refine', 'aggregate', 'decide'] as const) {
      expect(score([words, 0]).right, words).toBeLessThan(once.right + DEVIATION);
      const stacked = score([words, 0], [words, 0], [words, 0]);
      expect(stacked.right, words).toBeLessThan(once.right + DEVIATION);
    }
  });

  it('gain little by asking one worker again', () => {
    const again = score(['solve', 0], ['solve', 0], ['solve', 0], ['solve', 0]);
    expect(again.right).toBeLessThan(once.right + 2 * DEVIATION);
    const decided = score(['solve', 0], ['solve', 0], ['solve', 0], ['solve', 0], ['decide', 0, 0, 1, 2, 3]);
    const others = score(['solve', 0], ['solve', 1], ['solve', 2], ['solve', 3], ['decide', 0, 0, 1, 2, 3]);
    expect(decided.right).toBeLessThan(others.right + DEVIATION);
  });
});

describe('workflows with sense', () => {
  it('pay', () => {
    const checked = score(['solve', 0], ['verify', 1, 0], ['refine', 2, 0, 1]);
    expect(checked.right).toBeGreaterThan(once.right + 2 * DEVIATION);
    expect(checked.reward).toBeGreaterThan(once.reward);
  });

  it('pay more where each step goes to who is best at it', () => {
    const [shape = []] = SHAPES.slice(-2);
    const rate = (played: readonly boolean[]) => played.filter(Boolean).length / played.length;
    const ranked = rate(
      asked.map(
        (item) => play(item, wordSkeleton(fillByRank(shape, item.request, item.input.rows), item.input.rows)).correct,
      ),
    );
    const first = rate(
      asked.map((item) => {
        const same = shape.map(([move, ...access]) => ({ row: 0, move, access }));
        return play(item, wordSkeleton(same, item.input.rows)).correct;
      }),
    );
    expect(ranked).toBeGreaterThan(first + DEVIATION);
  });
});
