/**
 * @file Prepares a resumed run. Finished steps are kept, and only the other steps run. So no finished paid call is repeated.
 */
import {
  accountFor,
  chargedBy,
  correctionMessages,
  isAwaitingModel,
  limitsOfPlan,
  missingFrom,
  NOTHING_SPENT,
  renderPrompt,
  samePrice,
  sameWorker,
  samplingOf,
  sourcesOf,
  resumablePlan,
  type Account,
  type Attempt,
  type Charged,
  type ConductorInfo,
  type EventBody,
  type Message,
  type Plan,
  type PromptSources,
  type ResumedWith,
  type Round,
  type Run,
  type StepRun,
} from '../contract';
import type { ExecuteRequest, ResumePrior } from './request';
import {
  answerOf,
  freshRound,
  type KeptStep,
  type LostStep,
  type Opening,
  type OpenRound,
  type PlayedRound,
} from './opening';

/**
 * Prepares the resumed run. It uses the request's pool, caps, sampling, step limit and number of candidates. The event
 * `run-resumed` records changes of these settings, and a change of the Conductor. All other settings stay as recorded.
 */
export function openResumed({ start }: Pick<ExecuteRequest, 'start'>, { run, raised }: ResumePrior): Opening {
  const { pool, caps, sampling, maxSteps, candidates } = start;
  const { played, next, early } = run.early ? earlyEnd(run, run.early) : progressOf(run);
  return {
    snapshot: { ...run, pool, caps, sampling, maxSteps, candidates },
    segment: run.segments.length,
    firstSeq: run.lastSeq + 1,
    spent: spentBy(run),
    events: [
      { type: 'run-resumed', ...payerOf(run, start), ...changesOf(run, start), ...(raised ? { raised } : {}) },
      ...(early ? roundEndedEarly(run, early) : []),
    ],
    played: played.map((round) => playedRound(round)),
    next,
    ...(early ? { early } : {}),
  };
}

/** The finished rounds of a run, and how it goes on. */
interface Progress extends Pick<Opening, 'next'> {
  readonly played: readonly Round[];
  readonly early?: NonNullable<Run['early']>;
}

function progressOf(run: Run): Progress {
  const last = run.rounds.at(-1);
  const isOpen = last !== undefined && (last.outcome === null || last.outcome === 'failed');
  if (isOpen) return { played: run.rounds.slice(0, -1), next: openRound(run, last) };
  return { played: run.rounds, next: last && isLast(last) ? null : freshRound(run.rounds.length) };
}

/** The end of the round in which the user ended the run early, if the page was closed before it was stored. */
function roundEndedEarly(run: Run, { round: from, during }: NonNullable<Run['early']>): EventBody[] {
  if (run.rounds[during]?.outcome !== null) return [];
  return [{ type: 'round-finished', round: during, outcome: from === during ? 'answered' : 'kept' }];
}

/** Only the early end is completed: the steps that it cancelled are not called. */
function earlyEnd(run: Run, early: NonNullable<Run['early']>): Progress {
  const place = early.during + 1;
  const combining = run.rounds[place];
  if (combining?.outcome === 'answered') return { played: run.rounds, next: null };
  const next = early.combinedBy === undefined ? null : combining ? openRound(run, combining) : freshRound(place);
  return { played: run.rounds.slice(0, place), next, early };
}

/**
 * The batch that pays for the run from now on. Absent if it is the batch that paid until now, or if no batch pays.
 */
function payerOf({ batch, resumedFor }: Run, start: ExecuteRequest['start']): { readonly batch?: string } {
  const before = resumedFor.at(-1)?.batchId ?? batch?.id;
  return start.batch && start.batch.id !== before ? { batch: start.batch.id } : {};
}

function changesOf(run: Run, start: ExecuteRequest['start']): ResumedWith {
  const { pool, conductor, caps, sampling, maxSteps, candidates } = start;
  const isSamePool = run.pool.every((worker, index) => {
    const now = pool[index];
    return now !== undefined && sameWorker(worker, now);
  });
  return {
    ...(isSamePool ? {} : { pool }),
    ...(isSameConductor(run.conductor, conductor) ? {} : { conductor }),
    ...(CAPS.every((cap) => run.caps[cap] === caps[cap]) ? {} : { caps }),
    ...(SAMPLING.every((field) => run.sampling[field] === sampling[field]) ? {} : { sampling }),
    ...(run.maxSteps === maxSteps ? {} : { maxSteps }),
    ...(run.candidates === candidates ? {} : { candidates }),
  };
}

const CAPS = ['rounds', 'calls', 'tokens', 'usd'] as const;
const SAMPLING = ['temperature', 'maxTokens', 'seed'] as const;

function isSameConductor(one: ConductorInfo, other: ConductorInfo): boolean {
  return (
    one.id === other.id &&
    one.label === other.label &&
    one.model === other.model &&
    (one.origin ?? null) === (other.origin ?? null) &&
    samePrice(one.price ?? null, other.price ?? null)
  );
}

function isLast({ outcome }: Round): boolean {
  return outcome === 'answered' || outcome === 'kept';
}

/** A finished round of a stored run. */
export function playedRound(round: Round): PlayedRound {
  const workflow = round.plan?.workflow ?? { steps: round.steps.map(({ step }) => step) };
  const outputs = round.steps.map(({ output }) => output);
  return { workflow, outputs, answer: answerOf(outputs) };
}

