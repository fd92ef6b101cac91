/**
 * @file Determines what a saved run uses when it is resumed or forked. Workers, Conductor and limits come from the user's current
 * setup, because those in the saved run may come from someone else's file. If a worker or the Conductor now has another model or
 * address, or is missing, the user is asked before the first call.
 */
import {
  fault,
  FaultError,
  reusedSteps,
  SETTING_DEFAULTS,
  resumablePlan,
  TEMPLATE_MAX_STEPS,
  picked,
  type Caps,
  type ConductorInfo,
  type Fault,
  type ForkBase,
  type PoolWorker,
  type RaisedCaps,
  type Run,
  type Sampling,
  type Workflow,
} from '../contract';
import { candidatesFor } from '../conductor/candidate-count';
import { maxStepsFor } from '../conductor/effort';
import type { ExecuteRequest } from '../executor/request';
import { conductorEntry, startOfRun } from './new-run';

export { conductorOf } from './conductor-of';

/** The parts of the user's current setup that decide what a run may call and spend. */
export interface CurrentSetup {
  /** All workers, in the pool or not. */
  readonly workers: readonly PoolWorker[];
  readonly caps: Caps;
  /** Daily budget, US dollars. `null`: none. */
  readonly dayUsd: number | null;
  readonly sampling: Sampling;
  /** Number of workflows that a Conductor writes or samples before one is chosen. */
  readonly candidates: number;
  /** Whether *Private* is on: only workers and Conductors in the page may be called. */
  readonly isPrivate: boolean;
  /** Whether plans wait for the user's approval. */
  readonly approval: boolean;
}

/** A worker or Conductor that may be called. */
export type Callee = Pick<PoolWorker, 'name' | 'model' | 'origin' | 'price' | 'sampling'>;

/** The question to the user before a run continues. */
export interface ContinueQuestion {
  /**
   * For each change, the callee that the run used (`before`) and the callee that it would use now (`now`). If `now` is `null`,
   * the callee is no longer set up, so its steps fail. `isSubstitute`: the run's Conductor is missing, and `now` is a built-in
   * Conductor that would plan instead.
   */
  readonly changes: readonly {
    readonly before: Callee;
    readonly now: Callee | null;
    readonly isSubstitute?: boolean;
  }[];
  /**
   * For a run that came from a file: every worker and Conductor outside this page that may be called. Empty for the user's own
   * runs.
   */
  readonly calls: readonly Callee[];
  /** Maximum number of tokens of an answer by a worker without its own limit. */
  readonly maxTokens: number;
}

/** What a run may still call. `workers`: indexes into its pool. `mayPlan`: whether it may call the Conductor. */
export interface StillCalled {
  readonly workers: ReadonlySet<number>;
  readonly mayPlan: boolean;
}

type Start = ExecuteRequest['start'];

/**
 * The settings with which a run continues. Pool, Conductor, caps, sampling, step limit and number of
 * candidates are taken from the current setup. All other settings, such as the question, the effort, the
 * reasoning and the seed, stay as recorded. If the run came from a file, `approvedPlanning` changes some of
 * them.
 * @param conductor as set up now
 */
export function continuedStart(
  run: Run,
  { workers, caps, sampling, candidates }: CurrentSetup,
  conductor: ConductorInfo,
): Start {
  // A worker that is no longer set up stays in the pool, so that the indexes of the other workers remain valid.
  const pool = run.pool.map((worker) =>
    worker.kind === 'conductor' ? conductorEntry(conductor) : (currentWorker(worker, workers) ?? worker),
  );
  return {
    ...approvedPlanning(run),
    pool,
    conductor,
    caps,
    sampling: { ...sampling, ...picked(run.sampling, ['reasoning', 'mostThinking']) },
    maxSteps: maxStepsFor(conductor, run.effort, pool),
    candidates: candidatesFor(conductor, candidates),
  };
}

/**
 * The caps of a run that is resumed. For a cap that the user has raised for this run, the higher of the raised value and the
 * current setting applies.
 * @param raised caps that were raised earlier for this run
 * @param now caps that were entered for this resume. They override all others
 */
