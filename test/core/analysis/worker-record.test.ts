import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OTHER_DOMAIN, OVERALL_RUNS, PRIOR_RUNS, workerRecords } from '../../../src/core/analysis/worker-record';
import { DOMAINS, ROLES, type GradedRun, type PoolWorker } from '../../../src/core/contract';
import { gradedRuns } from '../../fixtures/graded-runs';
import { published, worker } from '../conductor/requests';

const MATHS = 'What is 17 * 23?';
const CODE = 'Why does my SQL query return nothing?';
const POEM = 'Write a short poem about autumn.';
const graded = (right: number, count: number, question: string, role: 'solve' | 'verify' = 'solve') =>
  gradedRuns('alder', role, right, count, question);

function workerRecord(of: PoolWorker, history: readonly GradedRun[], question: string) {
  const [record] = workerRecords([of], history, question);
  if (!record) throw new RangeError('There is no record.');
  return record;
}

describe('the record of a worker', () => {
  it('keeps published, declared and measured values separate', () => {
    const both = published(0, 'gpt-5', { domains: { maths: 0.9 }, strengths: { verify: 0.2 } });
    const record = workerRecord(both, [...graded(8, 9, MATHS), ...graded(1, 3, CODE)], MATHS);
    expect(record.published).toMatchObject({ family: 'gpt-5', domains: { maths: { score: 60.56 } } });
    expect(record.declared).toEqual({ domains: { maths: 0.9 }, strengths: { verify: 0.2 } });
    expect(record.measured.overall).toEqual({ rate: 9 / 12, count: 12 });
    expect(record.inDomain('maths')).toEqual({ right: 8, runs: 9 });
    expect(record.inDomain('code')).toEqual({ right: 1, runs: 3 });
    expect(record.inDomain('maths', 'verify')).toEqual({ right: 0, runs: 0 });
  });

  it('has no values and an expected rate of 0.5 for an unknown worker', () => {
    const record = workerRecord(worker(0), [], MATHS);
    expect(record).toMatchObject({ published: null, declared: {}, domainPrior: null, hasPrior: false });
    expect(record.expect('solve')).toEqual({ prior: 0.5, overall: 0.5, near: 0.5 });
  });
});

describe('the prior', () => {
  it('is the declared strength in the question’s domain, or the published ability if none is declared', () => {
    const known = published(0, 'gpt-5', { domains: { code: 0.3 } });
    expect(workerRecord(known, [], CODE).domainPrior).toEqual({ by: 'declared', ability: 0.3 });
    const ability = known.published?.domains.maths?.ability;
    expect(workerRecord(known, [], MATHS).domainPrior).toEqual({ by: 'published', ability });
  });

  it('is the mean of the other domains if nothing is known about the question’s domain', () => {
    const known = worker(0, { domains: { maths: 0.9, code: 0.5 } });
    expect(workerRecord(known, [], POEM).domainPrior).toEqual({ by: 'declared', ability: 0.7 });
    const abilities = Object.values(published(0, 'gpt-5').published?.domains ?? {}).map(({ ability }) => ability);
    const mean = abilities.reduce((sum, each) => sum + each, 0) / abilities.length;
    expect(workerRecord(published(0, 'gpt-5'), [], POEM).domainPrior?.ability).toBeCloseTo(mean);
  });

  it('is the geometric mean of the domain and role strengths if both are declared', () => {
    const known = worker(0, { domains: { maths: 0.9 }, strengths: { verify: 0.4 } });
    const record = workerRecord(known, [], MATHS);
    expect(record.expect('verify').prior).toBeCloseTo(0.6);
    expect(record.expect('solve').prior).toBeCloseTo(0.9);
  });
});

describe('the estimate from prior and graded runs', () => {
  it('weights the prior like four graded runs, and the overall rate like two runs on the same question', () => {
    const known = worker(0, { domains: { maths: 0.8 } });
    const { prior, overall, near } = workerRecord(known, graded(0, 4, MATHS), MATHS).expect('solve');
    expect(prior).toBe(0.8);
    expect(overall).toBeCloseTo((PRIOR_RUNS * 0.8) / (4 + PRIOR_RUNS));
    expect(near).toBeCloseTo((OVERALL_RUNS * overall) / (4 + OVERALL_RUNS));
  });

  it('counts a run in another domain as a quarter of a run', () => {
    const known = worker(0, { domains: { maths: 0.8 } });
    const { overall } = workerRecord(known, graded(0, 8, CODE), MATHS).expect('solve');
    expect(overall).toBeCloseTo((PRIOR_RUNS * 0.8) / (8 * OTHER_DOMAIN + PRIOR_RUNS));
  });

  it('moves from the prior to the measured rate as more runs are graded', () => {
    const known = published(0, 'gpt-5');
    const after = (count: number) => workerRecord(known, graded(0, count, MATHS), MATHS).expect('solve').near;
    const expected = [0, 1, 4, 16, 64].map(after);
    expect(expected).toEqual(expected.toSorted((one, other) => other - one));
    expect(expected.at(-1)).toBeLessThan(0.02);
  });

  it('weights runs in all domains equally if nothing is known about the worker’s domains', () => {
    const plain = worker(0, { strengths: { solve: 0.8 } });
    const { overall } = workerRecord(plain, [...graded(0, 4, CODE), ...graded(4, 4, MATHS)], MATHS).expect('solve');
    expect(overall).toBeCloseTo((4 + PRIOR_RUNS * 0.8) / (8 + PRIOR_RUNS));
  });

  it('stays between 0 and 1, and does not decrease when a wrong last run becomes right', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const run = fc.record({
      right: fc.boolean(),
      question: fc.constantFrom(MATHS, CODE, POEM),
      role: fc.constantFrom(...ROLES),
    });
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...DOMAINS), share), fc.array(run), run, (domains, runs, next) => {
        const history = [...runs, next].map(({ right, question, role }, index): GradedRun => {
          return { runId: `${index}`, startedAt: index, question, right, played: [{ workerId: 'alder', role }] };
        });
        const last = history.at(-1);
        if (!last) return;
        const withLast = (right: boolean) =>
          workerRecord(worker(0, { domains }), [...history.slice(0, -1), { ...last, right }], MATHS).expect('solve')
            .near;
        expect(withLast(false)).toBeGreaterThanOrEqual(0);
        expect(withLast(true)).toBeLessThanOrEqual(1);
        expect(withLast(true)).toBeGreaterThanOrEqual(withLast(false));
      }),
    );
  });

  it('does not depend on the other workers in the pool', () => {
    const members = [published(0, 'gpt-5'), worker(1)];
    const history = [...graded(2, 5, CODE), ...gradedRuns('birch', 'solve', 1, 2)];
    const together = workerRecords(members, history, CODE).map((record) => record.expect('decide'));
    expect(together).toEqual(members.map((each) => workerRecord(each, history, CODE).expect('decide')));
  });
});