function openRound(run: Run, round: Round): OpenRound {
  const { plan } = round;
  const workflow = resumablePlan(run, round);
  const isMade = workflow !== null || plan?.isChoiceOpen === true;
  return {
    round: round.round,
    begun: true,
    workflow,
    candidates: plan?.isChoiceOpen ? plan.candidates : [],
    approved: plan?.approved === true,
    maxSteps: plan && isMade ? limitsOfPlan(run, round.round, plan).maxSteps : null,
    kept: round.steps.flatMap((step) => keptStep(step, false) ?? []),
    lost: lostSteps(round),
    nextAttempts: nextAttempts(round),
  };
}

/**
 * The output of a step that a resumed run or a fork keeps. `null` if the step has no output.
 * @param reused whether a fork copies the step. The copy costs nothing, and its attempt has the number 0
 */
export function keptStep(step: StepRun, reused: boolean): KeptStep | null {
  if (step.output === null) return null;
  const attempt = step.attempts.findLast(({ status }) => status === 'finished');
  return {
    index: step.index,
    step: step.step,
    output: step.output,
    reasoning: attempt?.reasoning ?? step.reasoning,
    attempt: reused ? 0 : (attempt?.attempt ?? 0),
    account: attempt && !reused ? { usage: attempt.usage, cost: attempt.cost } : NOTHING_SPENT,
    reused,
    ...(step.verdicts ? { verdicts: step.verdicts } : {}),
    ...(step.settled ? { settled: step.settled } : {}),
  };
}

/** The steps without an output that a finished step has gone on without. They are not called again. */
function lostSteps({ steps }: Round): LostStep[] {
  const lost = new Map<number, LostStep>();
  const add = (index: number) => {
    const found = steps[index];
    if (!found || found.output !== null || lost.has(index)) return;
    const { step, fault, because } = found;
    lost.set(index, { index, step, fault, because });
    if (because !== null) add(because);
  };
  for (const step of steps) if (step.output !== null) for (const index of missingFrom(steps, step.step)) add(index);
  return [...lost.values()];
}

/** The number of the next attempt of each step. Attempts of earlier plans of the round count, too. */
function nextAttempts({ steps, discarded }: Round): number[] {
  const next: number[] = [];
  for (const { index, attempts } of [...steps, ...discarded]) {
    for (const { attempt } of attempts) next[index] = Math.max(next[index] ?? 0, attempt + 1);
  }
  return next;
}

/** The texts that were sent and received in one call. `corrections` are the messages that followed the prompt. */
type Exchange = Pick<Attempt, 'messages' | 'output' | 'reasoning'> & { readonly corrections?: readonly Message[] };

/**
 * The spending that counts towards the caps: all recorded costs, and estimates for calls that were cut off when the page
 * closed.
 */
function spentBy(run: Run): Opening['spent'] {
  const { spent } = run;
  let tokens = spent.input + spent.output;
  let { usd } = spent;
  const add = ({ usage, cost }: Account) => {
    tokens += usage ? usage.input + usage.output : 0;
    usd += cost ?? 0;
  };
  for (const { plan, lostPlans, steps, discarded } of run.rounds) {
    const plans = plan ? [...lostPlans, plan] : lostPlans;
    for (const cutOff of plans.filter(isAwaitingModel)) add(estimatePlan(run, cutOff));
    for (const { attempts } of [...steps, ...discarded]) {
      for (const attempt of attempts) {
        const { worker } = attempt;
        // A call that was still waiting had not been sent, so it cost nothing.
        if (!worker || attempt.wait !== null) continue;
        if (attempt.status !== 'interrupted' && attempt.status !== 'running') continue;
        add(estimateAccount(run, worker, attempt, samplingOf(worker, run.sampling).maxTokens));
      }
    }
  }
  return { calls: spent.calls, tokens, usd };
}

/** The messages after the prompt in the last request for a plan. They ask the model to correct its plan. */
function correctionsOf({ retries }: Plan): Message[] {
  const last = retries.findLast(({ correction }) => correction !== null);
  return last?.correction ? correctionMessages(last.text, last.correction) : [];
}

function estimatePlan(run: Run, plan: Plan): Account {
  const maxTokens = plan.sampling?.maxTokens ?? run.sampling.maxTokens;
  const exchange = { ...plan, output: plan.text, corrections: correctionsOf(plan) };
  return estimateAccount(run, chargedBy(plan.conductor), exchange, maxTokens);
}

function estimateAccount(run: Run, worker: Charged, attempt: Exchange, maxTokens: number): Account {
  return accountFor({
    worker,
    messages: [...renderPrompt(attempt.messages, forgivingSources(run)), ...(attempt.corrections ?? [])],
    output: attempt.output,
    reasoning: attempt.reasoning,
    maxTokens,
    reported: { usage: null, cost: null },
    fault: null,
  });
}

/** The texts of a run. A missing text is empty, so that a damaged run can be resumed. */
function forgivingSources(run: Run): PromptSources {
  const { question, subtask, output } = sourcesOf(run);
  return {
    question,
    subtask: (round, step) => subtask(round, step) ?? '',
    output: (round, step) => output(round, step) ?? '',
  };
}
