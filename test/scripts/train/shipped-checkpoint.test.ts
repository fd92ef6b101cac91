/** @file Tests that the shipped checkpoint, which contains the weights of the policy, is small and plans well. */
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import checkpoint from '../../../models/policy/checkpoint.json';
import { readCheckpoint } from '../../../src/core/policy/checkpoint';
import { compareOn } from '../../../scripts/train/contenders';
import { items, smallSociety } from '../../core/training/society';

it('the shipped checkpoint takes less than 180 kB gzipped', () => {
  // The policy's code and checkpoint together must take less than 200 kB. The code takes less than 20 kB.
  expect(gzipSync(JSON.stringify(checkpoint)).length).toBeLessThan(180_000);
});

it('the checkpoint beats random plans by over 12 percentage points with unseen workers', () => {
  const read = readCheckpoint(checkpoint);
  if (!read) throw new Error('The file is not a checkpoint of this network.');
  const results = items(smallSociety('held-out'), 150).map((item) => compareOn(item, read.parameters));
  const right = (contender: 'policy' | 'random') => results.filter((each) => each[contender].correct).length / 150;
  expect(right('policy')).toBeGreaterThan(right('random') + 0.12);
});
