/**
 * @file Tests that the training environment has no loopholes. A policy would learn to exploit them,
 * so pointless workflows must not earn more than simpler ones.
 */
import { describe, expect, it } from 'vitest';
import { playRound, trainingReward, type Item } from '../../../../src/core/training/environment/items';
import { wordSkeleton } from '../../../../src/core/conductor/policy';
import { fillByRank, SHAPES } from '../../../../src/core/training/environment/workflow-shapes';
import { SUBTASK } from '../../../../src/core/conductor/wording';
import type { Step } from '../../../../src/core/contract';
import { items, smallSociety } from '../society';

const drawn = items(smallSociety('train', 60), 240);
/**
 * About the largest standard error of a difference between two scores. All scores use the same 240
 * items.
 */
const DEVIATION = 0.035;

type Words = keyof typeof SUBTASK;
type Part = readonly [Words, number, ...number[]];

/**
 * The steps of a workflow. Each part is [wording, worker (modulo the pool size), …visible earlier
 * steps].
 */
const steps = (parts: readonly Part[], item: Item): Step[] =>
  parts.map(([words, worker, ...access]) => ({
    worker: worker % item.workers.length,
    subtask: SUBTASK[words],
    access,
  }));

function score(...parts: readonly Part[]): { readonly right: number; readonly reward: number } {
  const played = drawn.map((item) => playRound(item, steps(parts, item)));
  const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
  return {
    right: mean(played.map(({ correct }) => Number(correct))),
    reward: mean(played.map(({ correct, calls }) => trainingReward(correct, calls))),
  };
}

const once = score(['solve', 0]);
const planned = score(['plan', 1], ['solve', 0, 0]);

describe('pointless workflows', () => {
  it('almost never give a right answer if the last step plans or checks', () => {
    expect(score(['plan', 0], ['plan', 1, 0], ['plan', 2, 0, 1]).right).toBe(0);
    expect(score(['verify', 0]).right).toBe(0);
    expect(score(['verify', 0], ['verify', 1, 0]).right).toBe(0);
    expect(score(['solve', 0], ['verify', 1, 0]).right).toBeLessThan(0.02);
  });

  it('gain nothing from additional planning steps', () => {
    const many = score(['plan', 0], ['plan', 1], ['plan', 2], ['plan', 3], ['solve', 0, 0, 1, 2, 3]);
    expect(many.reward).toBeLessThan(planned.reward + DEVIATION / 2);
    expect(many.right).toBeLessThan(planned.right + 2 * DEVIATION);
  });

  it('gain nothing from a check that sees no answer', () => {
    const unseen = score(['solve', 0], ['verify', 1], ['refine', 0, 0, 1]);
    const plain = score(['solve', 0], ['refine', 0, 0]);
    expect(unseen.right).toBeLessThan(plain.right + DEVIATION);
    expect(score(['verify', 1], ['solve', 0, 0]).right).toBeLessThan(once.right + DEVIATION);
  });

  it('gain nothing from refining, aggregating or deciding without an earlier answer', () => {
    for (const words of ['refine', 'aggregate', 'decide'] as const) {
      expect(score([words, 0]).right, words).toBeLessThan(once.right + DEVIATION);
      const stacked = score([words, 0], [words, 0], [words, 0]);
      expect(stacked.right, words).toBeLessThan(once.right + DEVIATION);
    }
  });

  it('gain little from repeated calls to the same worker', () => {
    const again = score(['solve', 0], ['solve', 0], ['solve', 0], ['solve', 0]);
    expect(again.right).toBeLessThan(once.right + 2 * DEVIATION);
    const decided = score(['solve', 0], ['solve', 0], ['solve', 0], ['solve', 0], ['decide', 0, 0, 1, 2, 3]);
    const others = score(['solve', 0], ['solve', 1], ['solve', 2], ['solve', 3], ['decide', 0, 0, 1, 2, 3]);
    expect(decided.right).toBeLessThan(others.right + DEVIATION);
  });
});

describe('sensible workflows', () => {
  it('that check and refine an answer earn more than a single step', () => {
    const checked = score(['solve', 0], ['verify', 1, 0], ['refine', 2, 0, 1]);
    expect(checked.right).toBeGreaterThan(once.right + 2 * DEVIATION);
    expect(checked.reward).toBeGreaterThan(once.reward);
  });

  it('give more right answers with the best worker for each role than with one worker', () => {
    const [shape = []] = SHAPES.slice(-2);
    const rate = (played: readonly boolean[]) => played.filter(Boolean).length / played.length;
    const ranked = rate(
      drawn.map(
        (item) =>
          playRound(item, wordSkeleton(fillByRank(shape, item.request, item.input.rows), item.input.rows)).correct,
      ),
    );
    const first = rate(
      drawn.map((item) => {
        const same = shape.map(([move, ...access]) => ({ row: 0, move, access }));
        return playRound(item, wordSkeleton(same, item.input.rows)).correct;
      }),
    );
    expect(ranked).toBeGreaterThan(first + DEVIATION);
  });
});
