import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHeuristicConductor } from '../../../src/core/conductor/heuristic';
import { withWorker } from '../../../src/core/conductor/solo';
import { templateConductor, TEMPLATES } from '../../../src/core/conductor/templates';
import { recognizeRole } from '../../../src/core/analysis/roles';
import { gradedRuns } from '../../fixtures/graded-runs';
import { checkWorkflow, type Conductor, type PoolWorker, type Step } from '../../../src/core/contract';
import { CONDUCTOR_ENTRY, ending, pool, proposed, published, request, worker, workflowOf } from './requests';

function named(id: string): Conductor {
  const found = TEMPLATES.find((template) => template.info.id === `template:${id}`);
  if (!found) throw new Error(`There is no template ${id}.`);
  return found.create();
}
const shape = (steps: readonly Step[]) => steps.map(({ worker, access }) => [worker, access]);
/** Only evaluations use these templates, so they are not in the list of templates. */
const [vote, ...routers] = ['vote', 'nearest-neighbours', 'fitted-router'].flatMap(
  (name) => templateConductor({ id: `template:${name}`, label: name, kind: 'template', origin: null }) ?? [],
);
const everyone = [
  ...TEMPLATES.map((template) => template.create()),
  createHeuristicConductor(),
  ...(vote ? [vote] : []),
  ...routers,
];

describe.each(everyone.map((conductor) => [conductor.info.id, conductor] as const))('%s', (_id, conductor) => {
  it('writes a valid plan for each pool size and step limit, with and without recursion', async () => {
    for (let size = 1; size <= 9; size++) {
      for (let maxSteps = 1; maxSteps <= 16; maxSteps++) {
        for (const recursion of [false, true]) {
          const members = recursion ? [...pool(size), CONDUCTOR_ENTRY] : pool(size);
          const requested = request({ pool: members, maxSteps, recursion });
          const workflow = await workflowOf(conductor, requested);
          expect(checkWorkflow(workflow, { poolSize: size, maxSteps })).toBeNull();
          expect(workflow.steps.every((step) => step.role !== undefined)).toBe(true);
        }
      }
    }
  });

  it('writes the same plan for the same request', async () => {
    const requested = request({ pool: pool(5), maxSteps: 16 });
    expect(await proposed(conductor, requested)).toEqual(await proposed(conductor, requested));
  });

  it('writes each subtask so that simulated workers recognize its role', async () => {
    const { steps } = await workflowOf(conductor, request({ pool: pool(4), maxSteps: 16 }));
    for (const step of steps) expect(recognizeRole(step.subtask), step.subtask).toBe(step.role);
  });

  it('explains its plan in one sentence, and emits an event for each step', async () => {
    const events = await proposed(conductor, request({ maxSteps: 16 }));
    const { thought, workflow } = ending(events, 'plan-finished');
    expect(thought).toMatch(/^[^.]+\.$/);
    const known = events.flatMap((event) => (event.type === 'plan-step-known' ? [event.step] : []));
    expect(known).toEqual(workflow.steps);
  });

  it('fails for a pool that contains only the Conductor', async () => {
    const events = await proposed(conductor, request({ pool: [CONDUCTOR_ENTRY], recursion: true }));
    expect(ending(events, 'plan-failed').fault.code).toBe('no-workers');
  });
});