export function resumedCaps(caps: Caps, raised: RaisedCaps, now: RaisedCaps): Caps {
  const higher = <T extends number | null>(cap: T, to: number | undefined): T | number =>
    cap === null || to === undefined ? cap : Math.max(cap, to);
  const kept: Caps = {
    rounds: higher(caps.rounds, raised.rounds),
    calls: higher(caps.calls, raised.calls),
    tokens: higher(caps.tokens, raised.tokens),
    usd: higher(caps.usd, raised.usd),
  };
  return { ...kept, ...now };
}

/**
 * The run with workers added to the end of its pool, as they are set up now. Throws a `FaultError` if an added worker is not
 * set up. Also throws if the run has recursion, because then the Conductor must be the last entry of the pool.
 * @param ids ids of the workers to add
 */
export function withJoining(run: Run, ids: readonly string[], { workers }: CurrentSetup): Run {
  if (ids.length === 0) return run;
  if (run.recursion) throw new FaultError(fault('plan-invalid', NO_ROOM));
  const added = ids.map((id) => {
    const worker = workers.find((each) => each.id === id);
    if (!worker) throw new FaultError(fault('worker-missing', NOT_SET_UP));
    return worker;
  });
  return { ...run, pool: [...run.pool, ...added] };
}

const NO_ROOM = 'A run with recursion can’t get another worker. Start a new run.';
const NOT_SET_UP = 'The chosen worker is no longer set up. Choose another one.';

/**
 * The settings of a run. If the run came from a file, the Conductor's prompt is left out, and `planRetries`
 * is at most the default. The reason is that the user has not approved the values in the file.
 */
function approvedPlanning(run: Run): Start {
  const start = startOfRun(run);
  if (run.importedAt === null) return start;
  const { prompt: _, ...others } = start;
  return { ...others, planRetries: Math.min(start.planRetries, SETTING_DEFAULTS.planRetries) };
}

/**
 * The settings with which a fork starts, based on `continuedStart`. The step limit is raised if the fork
 * copies a plan with more steps. New plans wait for the user's approval if the run's settings or the current
 * setup require approval. For a plan that the user writes by hand, only the run's settings can require approval.
 * @param planned the workflow of the fork's first round
 */
export function forkedStart(
  run: Run,
  { round, planned }: { readonly round: number; readonly planned: Workflow },
  setup: CurrentSetup,
  conductor: ConductorInfo,
): Start {
  const start = continuedStart(run, setup, conductor);
  const earlier = run.rounds.slice(0, round).map(({ steps }) => steps.length);
  const longest = Math.min(TEMPLATE_MAX_STEPS, Math.max(planned.steps.length, ...earlier));
  const approval = start.approval || (setup.approval && conductor.kind !== 'by-hand');
  return { ...start, approval, maxSteps: Math.max(start.maxSteps, longest) };
}

/** The workers that a run may still call when it is resumed, and whether it may call the Conductor. */
export function calledOnResume(run: Run): StillCalled {
  const combinedBy = run.early?.combinedBy;
  if (run.early) return { workers: new Set(combinedBy === undefined ? [] : [combinedBy]), mayPlan: false };
  const round = run.rounds.at(-1);
  if (round?.outcome === 'answered' || round?.outcome === 'kept') return { workers: new Set(), mayPlan: false };
  const plan = round?.outcome === 'recursed' ? null : round?.plan;
  // All candidate plans have arrived, and the user chooses one of them. So only a later round may call the
  // Conductor.
  if (plan?.isChoiceOpen) return { ...everyone(run), mayPlan: run.recursion || mayBeFollowed(run, round?.round ?? 0) };
  const mayBeEdited = run.approval && plan?.approved !== true;
  const standing = round && plan ? resumablePlan(run, round) : null;
  if (!round || !standing || mayBeEdited) return everyone(run);
  return calledBy(
    run,
    { round: round.round, planned: standing },
    (index) => (round.steps[index]?.output ?? null) === null,
  );
}

/** The workers that a fork may call, and whether it may call the Conductor. @param planned the workflow of its first round */
export function calledOnFork(
  run: Run,
  point: ForkBase & { readonly replan?: boolean },
  planned: Workflow,
): StillCalled {
  if (point.replan) return everyone(run);
  const reused = reusedSteps(run, point, planned, run.pool);
  return calledBy(run, { round: point.round, planned }, (index) => !reused.has(index));
}

