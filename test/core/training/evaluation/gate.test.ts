/**
 * @file Tests the gate. The gate decides whether a new policy may replace the policy in use, and states the result in
 * words. The new policy has two rivals: the policy in use and the heuristic. A lead is the new policy's share of
 * right answers minus a rival's share. A point is one percentage point.
 */
import { describe, expect, it } from 'vitest';
import { seededRandom, type HeldOut, type Interval } from '../../../../src/core/contract';
import { initialParameters } from '../../../../src/core/policy/parameters';
import { writeCheckpoint } from '../../../../src/core/policy/checkpoint';
import {
  isCoarse,
  mayBeUsed,
  mayReplace,
  points,
  TRIAL_SCALE,
  trialSeed,
  verdictWords,
} from '../../../../src/core/training/evaluation/gate';
import { readOrder } from '../../../../src/core/training/orders';
import { runTrial, estimate } from '../../../../src/core/training/evaluation/trial';
import { keptPolicy } from '../../../fixtures/kept-policy';

/** @param half half-width of the interval */
const around = (mean: number, half = 0.008): Interval => ({ mean, low: mean - half, high: mean + half });

function heldOut(overInUse: Interval, overHeuristic: Interval, items = TRIAL_SCALE.items): HeldOut {
  const standing = { right: around(0.8), calls: 4.5 };
  return {
    items,
    candidate: standing,
    heuristic: { ...standing, lead: overHeuristic },
    inUse: { ...standing, lead: overInUse, revision: 'before' },
  };
}

describe('the gate', () => {
  it('accepts a policy only if the interval of each lead starts above −1 point', () => {
    expect(mayBeUsed(heldOut(around(0), around(0)))).toBe(true);
    expect(mayBeUsed(heldOut(around(0.01), around(0.05)))).toBe(true);
    expect(mayBeUsed(heldOut(around(-0.001), around(0.05)))).toBe(true);
    expect(mayBeUsed(heldOut(around(-0.003), around(0.05)))).toBe(false);
    expect(mayBeUsed(heldOut(around(0.05), around(-0.003)))).toBe(false);
  });

  it('rejects a policy if the interval of a lead ends below 0, even if the loss is small', () => {
    expect(mayBeUsed(heldOut(around(-0.005, 0.003), around(0.05)))).toBe(false);
    expect(mayBeUsed(heldOut(around(0.05), around(-0.005, 0.003)))).toBe(false);
    expect(mayBeUsed(heldOut({ mean: -0.002, low: -0.004, high: 0 }, around(0.05)))).toBe(true);
  });

  it('rejects a positive lead if its interval starts below −1 point, and calls a comparison with few items coarse', () => {
    expect(mayBeUsed(heldOut(around(0.01, 0.03), around(0.05)))).toBe(false);
    expect(mayBeUsed(heldOut(around(0.04, 0.03), around(0.05)))).toBe(true);
    expect(isCoarse(heldOut(around(0.01, 0.03), around(0.05), 600))).toBe(true);
    expect(isCoarse(heldOut(around(0.01), around(0.05)))).toBe(false);
  });

  /**
   * Simulates 200 comparisons of a policy with the policy in use.
   * @param lead the policy's true lead over the policy in use
   * @param differing share of items that only one of the two policies gets right. After two hundred updates of
   * fine-tuning, it is about 0.07.
   * @returns the share of comparisons in which the policy passes the gate
   */
  function shareThatPasses(lead: number, differing = 0.07): number {
    const random = seededRandom(5);
    const trials = Array.from({ length: 200 }, () => {
      const differences = Array.from({ length: TRIAL_SCALE.items }, () => {
        if (random() > differing) return 0;
        return random() < 0.5 + lead / (2 * differing) ? 1 : -1;
      });
      return mayBeUsed(heldOut(estimate(differences), around(0.05)));
    });
    return trials.filter(Boolean).length / trials.length;
  }

  it('rarely accepts a policy that is a point worse, and rarely rejects a policy that is a point better', () => {
    expect(shareThatPasses(-0.02), 'two points worse').toBe(0);
    expect(shareThatPasses(-0.01), 'worse by the tolerated loss').toBeLessThan(0.06);
    expect(shareThatPasses(0), 'equally good').toBeGreaterThan(0.6);
    expect(shareThatPasses(0.01), 'a point better').toBeGreaterThan(0.97);
  });

  it('accepts under 20 % of slightly worse policies and over 94 % of equal ones if 1 % of answers differ', () => {
    expect(shareThatPasses(-0.005, 0.01), 'half a point worse').toBeLessThan(0.2);
    expect(shareThatPasses(0, 0.01), 'equally good').toBeGreaterThan(0.94);
  });

  // After training from random weights, about 25 % of answers differ.
  it('accepts under 40 % of equally good policies if 25 % of answers differ', () => {
    expect(shareThatPasses(0, 0.25), 'equally good').toBeLessThan(0.4);
    expect(shareThatPasses(0.03, 0.25), 'three points better').toBeGreaterThan(0.97);
    expect(shareThatPasses(-0.01, 0.25), 'worse by the tolerated loss').toBeLessThan(0.06);
  });

  it('rejects a policy whose checks settle wrong answers more often than those of the rules, by more than 2 points', () => {
    const settling = (right: number, repaired = 0, broken = 0) => ({ cutShort: 1_000, right, repaired, broken });
    const good = heldOut(around(0.01), around(0.05));
    const judged = (own: ReturnType<typeof settling>, rules = settling(850)): HeldOut => ({
      ...good,
      candidate: { ...good.candidate, settling: own },
      heuristic: { ...good.heuristic, settling: rules },
    });
    expect(mayBeUsed(judged(settling(831)))).toBe(true);
    expect(mayBeUsed(judged(settling(829)))).toBe(false);
    expect(verdictWords(judged(settling(800)))).toBe(
      'You can’t use this policy: its checks settle answers that are right less often than with the heuristic (−5.0 points).',
    );
    const none = { cutShort: 0, right: 0, repaired: 0, broken: 0 };
    expect(mayBeUsed(judged(none)), 'it settles no answer').toBe(true);
    expect(mayBeUsed(judged(settling(800), none)), 'the rules settle no answer').toBe(true);
    // `repaired` and `broken` are shares of all 4,000 questions here.
    expect(mayBeUsed(judged(settling(850, 60, 20)))).toBe(true);
    expect(mayBeUsed(judged(settling(850, 61, 20)))).toBe(false);
    expect(verdictWords(judged(settling(850, 100, 20)))).toContain(
      'the steps that it skips would have made +2.0 points more answers right',
    );
  });

  it('requires a comparison with the policy that is in use now, unless the new policy was in use before', () => {
    const kept = keptPolicy('1', { heldOut: heldOut(around(0.01), around(0.05)) });
    expect(mayReplace(kept, 'before')).toBe(true);
    expect(mayReplace(kept, 'another')).toBe(false);
    expect(mayReplace({ ...kept, wasUsed: true }, 'another')).toBe(true);
    expect(mayReplace({ ...kept, heldOut: heldOut(around(-0.01), around(0.05)) }, 'before')).toBe(false);
    expect(mayReplace({ ...kept, heldOut: null }, 'before')).toBe(false);
  });

  it('states each lead and its interval in the verdict', () => {
    expect(verdictWords(heldOut(around(0.004), around(0.05)))).toBe(
      'You can use this policy: it does not lose to the policy in use (+0.4 points, 95 % interval from −0.4 to +1.2) and is better than the heuristic (+5.0 points, 95 % interval above 0).',
    );
    expect(verdictWords(heldOut(around(0, 0), around(0.05)))).toContain('is right as often as the policy in use');
    expect(verdictWords(heldOut(around(-0.02), around(0.05)))).toBe(
      'You can’t use this policy: it loses to the policy in use (−2.0 points, 95 % interval below 0).',
    );
    expect(verdictWords(heldOut(around(-0.001), around(0.05)))).toContain(
      'it is less than a point behind the policy in use (−0.1 points, 95 % interval from −0.9 to +0.7) and',
    );
    expect(verdictWords(heldOut(around(-0.005, 0.003), around(0.05)))).toBe(
      'You can’t use this policy: it loses to the policy in use (−0.5 points, 95 % interval below 0).',
    );
    expect(verdictWords(heldOut(around(0.002, 0.02), around(-0.03)))).toBe(
      'You can’t use this policy: it may be a point or more behind the policy in use (+0.2 points, 95 % interval from −1.8 to +2.2), and it loses to the heuristic (−3.0 points, 95 % interval below 0).',
    );
    expect(points(-0.0301)).toBe('−3.0');
  });
});

