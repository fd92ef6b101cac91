/** @file Tests that the shipped checkpoint, which contains the weights of the policy, is small and plans well. */
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import checkpoint from '../../../models/policy/checkpoint.json';
import { readCheckpoint, SHORT_STEPS, STEPS, weightsFor } from '../../../src/core/policy';
import { compareOn } from '../../../scripts/train/contenders';
import { items, smallSociety } from '../../core/training/society';

it('the shipped checkpoint takes less than 300 kB gzipped', () => {
  // It has two sets of weights, and is loaded when the policy plans for the first time.
  expect(gzipSync(JSON.stringify(checkpoint)).length).toBeLessThan(300_000);
});

it.each([STEPS, SHORT_STEPS])('beats random plans by over 12 points with unseen workers and %i steps', (maxSteps) => {
  const read = readCheckpoint(checkpoint);
  if (!read) throw new Error('The file is not a checkpoint of this network.');
  const results = items({ ...smallSociety('held-out'), maxSteps }, 150).map((item) =>
    compareOn(item, weightsFor(read, item.input.limits)),
  );
  const right = (contender: 'policy' | 'random') => results.filter((each) => each[contender].correct).length / 150;
  expect(right('policy')).toBeGreaterThan(right('random') + 0.12);
});
