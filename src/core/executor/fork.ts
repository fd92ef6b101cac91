/**
 * @file Prepares a fork: a new run that starts from one round of another run. The fork copies what it reuses into its own
 * events, so that the fork can be read without the original run.
 */
import {
  reusedSteps,
  sameWorker,
  sameWorkflow,
  workerOf,
  type EventBody,
  type PoolWorker,
  type Round,
  type Run,
  type StepRun,
  type Workflow,
} from '../contract';
import { freshRound, runStarted, type KeptStep, type Opening, type OpenRound } from './opening';
import type { ExecuteRequest, ForkPrior } from './request';
import { keptStep, playedRound } from './resume';

/** Prepares a fork. All settings, including seed and caps, come from the request, not from the original run. */
export function openForked(request: ExecuteRequest, prior: ForkPrior): Opening {
  const { run, round: at, step } = prior;
  const before = run.rounds.slice(0, at);
  const parent = request.start.parent ?? { runId: run.id, round: at, step };
  const next = openRound(request, prior, run.rounds[at]);
  const { approval } = request.start;
  const samePool = run.pool.every(({ id }, index) => request.start.pool[index]?.id === id);
  return {
    snapshot: request.start,
    segment: 0,
    firstSeq: 0,
    spent: { calls: 0, tokens: 0, usd: 0 },
    events: [
      runStarted(request, parent),
      ...before.flatMap((round) => copyRound(run, round, { approval, samePool, pool: request.start.pool })),
      ...(run.early && at > run.early.during ? [earlyEnd(run.early)] : []),
      ...(next.workflow
        ? copyPlan(run, next.round, next.workflow, { edited: prior.workflow !== undefined, approval, samePool })
        : []),
    ],
    played: before.map((round) => playedRound(round)),
    next,
  };
}

/** A fork from the round that combines the finished steps was ended early, too: the rounds before lack steps. */
function earlyEnd({ during: _, ...early }: NonNullable<Run['early']>): EventBody {
  return { type: 'answer-requested', ...early };
}

function openRound(request: ExecuteRequest, prior: ForkPrior, round: Round | undefined): OpenRound {
  const workflow = prior.replan ? null : (prior.workflow ?? round?.plan?.workflow ?? null);
  if (!round || !workflow) return freshRound(Math.min(prior.round, prior.run.rounds.length));
  return {
    round: round.round,
    begun: true,
    workflow,
    candidates: [],
    approved: true,
    maxSteps: null,
    kept: reusableSteps(prior, workflow, request.start),
    nextAttempts: [],
  };
}

/** The steps that the fork reuses, with their outputs. */
function reusableSteps(prior: ForkPrior, workflow: Workflow, start: ExecuteRequest['start']): KeptStep[] {
  const { pool, skipSettled } = start;
  const reused = reusedSteps(prior.run, prior, workflow, pool);
  return workflow.steps.flatMap((step, index) => {
    const from = reused.get(index);
    // A fork that skips settled steps settles them again.
    const isSettledAgain = from?.settled && skipSettled;
    const kept = from && !isSettledAgain && keptStep(from, true);
    return kept ? { ...kept, index, step, ...writtenBy(prior.run, from, pool) } : [];
  });
}

/** The worker that wrote the output of a step in the original run. Absent if the step has the same worker in the fork. */
function writtenBy(run: Run, step: StepRun, pool: readonly PoolWorker[]): { readonly worker?: PoolWorker } {
  const [writer, now] = [workerOf(run, step), pool[step.step.worker]];
  return writer && !(now && sameWorker(writer, now)) ? { worker: writer } : {};
}

interface CopyOptions {
  /** Whether the user changed the plan for the fork. */
  readonly edited: boolean;
  readonly approval: boolean;
  /** Whether the fork's pool has the same workers at the same indexes as the run's pool. */
  readonly samePool: boolean;
}

function copyRound(
  run: Run,
  round: Round,
  { pool, ...how }: Omit<CopyOptions, 'edited'> & { readonly pool: readonly PoolWorker[] },
): EventBody[] {
  const { workflow } = playedRound(round);
  return [
    ...copyPlan(run, round.round, workflow, { edited: false, ...how }),
    ...copySteps(run, round, pool),
    { type: 'round-finished', round: round.round, outcome: round.outcome ?? 'failed' },
  ];
}

/** If plans need approval, the copied plan counts as approved, because the user saw it before forking. */
function copyPlan(
  run: Run,
  round: number,
  workflow: Workflow,
  { edited, approval, samePool }: CopyOptions,
): EventBody[] {
  const plan = run.rounds[round]?.plan;
  const proposed = edited ? workflow : (plan?.proposed ?? workflow);
  return [
    { type: 'round-started', round },
    {
      type: 'plan-started',
      round,
      conductor: plan?.conductor ?? run.conductor,
      messages: [],
      ...(plan?.policy && !edited ? { policy: plan.policy } : {}),
    },
    {
      type: 'plan-finished',
      round,
      workflow: proposed,
      thought: edited ? '' : (plan?.thought ?? ''),
      text: edited ? '' : (plan?.text ?? ''),
      source: edited ? 'person' : (plan?.source ?? 'person'),
      usage: null,
      cost: null,
      finishReason: edited ? null : (plan?.finishReason ?? null),
      ...(plan?.choices && samePool && !edited ? { choices: plan.choices } : {}),
    },
    ...(sameWorkflow(proposed, workflow) ? [] : [{ type: 'plan-edited' as const, round, workflow }]),
    ...(approval ? [{ type: 'plan-approved' as const, round }] : []),
  ];
}

/** Events that record how each step ended. A copied step makes no call and costs nothing. */
function copySteps(run: Run, { round, steps }: Round, pool: readonly PoolWorker[]): EventBody[] {
  return steps.flatMap((step): EventBody[] => {
    const key = { round, step: step.index, attempt: 0 };
    const kept = keptStep(step, true);
    if (step.settled) {
      const { from, evidence } = step.settled;
      return [{ type: 'step-settled', ...key, output: step.output ?? '', from, evidence }];
    }
    if (kept) {
      const { output, reasoning } = kept;
      const said = kept.verdicts ? { verdicts: kept.verdicts } : {};
      return [{ type: 'step-reused', ...key, output, reasoning, ...writtenBy(run, step, pool), ...said }];
    }
    if (step.because !== null) return [{ type: 'step-skipped', ...key, because: step.because }];
    const { fault, status } = step;
    if (status === 'cancelled') {
      return [{ type: 'step-cancelled', ...key, output: '', reasoning: '', usage: null, cost: null, sent: false }];
    }
    return fault ? [{ type: 'step-failed', ...key, fault, output: '', reasoning: '', usage: null, cost: 0 }] : [];
  });
}
