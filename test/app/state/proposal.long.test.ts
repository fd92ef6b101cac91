/** @file Tests that the plan shown before the user presses *Run* is the plan that runs. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { newRunOf } from '../../../src/app/state/new-run';
import { draftOf, type PlanDraft } from '../../../src/app/state/plan-draft';
import { createHeuristicConductor } from '../../../src/core/conductor/heuristic';
import { createPolicyConductor } from '../../../src/core/conductor/policy';
import { TEMPLATES } from '../../../src/core/conductor/templates';
import {
  CONDUCTOR_MAX_STEPS,
  DEFAULT_PREFERENCES,
  mixSeed,
  randomIndex,
  seededRandom,
  TEMPLATE_MAX_STEPS,
  type AccessScheme,
  type Conductor,
  type Preferences,
  type Run,
  type WorkerDirectory,
  type Workflow,
} from '../../../src/core/contract';
import { execute } from '../../../src/core/executor/execute';
import { createRuns } from '../../../src/core/runs/run-keeper';
import type { NewRun } from '../../../src/core/runs/new-run';
import { simulatedPoolWorkers } from '../../../src/core/simulation/profiles';
import { TASK_FAMILIES } from '../../../src/core/tasks';
import { FakeClock } from '../../fixtures/fake-clock';
import { gradedRuns } from '../../fixtures/graded-runs';
import { MemoryLocks, MemoryNotices } from '../../fixtures/memory-locks';
import { MemoryStore } from '../../fixtures/memory-store';
import { previewRequest, propose } from '../../../src/app/state/proposed-plan.svelte';

const POOL = simulatedPoolWorkers();
const checkpoint: unknown = JSON.parse(
  await readFile(new URL('../../../models/policy/checkpoint.json', import.meta.url), 'utf8'),
);

/** Every Conductor that plans before the user presses *Run*, with its step limit on the page. */
const CONDUCTORS: readonly (readonly [name: string, conductor: Conductor, maxSteps: number])[] = [
  ['the trained policy', createPolicyConductor(checkpoint), CONDUCTOR_MAX_STEPS],
  ['rules', createHeuristicConductor(), CONDUCTOR_MAX_STEPS],
  ...TEMPLATES.filter(({ instant }) => instant).map(
    ({ info, create }) => [info.label, create(), TEMPLATE_MAX_STEPS] as const,
  ),
];

/** No recursion, and recursion with at most 1, 2 or 3 rounds. */
const RECURSION: readonly Partial<Preferences>[] = [
  { recursion: false },
  ...[1, 2, 3].map((rounds) => ({ recursion: true, caps: { ...DEFAULT_PREFERENCES.caps, rounds } })),
];
const ACCESS: readonly AccessScheme[] = ['binary', 'fine'];

/** Puzzles from all families in turn. */
const QUESTIONS = Array.from({ length: 64 }, (_, index) => {
  const family = TASK_FAMILIES[index % TASK_FAMILIES.length];
  const random = seededRandom(mixSeed('preview', index));
  return family?.generate(random, random()).writeQuestion(random) ?? '';
});

/** Number of questions for each choice of recursion and access. Different choices get different questions. */
const SHARE = 16;

const answering: WorkerDirectory = () => ({
  async *run() {
    yield { type: 'delta', channel: 'content', text: 'Answer: 42' };
    yield { type: 'finished', usage: { input: 5, output: 3 }, cost: 0, finishReason: 'stop' };
  },
});

function keeper(conductor: Conductor) {
  let ids = 0;
  return createRuns({
    store: new MemoryStore(),
    locks: new MemoryLocks().tab(),
    notices: new MemoryNotices().tab(),
    clock: new FakeClock('auto'),
    workers: answering,
    conductorFor: () => conductor,
    current: () => Promise.reject(new Error('No run is continued here.')),
    newId: () => `run-${++ids}`,
    newSeed: () => 1,
    execute,
  });
}

interface ProposalInputs {
  readonly question: string;
  readonly seed: number;
  readonly maxSteps: number;
  readonly preferences: Partial<Preferences>;
  readonly draft?: PlanDraft;
}

function requestFor(conductor: Conductor, { question, seed, maxSteps, preferences, draft }: ProposalInputs): NewRun {
  const choice = { info: conductor.info, description: '', instant: true };
  const request = { question, images: [], pool: POOL, choice, draft: draft ?? null, planPool: POOL, maxSteps, seed };
  return newRunOf(request, { ...DEFAULT_PREFERENCES, ...preferences }, { conductor: () => conductor });
}

/** The plan that the page shows, and the run that then starts. Both use the same history. */
async function shownAndRun(request: NewRun): Promise<{ shown: Workflow | null; run: Run }> {
  const planHistory = { history: gradedRuns('sim:alder', 'solve', 3, 4) };
  const signal = new AbortController().signal;
  const { workflow: shown } = await propose(request.conductor, previewRequest(request, planHistory), signal);
  const live = await keeper(request.conductor).start({ ...request, planHistory });
  return { shown, run: await live.done };
}

describe('the plan shown before the run', () => {
  for (const [name, conductor, most] of CONDUCTORS) {
    it(`is the plan that runs, with and without recursion and in both access schemes: ${name}`, async () => {
      for (const [row, recursion] of RECURSION.entries()) {
        for (const [column, access] of ACCESS.entries()) {
          const differing: string[] = [];
          const first = ((row * ACCESS.length + column) * SHARE) % QUESTIONS.length;
          for (let index = first; index < first + SHARE; index += 1) {
            const question = QUESTIONS[index] ?? '';
            const maxSteps = [most, 3][randomIndex(seededRandom(index), 2)] ?? most;
            const preferences = { ...recursion, access };
            const request = requestFor(conductor, { question, seed: index, maxSteps, preferences });
            const { shown, run } = await shownAndRun(request);
            const plan = run.rounds[0]?.plan;
            expect(plan?.status, `${question}: ${run.fault?.message ?? ''}`).toBe('finished');
            if (JSON.stringify(shown) !== JSON.stringify(plan?.workflow)) differing.push(question);
          }
          expect(differing, JSON.stringify({ ...recursion, access })).toEqual([]);
        }
      }
    });
  }

  it('is the plan that runs, also for a plan that the user wrote', async () => {
    const steps = [0, 1].map((worker) => ({ worker, subtask: 'Solve it.', access: [] }));
    const workflow = { steps: [...steps, { worker: 2, subtask: 'Decide.', access: [0, 1] }] };
    for (const preferences of RECURSION) {
      const draft = draftOf(workflow, POOL);
      const request = { question: 'What is 2 + 2?', seed: 1, maxSteps: TEMPLATE_MAX_STEPS, preferences, draft };
      const { shown, run } = await shownAndRun(requestFor(createHeuristicConductor(), request));
      expect(shown).toEqual(workflow);
      expect(run.rounds[0]?.plan?.workflow).toEqual(workflow);
    }
  });
});
