/** @file The gate: who may take the place of the policy in use, and in which words it is said. */
import { describe, expect, it } from 'vitest';
import { seededRandom, type HeldOut, type Interval } from '../../../src/core/contract';
import { initialParameters, writeCheckpoint } from '../../../src/core/policy';
import { mayBeUsed, mayReplace, points, trialSeed, verdictWords } from '../../../src/core/training/gate';
import { readOrder } from '../../../src/core/training/orders';
import { runTrial } from '../../../src/core/training/trial';
import { keptPolicy } from '../../fixtures/kept-policy';

const around = (mean: number, half = 0.03): Interval => ({ mean, low: mean - half, high: mean + half });

function heldOut(overInUse: Interval, overHeuristic: Interval): HeldOut {
  const standing = { right: around(0.8), calls: 4.5 };
  return {
    items: 600,
    candidate: standing,
    heuristic: { ...standing, lead: overHeuristic },
    inUse: { ...standing, lead: overInUse, revision: 'before' },
  };
}

describe('the gate', () => {
  it('opens for who loses to neither', () => {
    expect(mayBeUsed(heldOut(around(0), around(0)))).toBe(true);
    expect(mayBeUsed(heldOut(around(0.01), around(0.05)))).toBe(true);
    expect(mayBeUsed(heldOut(around(-0.002), around(0.05)))).toBe(false);
    expect(mayBeUsed(heldOut(around(0.05), around(-0.002)))).toBe(false);
  });

  it('asks for a comparison with the very policy in use, but lets anyone be gone back to', () => {
    const kept = keptPolicy('1', { heldOut: heldOut(around(0.01), around(0.05)) });
    expect(mayReplace(kept, 'before')).toBe(true);
    expect(mayReplace(kept, 'another')).toBe(false);
    expect(mayReplace({ ...kept, wasUsed: true }, 'another')).toBe(true);
    expect(mayReplace({ ...kept, heldOut: heldOut(around(-0.01), around(0.05)) }, 'before')).toBe(false);
    expect(mayReplace({ ...kept, heldOut: null }, 'before')).toBe(false);
  });

  it('says why in words that do not claim what is not certain', () => {
    expect(verdictWords(heldOut(around(0.01), around(0.05)))).toBe(
      'It may be used: it does not lose to the policy in use (+1.0 points, its 95 % interval reaches below 0) and is better than the heuristic (+5.0 points, its 95 % interval above 0).',
    );
    expect(verdictWords(heldOut(around(0), around(0.05)))).toContain('is right as often as the policy in use');
    expect(verdictWords(heldOut(around(-0.02), around(0.05)))).toBe(
      'It may not be used: on these items it is right less often than the policy in use (−2.0 points).',
    );
    expect(verdictWords(heldOut(around(-0.02), around(-0.01)))).toContain(
      'the policy in use (−2.0 points) and the heuristic (−1.0 points)',
    );
    expect(points(-0.0301)).toBe('−3.0');
  });
});

describe('the seed of a trial', () => {
  const file = (seed: number, revision: string) =>
    writeCheckpoint(initialParameters({ width: 4 }, seededRandom(seed)), revision);
  const sides = { candidate: file(1, 'a'), inUse: file(2, 'b') };
  const scale = { items: 1, workers: 1, runs: 1, questions: 1 };

  it('is that of the weights: whoever imports them again, under any name, meets the same items', () => {
    expect(trialSeed(file(1, 'a'))).toBe(trialSeed(file(1, 'b')));
    expect(trialSeed(file(1, 'a'))).not.toBe(trialSeed(file(2, 'a')));
    expect(readOrder({ kind: 'compare', seed: trialSeed(file(1, 'a')), ...sides, scale })).toBeDefined();
  });
});

describe('a trial', () => {
  const scale = { items: 12, workers: 12, runs: 60, questions: 10 };
  const candidate = initialParameters({ width: 8 }, seededRandom(1));

  function play(seed: number, inUse = candidate): HeldOut {
    const trial = runTrial({ ...scale, seed, candidate, inUse: { parameters: inUse, revision: 'before' } });
    const heard: number[] = [];
    for (;;) {
      const { done, value } = trial.next();
      if (done) {
        expect(heard).toEqual(Array.from({ length: scale.items }, (_, index) => index + 1));
        return value;
      }
      heard.push(value);
    }
  }

  it('plays all on the same items, the same again from the same seed', () => {
    const first = play(3);
    expect(first.items).toBe(12);
    expect(first.inUse.lead, 'a policy does not lead itself').toEqual({ mean: 0, low: 0, high: 0 });
    expect(first.inUse.right).toEqual(first.candidate.right);
    expect(first.heuristic.calls).toBe(5);
    expect(play(3)).toEqual(first);
    const other = play(3, initialParameters({ width: 8 }, seededRandom(2)));
    expect(other.candidate).toEqual(first.candidate);
    expect(other.heuristic).toEqual(first.heuristic);
  });
});
