/**
 * @file View models of a run's steps. Steps are numbered across rounds, and parallel steps share a row. Steps without text are
 * described by a sentence.
 */
import {
  heldPlan,
  workerOf,
  type Attempt,
  type PoolWorker,
  type Round,
  type Run,
  type StepRun,
  type StepVerdict,
} from '../../../core/contract';
import { count, duration, listed, money } from '../../ui/figures';
import { levelsOf, stepNumber, type StepPlace } from '../../score/parts';
import { hasBegun, isCallWaiting, isRetrying } from '../../score/played-step';
import { waitSentence } from './run-line';

export interface StepView {
  readonly key: string;
  readonly place: StepPlace;
  readonly number: number;
  readonly stepRun: StepRun;
  readonly worker: PoolWorker | null;
  readonly sees: readonly { readonly number: number; readonly colour: number }[];
  /** Whether the step shares its row with a parallel step. */
  readonly half: boolean;
  /** Whether the step is the first of its row. */
  readonly opensRow: boolean;
  readonly isAnswer: boolean;
}

/** The first `most` steps known so far, in order. */
export function stepViews(run: Run, most = Number.POSITIVE_INFINITY): StepView[] {
  const views: StepView[] = [];
  for (const round of run.rounds) {
    if (views.length >= most) break;
    const levels = levelsOf(round.steps.map(({ step }) => step));
    const steps = round.steps.slice(0, most - views.length);
    views.push(...steps.map((stepRun, step) => viewOf(run, { round, stepRun, step, levels })));
  }
  return views;
}

/** One step, or `undefined` if it isn't known. */
export function stepViewAt(run: Run, place: StepPlace): StepView | undefined {
  const round = run.rounds[place.round];
  const stepRun = round?.steps[place.step];
  if (!round || !stepRun) return undefined;
  const levels = levelsOf(round.steps.map(({ step }) => step));
  return viewOf(run, { round, stepRun, step: place.step, levels });
}

interface PlacedStep {
  readonly round: Round;
  readonly stepRun: StepRun;
  readonly step: number;
  readonly levels: readonly number[];
}

function viewOf(run: Run, { round, stepRun, step, levels }: PlacedStep): StepView {
  const answer = answerPlace(run);
  const place = { round: round.round, step };
  const first = stepNumber(run, { round: round.round, step: 0 });
  const beside = (other: number) => levels[other] !== undefined && levels[other] === levels[step];
  return {
    key: `${place.round}.${place.step}`,
    place,
    number: first + step,
    stepRun,
    worker: workerOf(run, stepRun) ?? null,
    sees: stepRun.step.access.map((seen) => ({
      number: first + seen,
      colour: run.pool[round.steps[seen]?.step.worker ?? -1]?.colour ?? 0,
    })),
    half: beside(step - 1) || beside(step + 1),
    opensRow: !beside(step - 1),
    isAnswer: answer?.round === place.round && answer.step === step,
  };
}

/**
 * The step whose output is or will be the answer. `null` while the newest plan is not finished, or if its last step hands over
 * to another round.
 */
export function answerPlace(run: Run): StepPlace | null {
  if (run.answerKey) return run.answerKey;
  const round = run.rounds.at(-1);
  const last = round?.steps.at(-1);
  if (!round || !last || !round.plan?.workflow) return null;
  return run.pool[last.step.worker]?.kind === 'conductor' ? null : { round: round.round, step: round.steps.length - 1 };
}

/** A step's text so far. */
export function outputOf(stepRun: StepRun): string {
  return stepRun.output ?? stepRun.attempts.at(-1)?.output ?? '';
}

/** Whether the newest attempt of a step is still running, with or without text so far. */
export function isStreaming(run: Run, stepRun: StepRun | undefined): boolean {
  return run.status === 'running' && stepRun?.attempts.at(-1)?.status === 'running';
}

/** How the number of a step is drawn. `full`: a call was sent, an output was reused, or the step requested another round. */
export function lookOf({ status, attempts, output }: StepRun): 'full' | 'ghost' | 'failed' {
  if (status === 'failed') return 'failed';
  return attempts.some(({ leftAt }) => leftAt !== null) || output !== null || status === 'recursed' ? 'full' : 'ghost';
}