describe('trialSeed', () => {
  const file = (seed: number, revision: string) =>
    writeCheckpoint(initialParameters({ width: 4 }, seededRandom(seed)), revision);
  const sides = { candidate: file(1, 'a'), inUse: file(2, 'b') };
  const scale = { items: 1, workers: 1, runs: 1, questions: 1 };

  it('depends on the weights, not on the revision, and is a valid seed of a comparison', () => {
    expect(trialSeed(file(1, 'a'))).toBe(trialSeed(file(1, 'b')));
    expect(trialSeed(file(1, 'a'))).not.toBe(trialSeed(file(2, 'a')));
    expect(readOrder({ kind: 'compare', seed: trialSeed(file(1, 'a')), ...sides, scale })).toBeDefined();
  });
});

describe('runTrial', () => {
  const scale = { items: 12, workers: 12, runs: 60, questions: 10 };
  const candidate = initialParameters({ width: 8 }, seededRandom(1));

  function play(seed: number, inUse = candidate): HeldOut {
    const trial = runTrial({ ...scale, seed, candidate, inUse: { parameters: inUse, revision: 'before' } });
    const progress: number[] = [];
    for (;;) {
      const { done, value } = trial.next();
      if (done) {
        expect(progress).toEqual(Array.from({ length: scale.items }, (_, index) => index + 1));
        return value;
      }
      progress.push(value);
    }
  }

  it('compares all policies on the same items, reproducibly', () => {
    const first = play(3);
    expect(first.items).toBe(12);
    expect(first.inUse.lead, 'a policy has no lead over itself').toEqual({ mean: 0, low: 0, high: 0 });
    expect(first.inUse.right).toEqual(first.candidate.right);
    expect(first.heuristic.calls, 'settled steps are skipped').toBeLessThanOrEqual(5);
    expect(first.heuristic.settling?.cutShort).toBeGreaterThan(0);
    expect(first.candidate.settling?.cutShort).toBeLessThanOrEqual(first.items);
    expect(play(3)).toEqual(first);
    const other = play(3, initialParameters({ width: 8 }, seededRandom(2)));
    expect(other.candidate).toEqual(first.candidate);
    expect(other.heuristic).toEqual(first.heuristic);
  });
});
