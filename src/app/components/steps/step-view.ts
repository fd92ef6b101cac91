/** @file A run's steps as the page shows them: numbered through the rounds, parallel ones side by side, states in sentences. */
import {
  freePlanOf,
  heldPlan,
  workerOf,
  type Attempt,
  type PoolWorker,
  type Round,
  type Run,
  type StepRun,
  type Wait,
} from '../../../core/contract';
import { count, duration, listed, money, plural, tokenRate } from '../figures';
import { policyPart } from '../policy-words';
import { isRetrying, levelsOf, stepNumber, type StepPlace } from '../score/parts';
import { standInWords } from '../stand-in-words';

export interface StepView {
  readonly key: string;
  readonly place: StepPlace;
  readonly number: number;
  readonly stepRun: StepRun;
  readonly worker: PoolWorker | null;
  readonly sees: readonly { readonly number: number; readonly colour: number }[];
  /** Shares its row with a step that neither sees it nor is seen by it. */
  readonly half: boolean;
  /** The first of such a row. */
  readonly opensRow: boolean;
  readonly isAnswer: boolean;
}

/** The steps known so far, in order: the first `most` of them. */
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

/** One step; `undefined` where it is not known. */
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

/** The step whose output is the answer, or will be if all goes well; `null` while no plan is finished. */
export function answerPlace(run: Run): StepPlace | null {
  if (run.answerKey) return run.answerKey;
  const round = run.rounds.at(-1);
  const last = round?.steps.at(-1);
  if (!round || !last || !round.plan?.workflow) return null;
  return run.pool[last.step.worker]?.kind === 'conductor' ? null : { round: round.round, step: round.steps.length - 1 };
}

/** The text that a step has given so far, wherever it stands. */
export function outputOf(stepRun: StepRun): string {
  return stepRun.output ?? stepRun.attempts.at(-1)?.output ?? '';
}

/** Whether a step of a run is still writing. */
export function isStreaming(run: Run, stepRun: StepRun | undefined): boolean {
  return run.status === 'running' && stepRun?.attempts.at(-1)?.status === 'running';
}

/** How the number of a step is drawn: `full` once it has been called. */
export function lookOf({ status, attempts, output }: StepRun): 'full' | 'ghost' | 'failed' {
  if (status === 'failed') return 'failed';
  return attempts.length > 0 || output !== null || status === 'recursed' ? 'full' : 'ghost';
}

/** "5.8 s · 842 tok · $0.0004", as far as it is known. */
export function stepFacts(stepRun: StepRun, now: number): string {
  const { attempts } = stepRun;
  const first = attempts[0];
  const last = attempts.at(-1);
  if (!first || !last) return '';
  const end = last.endedAt ?? now;
  const tokens = sum(attempts, ({ usage }) => (usage ? usage.input + usage.output : null));
  const estimated = attempts.some(({ usage }) => usage?.estimated);
  const cost = sum(attempts, (attempt) => attempt.cost);
  return [
    duration(end - first.startedAt),
    ...(attempts.length > 1 ? [`${attempts.length} tries`] : []),
    ...(tokens === null ? [] : [`${estimated ? 'about ' : ''}${count(tokens)} tok`]),
    ...(cost === null ? [] : [money(cost)]),
  ].join(' · ');
}

function sum(attempts: readonly Attempt[], value: (attempt: Attempt) => number | null): number | null {
  const known = attempts.flatMap((attempt) => value(attempt) ?? []);
  return known.length === 0 ? null : known.reduce((total, each) => total + each, 0);
}

