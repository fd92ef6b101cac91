/** @file The checkpoint that comes with Podium: it is read, it is small, and it has learned something. */
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import checkpoint from '../../../models/policy/checkpoint.json';
import { readCheckpoint } from '../../../src/core/policy';
import { compareOn } from '../../../src/core/training/contenders';
import { items, smallSociety } from './society';

it('is small enough to come with the page', () => {
  // Code and checkpoint together are to stay below 200 kB; the code takes less than a tenth of that.
  expect(gzipSync(JSON.stringify(checkpoint)).length).toBeLessThan(180_000);
});

it('plans far better than chance, for workers that it never met', () => {
  const read = readCheckpoint(checkpoint);
  if (!read) throw new Error('It is no checkpoint of this network.');
  const results = items(smallSociety('held-out'), 150).map((item) => compareOn(item, read.parameters));
  const right = (contender: 'policy' | 'random') => results.filter((each) => each[contender].correct).length / 150;
  expect(right('policy')).toBeGreaterThan(right('random') + 0.12);
});
