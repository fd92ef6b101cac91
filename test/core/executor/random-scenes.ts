/**
 * @file Generates random runs for property tests. The runs include recursion, plans that are retried, and slow or failing
 * workers. A worker's behavior depends only on its messages, its seed and the attempt number.
 */
import fc from 'fast-check';
import {
  digestText,
  fault,
  mixSeed,
  type Decision,
  type PlanRequest,
  type PoolWorker,
  type Step,
} from '../../../src/core/contract';
import {
  conductorWorker,
  done,
  fails,
  finished,
  known,
  paidWorker,
  retried,
  delta,
  started,
  subtaskOf,
  wait,
  type Call,
  type PlanItem,
  type Scene,
  type WorkerItem,
} from './scripted';

const WORKERS = 3;

interface RandomStep {
  readonly worker: number;
  readonly sees: readonly boolean[];
  readonly duration: number;
  readonly chunks: readonly { readonly gap: number; readonly reasoning: boolean }[];
  /** Number of attempts that fail and are retried. */
  readonly refusals: number;
  readonly breaks: boolean;
}

interface RandomRound {
  readonly steps: readonly RandomStep[];
  readonly streaming: boolean;
  readonly gap: number;
  /** Number of steps that the Conductor announces before it discards the plan and writes it again. 0: it discards no plan. */
  readonly lost: number;
  readonly changed: boolean;
}

const randomStep = fc.record({
  worker: fc.nat({ max: WORKERS - 1 }),
  sees: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
  duration: fc.constantFrom(0, 5, 30, 120),
  chunks: fc.array(fc.record({ gap: fc.constantFrom(0, 0, 10, 70), reasoning: fc.boolean() }), { maxLength: 6 }),
  refusals: fc.constantFrom(0, 0, 0, 1, 2),
  breaks: fc.integer({ min: 0, max: 14 }).map((drawn) => drawn === 0),
});

const randomRound: fc.Arbitrary<RandomRound> = fc.record({
  steps: fc.array(randomStep, { minLength: 1, maxLength: 5 }),
  streaming: fc.boolean(),
  gap: fc.constantFrom(0, 20, 60),
  lost: fc.constantFrom(0, 0, 1, 3),
  changed: fc.boolean(),
});

export interface RandomRun {
  readonly seed: number;
  readonly rounds: readonly RandomRound[];
  /** Whether one more round follows, in which the Conductor keeps the last answer. */
  readonly keeps: boolean;
  /** `approves`: the user approves each plan. `edits`: the user edits each plan before approving it. */
  readonly user: 'absent' | 'approves' | 'edits';
}

export const randomRun: fc.Arbitrary<RandomRun> = fc.record({
  seed: fc.nat(),
  rounds: fc.array(randomRound, { minLength: 1, maxLength: 2 }),
  keeps: fc.boolean(),
  user: fc.constantFrom('absent', 'approves', 'edits'),
});

function subtaskName(round: number, index: number): string {
  return `round ${round} step ${index}`;
}

function workflowOf(run: RandomRun, round: number): Step[] {
  const spec = run.rounds[round];
  if (!spec) return [];
  const steps = spec.steps.map(({ worker, sees }, index): Step => {
    const access = [...Array(index).keys()].filter((seen) => sees[seen]);
    return { worker, subtask: subtaskName(round, index), access };
  });
  const hasNextRound = round + 1 < run.rounds.length || run.keeps;
  return hasNextRound ? [...steps.slice(0, 4), { worker: WORKERS, subtask: 'Look again', access: [] }] : steps;
}

function planOf(run: RandomRun, request: PlanRequest): PlanItem[] {
  const spec = run.rounds[request.round];
  if (!spec) return [started, finished([])];
  const steps = workflowOf(run, request.round);
  const learn = (step: Step, index: number): PlanItem[] => [
    wait(spec.gap),
    ...(spec.streaming ? [known(index, step)] : []),
  ];
  const lost = steps
    .slice(0, spec.lost)
    .filter(({ worker }) => worker < WORKERS)
    .map((step) => (spec.changed ? { ...step, subtask: `${step.subtask} (lost)` } : step));
  return [
    started,
    ...lost.flatMap(learn),
    ...(lost.length > 0 ? [wait(spec.gap), retried] : []),
    ...steps.flatMap(learn),
    wait(spec.gap),
    finished(steps),
  ];
}

function workOf(run: RandomRun, call: Call): WorkerItem[] {
  const [, round, index] = /round (\d+) step (\d+)/.exec(subtaskOf(call)) ?? [];
  const spec = run.rounds[Number(round)]?.steps[Number(index)];
  if (!spec) return [delta('unexpected'), done()];
  if (call.options.attempt < spec.refusals) {
    return [wait(spec.duration), fails(fault('overloaded', 'Busy.', { retryable: true }))];
  }
  const result = `${subtaskOf(call)} → ${mixSeed(call.options.seed, digestText(call.messages))}`;
  const chunks = spec.chunks.flatMap(({ gap, reasoning }, number) => [
    wait(gap),
    delta(` ${number}`, reasoning ? 'reasoning' : 'content'),
  ]);
  const end = spec.breaks ? fails(fault('broken-reply', 'Broken.')) : done();
  return [wait(spec.duration), ...chunks, delta(result), end];
}

export function randomPool(): PoolWorker[] {
  return [...[...Array(WORKERS).keys()].map((index) => paidWorker(index)), conductorWorker(WORKERS)];
}

/** Changes the subtask of every step and the worker of the first step. Removes one step from the access of the last step. */
function editedSteps(steps: readonly Step[]): Step[] {
  return steps.map(({ worker, subtask, access }, index) => ({
    worker: index === 0 ? (worker + 1) % WORKERS : worker,
    subtask: `${subtask} (edited)`,
    access: index === steps.length - 1 ? access.slice(1) : access,
  }));
}

/** The user's decisions for all rounds. Each edit is sent twice. The second edit changes nothing and must be ignored. */
function decisionsOf(run: RandomRun): Decision[] {
  return run.rounds.flatMap((_round, round): Decision[] => {
    const edit: Decision = { type: 'edit', round, workflow: { steps: editedSteps(workflowOf(run, round)) } };
    return [...(run.user === 'edits' ? [edit, edit] : []), { type: 'approve', round }];
  });
}

/** The Conductor, the workers, the settings and the decisions of the user for a random run. */
export function sceneOf(run: RandomRun): Scene {
  return {
    plan: (request) => planOf(run, request),
    work: (call) => workOf(run, call),
    start: {
      seed: run.seed,
      pool: randomPool(),
      recursion: true,
      caps: { rounds: 4, calls: 1000, tokens: null, usd: null },
      ...(run.user === 'absent' ? {} : { approval: true }),
    },
    ...(run.user === 'absent' ? {} : { decisions: decisionsOf(run) }),
  };
}
