import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHeuristicConductor } from '../../../../src/core/conductor/heuristic';
import { instantConductor } from '../../../../src/core/conductor/instant';
import {
  checkWorkflow,
  planRequestOf,
  SETTING_DEFAULTS,
  type Ablation,
  type Conductor,
  type PlanEvent,
  type PlanRequest,
  type Workflow,
} from '../../../../src/core/contract';
import { ablated, poolOf } from '../../../../src/core/evaluation/batches/ablation';
import { simulatedPoolWorkers } from '../../../../src/core/simulation/profiles';

const POOL = simulatedPoolWorkers();
const INFO = createHeuristicConductor().info;

function requestOf(more: Partial<PlanRequest> = {}): PlanRequest {
  const settings = {
    ...SETTING_DEFAULTS,
    question: { text: 'What is 6 × 7?' },
    pool: POOL,
    recursion: false,
    maxSteps: 5,
    seed: 1,
    caps: { rounds: 2, calls: 16, tokens: null, usd: null },
  };
  return { ...planRequestOf(settings), ...more };
}

async function plan(conductor: Conductor, request: PlanRequest): Promise<PlanEvent[]> {
  const events: PlanEvent[] = [];
  for await (const event of conductor.propose(request, new AbortController().signal)) events.push(event);
  return events;
}

const workflow: fc.Arbitrary<Workflow> = fc
  .array(fc.record({ worker: fc.nat(POOL.length - 1), seen: fc.array(fc.boolean(), { maxLength: 5 }) }), {
    minLength: 1,
    maxLength: 5,
  })
  .map((steps) => ({
    steps: steps.map(({ worker, seen }, index) => ({
      worker,
      subtask: `Subtask ${index}`,
      access: [...Array(index).keys()].filter((at) => seen[at]),
    })),
  }));

const ablation: fc.Arbitrary<Ablation> = fc.record(
  {
    onlyWorker: fc.constantFrom(...POOL.map(({ id }) => id)),
    plainSubtasks: fc.boolean(),
    access: fc.constantFrom('none' as const, 'all' as const),
  },
  { requiredKeys: [] },
);

const stubConductor = (planned: Workflow) => instantConductor(INFO, () => ({ workflow: planned, thought: '' }));

describe('an ablated Conductor (a part of its plans is replaced to measure that part’s contribution)', () => {
  it('changes each step as the ablation requires, and keeps a valid workflow of the same length', async () => {
    await fc.assert(
      fc.asyncProperty(workflow, ablation, async (planned, change) => {
        const events = await plan(ablated(stubConductor(planned), change), requestOf());
        const finished = events.find((event) => event.type === 'plan-finished');
        if (finished?.type !== 'plan-finished') throw new Error('There is no plan.');
        const { steps } = finished.workflow;
        expect(checkWorkflow(finished.workflow, { poolSize: POOL.length, maxSteps: 5 })).toBeNull();
        expect(steps).toHaveLength(planned.steps.length);
        for (const [index, step] of steps.entries()) {
          const before = planned.steps[index];
          expect(POOL[step.worker]?.id).toBe(change.onlyWorker ?? POOL[before?.worker ?? -1]?.id);
          expect(step.subtask).toBe(change.plainSubtasks ? 'Solve the user question.' : before?.subtask);
          if (change.access === 'none') expect(step.access).toEqual([]);
          if (change.access === 'all') expect(step.access).toHaveLength(index);
          if (!change.access) expect(step.access).toEqual(before?.access);
        }
      }),
    );
  });

  it('announces exactly the steps of the finished plan', async () => {
    await fc.assert(
      fc.asyncProperty(workflow, ablation, async (planned, change) => {
        const events = await plan(ablated(stubConductor(planned), change), requestOf());
        const known = events.flatMap((event) => (event.type === 'plan-step-known' ? event.step : []));
        const finished = events.flatMap((event) => (event.type === 'plan-finished' ? event.workflow.steps : []));
        expect(known).toEqual(finished);
      }),
    );
  });

  it('does not replace the Conductor in the last step', async () => {
    const pool = [...POOL, { ...(POOL[0] ?? fail()), id: 'conductor:x', kind: 'conductor' as const }];
    const planned: Workflow = {
      steps: [
        { worker: 1, subtask: 'Solve it.', access: [] },
        { worker: POOL.length, subtask: 'Go on.', access: [0] },
      ],
    };
    const change = { onlyWorker: POOL[0]?.id ?? '', plainSubtasks: true };
    const events = await plan(ablated(stubConductor(planned), change), requestOf({ pool, recursion: true }));
    const [finished] = events.flatMap((event) => (event.type === 'plan-finished' ? event.workflow : []));
    expect(finished?.steps.map(({ worker }) => worker)).toEqual([0, POOL.length]);
  });

  it('fails if the worker that the ablation puts into every step is not in the pool', async () => {
    const events = await plan(ablated(createHeuristicConductor(), { onlyWorker: 'gone' }), requestOf());
    expect(events.at(-1)).toMatchObject({ type: 'plan-failed', fault: { code: 'worker-missing' } });
  });
});

describe('a random subset of the pool', () => {
  it('is fixed for each task, varies between tasks and keeps the order of the pool', () => {
    const subsets = Array.from({ length: 40 }, (_, index) => {
      const task = { seed: 1, revision: 'r', taskId: `task-${index}` };
      const drawn = poolOf(POOL, { subset: 3 }, task);
      expect(poolOf(POOL, { subset: 3 }, task)).toEqual(drawn);
      expect(drawn).toHaveLength(3);
      expect(POOL.filter((worker) => drawn.includes(worker))).toEqual(drawn);
      return drawn.map(({ id }) => id).join();
    });
    expect(new Set(subsets).size).toBeGreaterThan(3);
  });
});

function fail(): never {
  throw new Error('The pool is empty.');
}
