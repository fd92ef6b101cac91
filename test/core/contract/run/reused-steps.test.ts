import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forkedSteps, reusedSteps, type Step } from '../../../../src/core/contract';
import { scriptedRun } from '../../../app/scripted-runs';
import { poolWorker, step } from '../../../fixtures/run-events';

const pool = [poolWorker(0), poolWorker(1), poolWorker(2)];

/** A finished run of these steps. */
function finishedRun(steps: readonly Step[]) {
  const played = steps.map((each, index) => ({
    ...each,
    start: 100 + index,
    end: 101 + index,
    first: 100 + index,
    output: `Output ${index}`,
  }));
  return scriptedRun({ pool, rounds: [{ steps: played }], end: 'finished' });
}

const run = finishedRun([step(0, 'a'), step(1, 'b'), step(2, 'c', [0]), step(0, 'd', [1]), step(1, 'e', [2, 3])]);
const workflow = run.rounds[0]?.plan?.workflow ?? { steps: [] };
const calledBy = (base: Parameters<typeof forkedSteps>[1], edited = workflow) =>
  forkedSteps(run, base, edited, pool).flatMap((each, index) =>
    each.kind === 'called' ? [`${index} ${each.because}`] : [],
  );

describe('a fork', () => {
  it('calls the forked step and every step that depends on it, but no other step', () => {
    expect(calledBy({ round: 0, step: 0 })).toEqual(['0 again', '2 sees-called', '4 sees-called']);
    expect(calledBy({ round: 0, step: 1 })).toEqual(['1 again', '3 sees-called', '4 sees-called']);
    expect(calledBy({ round: 0, step: 4 })).toEqual(['4 again']);
  });

  it('calls only the selected steps and their dependents, or no step if none is selected', () => {
    expect(calledBy({ round: 0, step: 0, again: [3, 2] })).toEqual(['2 again', '3 again', '4 sees-called']);
    expect(calledBy({ round: 0, step: 0, again: [] })).toEqual([]);
  });

  it('calls a step whose worker, subtask or access changed', () => {
    const steps = [...workflow.steps];
    steps[1] = step(2, 'b');
    steps[2] = step(2, 'c', [0, 1]);
    expect(calledBy({ round: 0, step: 0, again: [] }, { steps })).toEqual([
      '1 changed',
      '2 changed',
      '3 sees-called',
      '4 sees-called',
    ]);
    expect(calledBy({ round: 0, step: 0, again: [] }, { steps: [step(0, 'A'), ...workflow.steps.slice(1)] })).toEqual([
      '0 changed',
      '2 sees-called',
      '4 sees-called',
    ]);
  });

  it('reuses a moved step if its original index is known', () => {
    const steps = [step(1, 'b'), step(2, 'new', [0]), step(0, 'd', [0]), step(0, 'a')];
    const origins = [1, null, 3, 0];
    expect(calledBy({ round: 0, step: 0, again: [], origins }, { steps })).toEqual(['1 added']);
    const reused = reusedSteps(run, { round: 0, step: 0, again: [], origins }, { steps }, pool);
    expect([...reused].map(([index, from]) => [index, from.output])).toEqual([
      [0, 'Output 1'],
      [2, 'Output 3'],
      [3, 'Output 0'],
    ]);
  });

  it('calls a step if an index in its access list now belongs to another step', () => {
    const steps = [step(1, 'b'), step(0, 'a'), step(2, 'c', [0])];
    const origins = [1, 0, 2];
    expect(calledBy({ round: 0, step: 0, again: [], origins }, { steps })).toEqual(['2 changed']);
  });

  it('calls a step that has no output in the original run', () => {
    const failed = scriptedRun({
      pool,
      rounds: [{ steps: [{ worker: 0, subtask: 'a', start: 100 }] }],
    });
    const plan = { steps: [step(0, 'a')] };
    expect(forkedSteps(failed, { round: 0, step: 0, again: [] }, plan, pool)).toEqual([
      { kind: 'called', because: 'no-output', callsSeen: [] },
    ]);
  });

  it('calls exactly the changed or selected steps and their dependents in any workflow', () => {
    const anySteps = fc.array(fc.record({ worker: fc.nat(2), sees: fc.array(fc.boolean(), { maxLength: 8 }) }), {
      minLength: 1,
      maxLength: 8,
    });
    const anyEdit = fc.record({ at: fc.nat(7), what: fc.constantFrom('worker', 'subtask', 'access', 'again') });
    fc.assert(
      fc.property(anySteps, fc.array(anyEdit, { maxLength: 3 }), (drawn, edits) => {
        const steps = drawn.map(({ worker, sees }, index) =>
          step(
            worker,
            `subtask ${index}`,
            [...Array(index).keys()].filter((seen) => sees[seen]),
          ),
        );
        const touched = new Set<number>();
        const again: number[] = [];
        const edited = steps.map((each, index): Step => {
          const here = edits.filter(({ at }) => at === index).map(({ what }) => what);
          const hasAccess = here.includes('access') && index > 0;
          if (here.includes('again')) again.push(index);
          if (here.some((what) => what !== 'access') || hasAccess) touched.add(index);
          return {
            worker: here.includes('worker') ? (each.worker + 1) % 3 : each.worker,
            subtask: here.includes('subtask') ? `${each.subtask}, otherwise` : each.subtask,
            access: hasAccess ? (each.access.length > 0 ? [] : [0]) : each.access,
          };
        });
        const result = forkedSteps(finishedRun(steps), { round: 0, step: 0, again }, { steps: edited }, pool);
        /** Whether a step is changed or selected, or sees such a step directly or through other steps. */
        const reaches = (index: number): boolean =>
          touched.has(index) || (edited[index]?.access ?? []).some((seen) => reaches(seen));
        expect(result.map(({ kind }) => kind)).toEqual(
          edited.map((_, index) => (reaches(index) ? 'called' : 'reused')),
        );
      }),
    );
  });
});