/** "5.8 s · 842 tok · $0.0004", as far as it is known. The time begins when the first call is sent. */
export function stepFacts(stepRun: StepRun, now: number): string {
  const { attempts } = stepRun;
  const begin = attempts.find(({ leftAt }) => leftAt !== null)?.leftAt ?? null;
  const last = attempts.at(-1);
  if (!last) return stepRun.settled ? 'not called, $0' : '';
  if (!hasBegun(stepRun)) return 'not called';
  const waits = isCallWaiting(stepRun);
  if (begin === null) return 'waiting';
  const end = last.endedAt ?? now;
  const tokens = sum(attempts, ({ usage }) => (usage ? usage.input + usage.output : null));
  const estimated = attempts.some(({ usage }) => usage?.estimated);
  const cost = sum(attempts, (attempt) => attempt.cost);
  return [
    duration(end - begin),
    ...(waits ? ['waiting'] : []),
    ...(attempts.length > 1 ? [`${attempts.length} tries`] : []),
    ...(tokens === null ? [] : [`${estimated ? 'about ' : ''}${count(tokens)} tok`]),
    ...(cost === null ? [] : [money(cost)]),
    ...(stepRun.verdicts ? [verdictWords(stepRun.verdicts)] : []),
  ].join(' · ');
}

/** "verdict: right", or "verdicts: right, wrong" for several answers. */
function verdictWords(verdicts: readonly StepVerdict[]): string {
  return `${verdicts.length === 1 ? 'verdict' : 'verdicts'}: ${verdicts.map(({ verdict }) => verdict).join(', ')}`;
}

function sum(attempts: readonly Attempt[], value: (attempt: Attempt) => number | null): number | null {
  const known = attempts.flatMap((attempt) => value(attempt) ?? []);
  return known.length === 0 ? null : known.reduce((total, each) => total + each, 0);
}

/** A sentence for a step without text: what the step is doing, or why it has no text. `''`: the step needs no sentence. */
export function stepSentence(run: Run, view: StepView, now: number): string {
  const { stepRun, worker } = view;
  const last = stepRun.attempts.at(-1);
  switch (stepRun.status) {
    case 'planned':
    case 'queued':
      if (run.status !== 'running') return 'Not run.';
      if (heldPlan(run)?.round === view.place.round) return 'Waiting for your approval.';
      if (isRetrying(stepRun)) return `${last?.fault?.message ?? ''} ${retryWords(last?.retryAt ?? null, now)}`;
      return waitsFor(run, view) || capsWait(run) || `Queued for ${worker?.name ?? 'a worker'}.`;
    case 'running':
      if (last?.output) return '';
      if (last?.wait) return waitSentence(last.wait, worker, now);
      return last?.reasoning ? 'Thinking.' : 'Called. No reply yet.';
    case 'skipped': {
      if (stepRun.because === stepRun.index) return 'Not run, because a limit allows no further round.';
      const missing = stepRun.because === null ? null : stepNumber(run, { ...view.place, step: stepRun.because });
      return missing === null ? 'Not run.' : `Not run, because step ${missing} has no result.`;
    }
    case 'cancelled':
      return 'Stopped.';
    case 'settled': {
      const { from = 0, evidence = [] } = stepRun.settled ?? {};
      const numberOf = (step: number) => stepNumber(run, { ...view.place, step });
      const found = evidence.includes(from) ? 'gave the answer' : `found the answer of step ${numberOf(from)} right`;
      const steps = evidence.length === 1 ? 'step' : 'steps';
      return `Not called: ${steps} ${listed(evidence.map(numberOf))} ${found}.`;
    }
    case 'interrupted':
      return 'Interrupted: the page that ran it was closed.';
    case 'discarded':
      return 'Discarded with the plan it belonged to.';
    case 'recursed':
      return 'Handed over to the Conductor for another round.';
    case 'finished':
    case 'failed':
    case 'reused':
      return '';
    default:
      return stepRun.status satisfies never;
  }
}

function retryWords(retryAt: number | null, now: number): string {
  const left = retryAt === null ? 0 : retryAt - now;
  return left > 0 ? `Retrying in ${duration(left)}.` : 'Retrying.';
}

/**
 * The sentence for a step that has all its inputs but is not called, because running calls may use up the run's
 * limits. `''` if no call is running.
 */
function capsWait(run: Run): string {
  const isBusy = run.rounds.some(({ steps }) => steps.some((step) => step.status === 'running'));
  return isBusy
    ? 'Waiting for running calls, because together with this call they could exceed a limit of this run.'
    : '';
}

/** Names the steps that this step waits for: steps that it sees and that have no result yet. `''`: none. */
function waitsFor(run: Run, { place, stepRun }: StepView): string {
  const missing = stepRun.step.access.filter((seen) => (run.rounds[place.round]?.steps[seen]?.output ?? null) === null);
  const numbers = missing.map((seen) => stepNumber(run, { ...place, step: seen }));
  if (numbers.length === 0) return '';
  return `Waiting for ${numbers.length === 1 ? 'step' : 'steps'} ${listed(numbers)}.`;
}
