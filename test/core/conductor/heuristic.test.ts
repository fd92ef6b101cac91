import { describe, expect, it } from 'vitest';
import { createHeuristicConductor } from '../../../src/core/conductor/heuristic';
import { abortError, type PlanRequest, type PoolWorker } from '../../../src/core/contract';
import { gradedRuns } from '../../fixtures/graded-runs';
import { ending, pool, proposed, published, request, worker, workflowOf } from './requests';

const WEAK = { solve: 0.2, verify: 0.2, refine: 0.2, decide: 0.2 };
const strong = (index: number, role: string): PoolWorker => worker(index, { strengths: { ...WEAK, [role]: 0.9 } });
const specialists = [strong(0, 'decide'), strong(1, 'solve'), strong(2, 'verify'), strong(3, 'refine')];

describe('the built-in Conductor', () => {
  const conductor = createHeuristicConductor();

  it('plans attempts by the two best solvers, then a check, a repair and a decision by the best worker for each', async () => {
    const { steps } = await workflowOf(conductor, request({ pool: specialists }));
    expect(steps.map(({ role, worker, access }) => [role, worker, access])).toEqual([
      ['solve', 1, []],
      ['solve', 0, []],
      ['verify', 2, [0, 1]],
      ['refine', 3, [0, 1, 2]],
      ['decide', 0, [2, 3]],
    ]);
    expect(steps.map((step) => step.subtask.split(' ')[0])).toEqual(['Solve', 'Solve', 'Check', 'Mend', 'Decide']);
  });

  it('lets another worker check an answer, unless all others are much worse', async () => {
    const verify = (strength: number) => ({ ...WEAK, verify: strength });
    const checkers = async (...strengths: number[]) => {
      const members = strengths.map((strength, index) =>
        worker(index, { strengths: { ...verify(strength), solve: index === 0 ? 0.9 : 0.1 } }),
      );
      const { steps } = await workflowOf(conductor, request({ pool: members, effort: 'balanced', maxSteps: 3 }));
      return steps.map((step) => step.worker);
    };
    expect(await checkers(0.9, 0.8, 0.7)).toEqual([0, 1, 0]);
    expect(await checkers(0.9, 0.7, 0.6)).toEqual([0, 0, 0]);
    expect(await checkers(0.9)).toEqual([0, 0, 0]);
  });

  it('avoids a worker for a role in which its graded runs are wrong, despite a high declared strength', async () => {
    const history = gradedRuns('birch', 'solve', 0, 50);
    const { steps } = await workflowOf(conductor, request({ pool: specialists, history }));
    expect(steps.slice(0, 2).map((step) => step.worker)).not.toContain(1);
  });

  it('claims only what is known about the chosen workers: grades, published results, declared strengths or nothing', async () => {
    const thoughtOf = async (members: readonly PoolWorker[], more: Partial<PlanRequest> = {}) =>
      ending(await proposed(conductor, request({ pool: members, ...more })), 'plan-finished').thought;
    const low = worker(1, { strengths: { ...WEAK } });
    expect(await thoughtOf(pool(2))).toMatch(/^Nothing is known about these workers yet/);
    expect(await thoughtOf(specialists)).toMatch(/highest declared strength/);
    expect(await thoughtOf([published(0, 'gpt-5'), published(1, 'gemini-2.5-pro')])).toMatch(/published benchmark/);
    const mixed = /^Each step goes to the worker that is expected to do best/;
    expect(await thoughtOf([worker(0), low])).toMatch(mixed);
    expect(await thoughtOf([worker(0), worker(1, { strengths: { solve: 0.9 } })])).toMatch(mixed);
    expect(await thoughtOf(pool(2), { history: gradedRuns('alder', 'solve', 0, 9) })).toMatch(mixed);
  });

  it('gives the reason for each step’s worker, and the graded runs that counted most', async () => {
    const question = 'What is 2 + 2?';
    const history = [
      ...gradedRuns('birch', 'solve', 3, 4, question),
      ...gradedRuns('birch', 'verify', 1, 1, 'Who painted the ceiling of the chapel, and for which pope?'),
    ];
    const events = await proposed(conductor, request({ pool: specialists, history, question }));
    const { choices, workflow } = ending(events, 'plan-finished');
    expect(choices).toHaveLength(workflow.steps.length);
    expect(choices?.[0]).toMatchObject({ basis: 'history', graded: 4, right: 3, inRole: true });
    expect(choices?.[0]?.runs.map(({ runId }) => runId)).toEqual(['birch-solve-3', 'birch-solve-2', 'birch-solve-1']);
    expect(choices?.[0]?.expected).toBeGreaterThan(0.7);
    // No graded run has the role *decide*, so the declared strength counts.
    expect(choices?.[4]).toMatchObject({ basis: 'strength', expected: 0.9, graded: 0, runs: [] });
  });

  it('compares questions by a sentence model’s embeddings if there are any, and names the model', async () => {
    const question = 'What is 2 + 2?';
    // By spelling, the question is similar to 'What is 2 + 3?'. By meaning, it is similar to 'Give the total of two pairs.'
    const history = [
      ...gradedRuns('birch', 'solve', 6, 6, 'What is 2 + 3?'),
      ...gradedRuns('alder', 'solve', 6, 6, 'Give the total of two pairs.'),
      ...gradedRuns('alder', 'solve', 0, 6, 'What is 2 + 3?'),
      ...gradedRuns('birch', 'solve', 0, 6, 'Give the total of two pairs.'),
    ];
    const vectors = new Map([
      [question, Float32Array.of(0, 1)],
      ['What is 2 + 3?', Float32Array.of(1, 0)],
      ['Give the total of two pairs.', Float32Array.of(0, 1)],
    ]);
    const plain = ['alder', 'birch'].map((id, index) => worker(index, { id }));
    const requested = request({ pool: plain, history, question });
    const first = async (more: Partial<PlanRequest>) => {
      const { choices, workflow } = ending(await proposed(conductor, { ...requested, ...more }), 'plan-finished');
      return { worker: requested.pool[workflow.steps[0]?.worker ?? -1]?.id, nearBy: choices?.[0]?.nearBy };
    };
    expect(await first({})).toEqual({ worker: 'birch', nearBy: undefined });
    const embeddings = { by: 'a model', storedAs: 'model', vectors };
    expect(await first({ embeddings })).toEqual({ worker: 'alder', nearBy: 'a model' });
  });

  it('gives the order of the pool as the reason when nothing is known about the workers', async () => {
    const events = await proposed(conductor, request({ pool: pool(2) }));
    expect(ending(events, 'plan-finished').choices?.map(({ basis }) => basis)).toEqual(Array(5).fill('order'));
  });

  it('gives all steps to the only worker of a pool', async () => {
    const { steps } = await workflowOf(conductor, request({ pool: pool(1) }));
    expect(steps.map((step) => step.worker)).toEqual([0, 0, 0, 0, 0]);
  });

  it('emits the events of the plan in order: started, each step, finished', async () => {
    const events = await proposed(conductor, request({ maxSteps: 3 }));
    expect(events.map((event) => event.type)).toEqual([
      'plan-started',
      'plan-step-known',
      'plan-step-known',
      'plan-step-known',
      'plan-finished',
    ]);
    const { workflow, source, usage, text } = ending(events, 'plan-finished');
    const known = events.flatMap((event) => (event.type === 'plan-step-known' ? [event.step] : []));
    expect(known).toEqual(workflow.steps);
    expect({ source, usage, text }).toEqual({ source: 'conductor', usage: null, text: '' });
  });

  it('lets each step see all earlier steps or none if access is binary', async () => {
    const { steps } = await workflowOf(conductor, request({ access: 'binary' }));
    expect(steps.map((step) => step.access)).toEqual([[], [], [0, 1], [0, 1, 2], [0, 1, 2, 3]]);
  });

  it('plans no steps after a round with an answer, and plans again after a round without one', async () => {
    const earlier = {
      workflow: { steps: [{ worker: 0, subtask: 'Solve.', access: [] }] },
      outputs: ['4'],
      answer: '4',
    };
    expect((await workflowOf(conductor, request({ round: 1, earlier: [earlier] }))).steps).toEqual([]);
    const lost = { ...earlier, outputs: [null], answer: '' };
    expect((await workflowOf(conductor, request({ round: 1, earlier: [lost] }))).steps).toHaveLength(5);
  });

  it('fails with a clear message when no worker of the pool can answer', async () => {
    const events = await proposed(conductor, request({ pool: [worker(0, { kind: 'python' })] }));
    const { fault } = ending(events, 'plan-failed');
    expect(fault).toMatchObject({ code: 'no-workers', retryable: false });
    expect(fault.message).toMatch(/Add or choose/);
  });

  it('throws when it is aborted', async () => {
    await expect(proposed(conductor, request(), AbortSignal.abort())).rejects.toMatchObject({
      name: abortError().name,
    });
  });
});