/** What a step that gives no text is doing or why it gives none; `''` where its text says it. */
export function stepSentence(run: Run, view: StepView, now: number): string {
  const { stepRun, worker } = view;
  const last = stepRun.attempts.at(-1);
  switch (stepRun.status) {
    case 'planned':
    case 'queued':
      if (run.status !== 'running') return 'Not run.';
      if (heldPlan(run)?.round === view.place.round) return 'Waits for your go.';
      if (isRetrying(stepRun)) return `${last?.fault?.message ?? ''} Asking again.`;
      return waitsFor(run, view) || `Waits for its turn at ${worker?.name ?? 'a worker'}.`;
    case 'running':
      if (last?.output) return '';
      if (last?.wait) return waitSentence(last.wait, worker, now);
      return last?.reasoning ? 'Thinking.' : 'Called. No word yet.';
    case 'skipped': {
      if (stepRun.because === stepRun.index) return 'Not run, because a limit allows no further round.';
      const missing = stepRun.because === null ? null : stepNumber(run, { ...view.place, step: stepRun.because });
      return missing === null ? 'Not run.' : `Not run, because step ${missing} has no result.`;
    }
    case 'cancelled':
      return 'Stopped.';
    case 'interrupted':
      return 'Interrupted: the page that ran it was closed.';
    case 'discarded':
      return 'Discarded: the plan it belonged to was lost.';
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

/** Who is called, as far as it takes to name them. */
type Called = Pick<PoolWorker, 'name'> & { readonly origin?: string | null };

/** What holds the call back, and for how long. */
function waitSentence({ for: cause, until }: Wait, called: Called | null, now: number): string {
  const host = hostOf(called);
  switch (cause) {
    case 'limit': {
      const left = until === null ? 0 : until - now;
      return `Waits for the limit of ${host}${left > 0 ? `, ${duration(left)} to go` : ''}.`;
    }
    case 'place':
      return `Waits for its turn: other calls to ${host} are under way.`;
    case 'money':
      return 'Waits for calls under way: together they might cost more than the day allows.';
    default:
      return cause satisfies never;
  }
}

function hostOf(called: Called | null): string {
  const origin = called?.origin ?? '';
  return URL.canParse(origin) ? new URL(origin).host : (called?.name ?? 'the worker');
}

/** Which of the steps that it sees have no result yet; `''` if all have. */
function waitsFor(run: Run, { place, stepRun }: StepView): string {
  const missing = stepRun.step.access.filter((seen) => (run.rounds[place.round]?.steps[seen]?.output ?? null) === null);
  const numbers = missing.map((seen) => stepNumber(run, { ...place, step: seen }));
  if (numbers.length === 0) return '';
  return `Waits for ${numbers.length === 1 ? 'step' : 'steps'} ${listed(numbers)}.`;
}

/** "4 steps · planned in 7.4 s · valid at the first try": the plan of a run in one line, and what a call for one waits for. */
export function planLine(run: Run, now: number): string {
  const round = run.rounds.at(-1);
  const open = round?.plan?.status === 'writing' ? round.plan : null;
  if (!round || !open?.wait || run.status !== 'running') return wholePlanLine(run);
  const { label, origin } = open.conductor;
  const what = round.round === 0 ? wholePlanLine(run) : `Planning round ${round.round + 1}`;
  return `${what}. ${waitSentence(open.wait, { name: label, origin: origin ?? null }, now)}`;
}

function wholePlanLine(run: Run): string {
  const steps = run.rounds.reduce((all, round) => all + round.steps.length, 0);
  const plan = run.rounds[0]?.plan;
  if (!plan || plan.status === 'writing') {
    if (run.candidates > 1 && plan) {
      const drawn = plan.candidates.length;
      if (drawn < run.candidates) return `Writing plan ${drawn + 1} of ${run.candidates}`;
      return plan.candidates.some(({ workflow }) => workflow !== null) ? plural(drawn, 'plan') : 'Asking once more';
    }
    return steps === 0 ? 'Planning' : `Planning, ${steps} known so far`;
  }
  if (plan.status !== 'finished') return 'No plan';
  const took = (plan.endedAt ?? 0) - plan.startedAt;
  const parts = [`${steps} ${steps === 1 ? 'step' : 'steps'}`];
  if (run.rounds.length > 1) parts.push(`${run.rounds.length} rounds`);
  if (plan.source === 'person') parts.push('written by hand');
  else parts.push(took < 50 ? 'planned at once' : `planned in ${duration(took)}`);
  const rate = plan.speed?.decode ?? null;
  if (rate !== null) parts.push(tokenRate(rate));
  if (freePlanOf(run) !== null) parts.push('without the grammar');
  if (plan.edited) parts.push('edited by you');
  const shared = policyPart(plan);
  if (shared) parts.push(shared);
  else if (plan.source === 'fallback' && plan.policy?.part !== 'skeleton') parts.push(standInWords(plan));
  if (plan.source !== 'fallback' && plan.text !== '')
    parts.push(plan.retries.length === 0 ? 'valid at the first try' : 'valid at the second try');
  return parts.join(' · ');
}

/** What all of it would have taken one after the other, ms. */
export function timeInLine(run: Run): number {
  const attempts = run.rounds.flatMap((round) => [
    ...(round.plan ? [round.plan] : []),
    ...round.steps.flatMap((step) => step.attempts),
  ]);
  return attempts.reduce((total, { startedAt, endedAt }) => total + (endedAt === null ? 0 : endedAt - startedAt), 0);
}
