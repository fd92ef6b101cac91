import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { questionEmbedding, weighRuns, workerFeatures } from '../../../src/core/analysis';
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
  it('is one half by nothing for a worker that no run knows', () => {
    const [features] = workerFeatures(gradedRuns('birch', 'solve', 3, 3), [alder], SUM);
    expect(features?.overall).toEqual({ rate: 0.5, count: 0 });
    expect(features?.roles.verify.near).toEqual({ rate: 0.5, count: 0 });
  });

  it('counts a run on the very question as one, and one on another kind as next to nothing', () => {
    const history = [...gradedRuns('alder', 'solve', 2, 3, SUM), ...gradedRuns('alder', 'solve', 0, 50, PAINTER)];
    const [features] = workerFeatures(history, [alder], SUM);
    expect(features?.roles.solve.overall).toEqual({ rate: 2 / 53, count: 53 });
    expect(features?.roles.solve.near.count).toBeCloseTo(3, 0);
    expect(features?.roles.solve.near.rate).toBeCloseTo(2 / 3, 1);
  });

  it('counts a worker once in a run, over all roles and in each', () => {
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

  it('keeps to its bounds whatever the runs are', () => {
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

  it('places questions by another embedding where one is given, and embeds each run once', () => {
    const asked: string[] = [];
    const byLength = (text: string) => {
      asked.push(text);
      return Float32Array.of(text.length > 30 ? 1 : 0, text.length > 30 ? 0 : 1);
    };
    const history = [...gradedRuns('alder', 'solve', 1, 1, SUM), ...gradedRuns('alder', 'plan', 0, 1, PAINTER)];
    const [first] = workerFeatures(history, [alder], 'Which?', { embed: byLength });
    workerFeatures(history, [alder], 'Which?', { embed: byLength });
    expect(first?.near.rate).toBeCloseTo(1, 2);
    expect(asked).toEqual(['Which?', SUM, PAINTER, 'Which?']);
    // What one embedding said of a run is not taken for another's.
    const [run] = weighRuns(history, SUM, { embed: questionEmbedding });
    expect(run?.weight).toBeCloseTo(1, 5);
  });
});
