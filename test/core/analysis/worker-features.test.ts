import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { weighRuns, workerFeatures } from '../../../src/core/analysis/worker-features';
import { ROLES, type GradedRun } from '../../../src/core/contract';
import { gradedRuns } from '../../fixtures/graded-runs';

const SUM = 'What is 17 + 25?';
const PAINTER = 'Who painted the ceiling of the chapel, and for which pope?';
const alder = { id: 'alder' };

const anyHistory: fc.Arbitrary<GradedRun[]> = fc.array(
  fc.record({
    runId: fc.uuid(),
    startedAt: fc.nat(),
    question: fc.constantFrom(SUM, PAINTER, 'What is 3 + 4?', ''),
    right: fc.boolean(),
    played: fc.array(fc.record({ workerId: fc.constantFrom('alder', 'birch'), role: fc.constantFrom(...ROLES) })),
  }),
  { maxLength: 20 },
);

describe('workerFeatures', () => {
  it('returns a rate of 0.5 and a count of 0 for a worker without graded runs', () => {
    const [features] = workerFeatures(gradedRuns('birch', 'solve', 3, 3), [alder], SUM);
    expect(features?.overall).toEqual({ rate: 0.5, count: 0 });
    expect(features?.roles.verify.near).toEqual({ rate: 0.5, count: 0 });
  });

  it('gives a run on the same question the weight 1, and a run on another kind of question almost 0', () => {
    const history = [...gradedRuns('alder', 'solve', 2, 3, SUM), ...gradedRuns('alder', 'solve', 0, 50, PAINTER)];
    const [features] = workerFeatures(history, [alder], SUM);
    expect(features?.roles.solve.overall).toEqual({ rate: 2 / 53, count: 53 });
    expect(features?.roles.solve.near.count).toBeCloseTo(3, 0);
    expect(features?.roles.solve.near.rate).toBeCloseTo(2 / 3, 1);
  });

  it('counts a run once overall and once for each role that the worker had', () => {
    const played = [
      { workerId: 'alder', role: 'solve' as const },
      { workerId: 'alder', role: 'decide' as const },
      { workerId: 'alder', role: 'solve' as const },
    ];
    const [features] = workerFeatures(
      [{ runId: 'one', startedAt: 0, question: SUM, right: true, played }],
      [alder],
      SUM,
    );
    expect(features?.overall.count).toBe(1);
    expect(ROLES.map((role) => features?.roles[role].overall.count)).toEqual([0, 1, 0, 0, 0, 1]);
  });

  it('returns rates from 0 to 1, no count above the overall count, and the same overall values in any run order', () => {
    fc.assert(
      fc.property(anyHistory, fc.string(), (history, question) => {
        const workers = [alder, { id: 'birch' }];
        const found = workerFeatures(history, workers, question);
        expect(found.map(({ workerId }) => workerId)).toEqual(['alder', 'birch']);
        for (const { overall, near, roles } of found) {
          for (const each of [{ overall, near }, ...Object.values(roles)]) {
            for (const { rate } of [each.near, each.overall]) {
              expect(rate).toBeGreaterThanOrEqual(0);
              expect(rate).toBeLessThanOrEqual(1 + 1e-9);
            }
            expect(each.near.count).toBeLessThanOrEqual(each.overall.count + 1e-9);
            expect(each.overall.count).toBeLessThanOrEqual(overall.count);
          }
        }
        expect(workerFeatures([...history].reverse(), workers, question).map((each) => each.overall)).toEqual(
          found.map((each) => each.overall),
        );
      }),
    );
  });

  it('uses the embeddings of a sentence model', () => {
    const vectors = new Map([
      ['Which?', Float32Array.of(0, 1)],
      [SUM, Float32Array.of(0, 1)],
      [PAINTER, Float32Array.of(1, 0)],
    ]);
    const embeddings = { by: 'a model', storedAs: 'model', vectors };
    const history = [...gradedRuns('alder', 'solve', 1, 1, SUM), ...gradedRuns('alder', 'plan', 0, 1, PAINTER)];
    const weights = weighRuns(history, 'Which?', { embeddings }).map(({ weight }) => weight);
    expect(weights[0]).toBeCloseTo(1, 6);
    expect(weights[1]).toBeCloseTo(Math.exp(-1 / 0.15), 6);
    const [features] = workerFeatures(history, [alder], 'Which?', { embeddings });
    expect(features?.near.rate).toBeCloseTo(1 / (1 + Math.exp(-1 / 0.15)), 6);
    // Without the model's embeddings, similarity is based on spelling.
    expect(weighRuns(history, SUM)[0]?.weight).toBeCloseTo(1, 5);
  });

  it('treats a question without an embedding as similar to no other question', () => {
    const embeddings = {
      by: 'a model',
      storedAs: 'model',
      vectors: new Map([[SUM, Float32Array.of(1)]]),
    };
    const [run] = weighRuns(gradedRuns('alder', 'solve', 1, 1, PAINTER), SUM, { embeddings });
    expect(run?.weight).toBeCloseTo(Math.exp(-1 / 0.15), 6);
  });
});