describe('the templates', () => {
  const requested = request({ pool: pool(9), maxSteps: 16 });

  it('sample-and-aggregate: four attempts that see nothing, and one step that sees all attempts', async () => {
    expect(shape((await workflowOf(named('sample-and-aggregate'), requested)).steps)).toEqual([
      [0, []],
      [1, []],
      [2, []],
      [3, []],
      [0, [0, 1, 2, 3]],
    ]);
  });

  it('scouts-first: the cheapest workers of two families, then the best worker, a check by another, and a repair', async () => {
    const priced = (index: number, model: string, output: number) => ({
      ...worker(index),
      kind: 'endpoint' as const,
      model,
      price: { input: 0, output },
    });
    const members = [
      priced(0, 'gpt-9', 9),
      priced(1, 'claude-small', 2),
      priced(2, 'claude-tiny', 1),
      priced(3, 'gemini-x', 3),
    ];
    const { steps } = await workflowOf(named('scouts-first'), request({ pool: members, maxSteps: 16 }));
    expect(shape(steps)).toEqual([
      [2, []],
      [3, []],
      [0, [0, 1]],
      [1, [2]],
      [0, [2, 3]],
    ]);
    expect(steps.map(({ agreement }) => agreement)).toEqual([
      ...[undefined, undefined],
      { among: [0, 1], rule: 'all' },
      ...[undefined, undefined],
    ]);
  });

  it('sample-until-sure: four samples, up to four more that wait for agreement, and a decision', async () => {
    const { steps } = await workflowOf(named('sample-until-sure'), request({ pool: pool(3), maxSteps: 16 }));
    expect(new Set(steps.map((each) => each.worker)).size).toBe(1);
    expect(steps.map(({ access }) => access.length)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 8]);
    const rules = steps.map(({ agreement }) => agreement && [agreement.among.length, agreement.rule]);
    const sure = [4, 5, 6, 7].map((count) => [count, 'sure']);
    expect(rules).toEqual([undefined, undefined, undefined, undefined, ...sure, [8, 'most']]);
  });

  it('self-reflection: one worker and five steps, each of which sees all earlier steps', async () => {
    const { steps } = await workflowOf(named('self-reflection'), requested);
    expect(shape(steps)).toEqual([
      [0, []],
      [0, [0]],
      [0, [0, 1]],
      [0, [0, 1, 2]],
      [0, [0, 1, 2, 3]],
    ]);
  });

  it('consensus: five samples of one worker, then a majority decision by the same worker', async () => {
    expect(shape((await workflowOf(named('consensus'), requested)).steps)).toEqual([
      [0, []],
      [0, []],
      [0, []],
      [0, []],
      [0, []],
      [0, [0, 1, 2, 3, 4]],
    ]);
  });

  it('mixture-of-agents: one step for each worker except Python, then an aggregator that sees all these steps', async () => {
    const seven = request({ pool: [...pool(7), worker(7, { kind: 'python' })], maxSteps: 16 });
    const { steps } = await workflowOf(named('mixture-of-agents'), seven);
    expect(shape(steps.slice(0, 7))).toEqual([0, 1, 2, 3, 4, 5, 6].map((index) => [index, []]));
    expect(steps.slice(7).map(({ access, role }) => [access, role])).toEqual([[[0, 1, 2, 3, 4, 5, 6], 'aggregate']]);
  });

  it('mixture-of-agents: each of seven workers is the aggregator for more than 60 of 700 seeds', async () => {
    const drawn = new Map<number, number>();
    for (let seed = 0; seed < 700; seed++) {
      const { steps } = await workflowOf(named('mixture-of-agents'), request({ pool: pool(7), maxSteps: 16, seed }));
      const last = steps.at(-1)?.worker ?? -1;
      drawn.set(last, (drawn.get(last) ?? 0) + 1);
    }
    expect([...drawn.keys()].toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6]);
    for (const count of drawn.values()) expect(count).toBeGreaterThan(60);
  });

  it('debate: two openings, two replies, a judge', async () => {
    const { steps } = await workflowOf(named('debate'), requested);
    expect(steps.map((step) => step.access)).toEqual([[], [], [0, 1], [0, 1], [0, 1, 2, 3]]);
    expect(steps.map((step) => step.worker)).toEqual([0, 1, 0, 1, 0]);
  });

  it.each(['best-single', 'self-reflection', 'consensus', 'routing'])(
    '%s chooses its first worker by grades if there are many, or by declared strength if there are none',
    async (id) => {
      const members = [worker(0, { strengths: { solve: 0.3 } }), worker(1, { strengths: { solve: 0.7 } })];
      const graded = request({ pool: members, history: gradedRuns('alder', 'solve', 30, 30) });
      expect((await workflowOf(named(id), graded)).steps[0]?.worker).toBe(0);
      expect((await workflowOf(named(id), { ...graded, history: [] })).steps[0]?.worker).toBe(1);
    },
  );

  it('best-single avoids a worker with six wrong answers out of six', async () => {
    const history = gradedRuns('alder', 'solve', 0, 6);
    expect((await workflowOf(named('best-single'), request({ pool: pool(2), history }))).steps[0]?.worker).toBe(1);
  });

  it('routing says that its worker did best only if this worker has graded runs', async () => {
    const thoughtOf = async (right: number) => {
      const history = gradedRuns('alder', 'solve', right, 6);
      return ending(await proposed(named('routing'), request({ pool: pool(2), history })), 'plan-finished').thought;
    };
    expect(await thoughtOf(6)).toContain('Alder did best in your graded runs');
    expect(await thoughtOf(0)).toContain('Birch comes first, although it has no graded runs,');
  });

  it.each(['best-single', 'self-reflection'])(
    '%s explains why a worker comes first: declared strength, published results, pool order or unknown success',
    async (id) => {
      const reasonOf = async (members: readonly PoolWorker[]) =>
        ending(await proposed(named(id), request({ pool: members })), 'plan-finished').thought;
      expect(await reasonOf([worker(0), worker(1, { strengths: { solve: 0.9 } })])).toContain(
        'Birch comes first by declared strength',
      );
      expect(await reasonOf(pool(2))).toContain(
        'Alder comes first in the pool, because no worker declares a strength,',
      );
      expect(await reasonOf([worker(0), published(1, 'gpt-5')])).toContain(
        'Birch comes first by published benchmark results',
      );
      expect(await reasonOf([worker(0), worker(1, { strengths: { solve: 0.3 } })])).toContain(
        'Alder comes first because nothing is known about it and no other worker is expected to do better,',
      );
    },
  );

  it.each(TEMPLATES.filter(({ acceptsWorker }) => acceptsWorker).map((each) => [each.info.id, each] as const))(
    '%s gives every step to the chosen worker, and fails if that worker is not in the pool',
    async (_, { info }) => {
      const chosen = withWorker(info, { id: 'cedar', name: 'Cedar' });
      const conductor = templateConductor(chosen);
      if (!conductor) throw new Error('There is no Conductor.');
      expect(conductor.info.label).toBe(`${info.label}: Cedar`);
      const { steps } = await workflowOf(conductor, request({ maxSteps: 16 }));
      expect(new Set(steps.map((step) => step.worker))).toEqual(new Set([2]));
      const without = await proposed(conductor, request({ pool: pool(2) }));
      expect(ending(without, 'plan-failed').fault).toMatchObject({ code: 'worker-missing' });
    },
  );

  it('are marked as baselines of the paper that Podium follows (arXiv 2512.04388) or as Podium’s own', () => {
    const of = (by: string) => TEMPLATES.filter((each) => each.by === by).map(({ info }) => info.id.slice(9));
    expect(of('paper')).toEqual(['best-single', 'self-reflection', 'consensus', 'mixture-of-agents']);
    expect(of('podium')).toEqual([
      'routing',
      'scouts-first',
      'sample-until-sure',
      'sample-and-aggregate',
      'debate',
      'random',
    ]);
  });

  it('random: writes valid plans of many shapes, and connects the last step to an earlier step', async () => {
    const shapes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.constantFrom('binary', 'fine'), async (seed, access) => {
        const { steps } = await workflowOf(named('random'), { ...requested, seed, access });
        expect(checkWorkflow({ steps }, { poolSize: 9, maxSteps: 5 })).toBeNull();
        if (steps.length > 1) expect(steps.at(-1)?.access).not.toEqual([]);
        if (access === 'binary') {
          for (const [index, step] of steps.entries()) expect([0, index]).toContain(step.access.length);
        }
        shapes.add(JSON.stringify(shape(steps)));
      }),
    );
    expect(shapes.size).toBeGreaterThan(20);
  });
});

it('the vote has as many steps as the limit allows, all by one worker', async () => {
  if (!vote) throw new Error('There is no vote.');
  const planned = async (maxSteps: number) => (await workflowOf(vote, request({ maxSteps }))).steps;
  const roles = async (maxSteps: number) => (await planned(maxSteps)).map(({ role }) => role);
  expect(await roles(1)).toEqual(['solve']);
  expect(await roles(3)).toEqual(['solve', 'verify', 'refine']);
  expect(await roles(6)).toEqual(['solve', 'solve', 'solve', 'solve', 'solve', 'decide']);
  const steps = await planned(6);
  expect(new Set(steps.map(({ worker }) => worker)).size).toBe(1);
  expect(steps.map(({ access }) => access)).toEqual([[], [], [], [], [], [0, 1, 2, 3, 4]]);
  // Simulated workers know only the wording.
  expect(recognizeRole(steps.at(-1)?.subtask ?? '')).toBe('decide');
});
