import { expect, it } from 'vitest';
import { calibration, firstOverall, type Design } from '../../../fixtures/measurement/calibration';

// `npm run bench -- measure` checks the same figures in thousands of pools.
const DESIGN: Design = { pools: 30, workers: 5, tasksPerDomain: 30, choice: 'adaptive', seed: 'test' };

it('puts the best worker first if its rivals are 10 points worse', () => {
  const { right, of } = firstOverall(DESIGN, 0.1);
  expect(right / of).toBeGreaterThan(0.9);
});

it('states intervals and probabilities that hold', () => {
  const { overall, inDomains, best } = calibration(DESIGN);
  const shares = [overall, inDomains, best].map(({ right, of }) => right / of);
  const [ofOverall = 0, ofDomains = 0, ofBest = 0] = shares;
  expect(ofOverall).toBeGreaterThan(0.85);
  expect(ofOverall).toBeLessThan(0.95);
  expect(ofDomains).toBeGreaterThan(0.86);
  expect(ofDomains).toBeLessThan(0.94);
  expect(ofBest).toBeGreaterThan(0.7);
  expect(ofBest).toBeLessThan(0.97);
});