function calledBy(
  run: Run,
  { round, planned: { steps } }: { readonly round: number; readonly planned: Workflow },
  isCalled: (index: number) => boolean,
): StillCalled {
  const follows = mayBeFollowed(run, round);
  const last = steps.at(-1);
  // The next round may call any worker.
  if (follows || (last && run.pool[last.worker]?.kind === 'conductor')) return everyone(run);
  return { workers: new Set(steps.flatMap(({ worker }, index) => (isCalled(index) ? [worker] : []))), mayPlan: false };
}

/** Whether the run always plans another round after this one. Ignores the cap on rounds, because the user may raise it. */
function mayBeFollowed({ recursionMode }: Run, round: number): boolean {
  return recursionMode === 'always' && round === 0;
}

function everyone({ pool }: Run): StillCalled {
  return { workers: new Set(pool.keys()), mayPlan: true };
}

/** Why a run cannot continue with the current setup, or `null` if it can. */
export function checkContinuation(
  run: Run,
  setup: CurrentSetup,
  conductor: ConductorInfo,
  called: StillCalled,
): Fault | null {
  const pairs = pairsOf(run, setup, called);
  if (pairs.length > 0 && pairs.every(({ now }) => now === null)) {
    const names = [...new Set(pairs.map(({ before }) => before.name))];
    const message = `This run needs ${names.join(', ')}, which your workers no longer include. Add ${names.length > 1 ? 'them' : 'it'} under Workers, or start a new run.`;
    return fault('worker-missing', message);
  }
  const all = [...pairs, ...(called.mayPlan ? [conductorPair(run.conductor, conductor)] : [])];
  const outside = setup.isPrivate ? all.find(({ now }) => now !== null && now.origin !== null) : undefined;
  if (!outside) return null;
  const message = `Private is on, and ${outside.before.name} runs on a server. Turn Private off to continue this run.`;
  return fault('no-workers', message);
}

/**
 * The question to the user before the run continues. `null`: there is no question. There is a question if a
 * worker or the Conductor is missing, or has another model or address than in the run. A new price, name or
 * limit needs no question, because the user has set it. If the run came from a file, there is always a
 * question before it calls anything outside this page.
 * @param isSubstitute whether the run's own Conductor is missing, and `conductor` would plan instead
 */
export function questionFor(
  run: Run,
  setup: CurrentSetup,
  conductor: ConductorInfo,
  called: StillCalled,
  isSubstitute = false,
): ContinueQuestion | null {
  const planner = { ...conductorPair(run.conductor, conductor), ...(isSubstitute ? { isSubstitute } : {}) };
  const all: Pair[] = [...pairsOf(run, setup, called), ...(called.mayPlan ? [planner] : [])];
  const changes = all.filter((pair) => pair.isSubstitute || pair.now === null || !isSameCallee(pair.before, pair.now));
  const calls = run.importedAt === null ? [] : all.flatMap(({ now }) => (now && now.origin !== null ? [now] : []));
  if (changes.length === 0 && calls.length === 0) return null;
  return { changes, calls, maxTokens: setup.sampling.maxTokens };
}

interface Pair {
  readonly before: Callee;
  readonly now: Callee | null;
  readonly isSubstitute?: boolean;
}

function pairsOf({ pool }: Run, { workers }: CurrentSetup, called: StillCalled): Pair[] {
  return pool.flatMap((worker, index) => {
    if (!called.workers.has(index) || worker.kind === 'conductor') return [];
    const now = currentWorker(worker, workers);
    return { before: callee(worker), now: now ? callee(now) : null };
  });
}

/**
 * A worker as set up now, or `null` if it is missing. A local model is never missing, because it may still be loaded before its
 * step starts.
 */
function currentWorker(recorded: PoolWorker, workers: readonly PoolWorker[]): PoolWorker | null {
  const now = workers.find(({ id }) => id === recorded.id);
  if (now || recorded.kind !== 'local') return now ?? null;
  return { ...recorded, origin: null, price: { input: 0, output: 0 } };
}

function conductorPair(before: ConductorInfo, now: ConductorInfo): Pair {
  return { before: callee(conductorEntry(before)), now: callee(conductorEntry(now)) };
}

function callee({ name, model, origin, price, sampling }: PoolWorker): Callee {
  return { name, model, origin, price, ...(sampling ? { sampling } : {}) };
}

function isSameCallee(one: Callee, other: Callee): boolean {
  return one.model === other.model && one.origin === other.origin;
}
