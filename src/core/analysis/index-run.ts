/** @file Derives what the index of runs stores for a run: its numbers, its steps and its texts. */
import {
  spentOnAnswer,
  summarize,
  workerOf,
  type Attempt,
  type IndexedRun,
  type IndexedStep,
  type IndexedTexts,
  type PoolWorker,
  type Role,
  type Round,
  type Run,
  type StepRun,
  type StepStatus,
} from '../contract';
import { checkedBy, type Truth } from './checked-answers';
import { domainOf } from './domain';
import { planCalls, plansOf, type PlanCall } from './plan-calls';
import { roleOf } from './roles';
import { shapeOf } from './shape';
import { checkerCounts } from './statistics/check-trust';

/**
 * What the index stores for a run. The texts have their full length. The search truncates them.
 * @param truth which answers in the run are right. Default: nothing is known
 */
export function indexRun(
  run: Run,
  truth: Truth = () => null,
): { readonly run: IndexedRun; readonly texts: IndexedTexts } {
  const first = run.rounds[0]?.plan ?? null;
  const rounds = run.rounds.map((round) => ({ round, roles: rolesOf(round) }));
  const planned = first?.workflow?.steps ?? [];
  const indexed: IndexedRun = {
    summary: summarize(run),
    conductorKind: run.conductor.kind,
    domain: domainOf(run.question.text),
    shape: shapeOf(planned, rounds[0]?.roles ?? []),
    grammar: first && first.messages.length > 0 ? first.grammar !== null : null,
    planUsd: sum(planCallsOf(run), ({ cost }) => cost ?? 0),
    laterUsd: run.spent.usd - spentOnAnswer(run).usd,
    judgeUsd: sum(run.judged, ({ cost }) => cost ?? 0),
    judgeUnpriced: run.judged.filter(({ cost }) => cost === null).length,
    parentId: run.parent?.runId ?? null,
    dataset: run.batch?.dataset ?? null,
    method: run.batch?.method ?? null,
    gradedBy: run.grade && run.grade.correct !== null ? run.grade.by : null,
    steps: rounds.flatMap(({ round, roles }) =>
      round.steps
        .filter((step) => !isHandOver(run, step))
        .map((step) => ({
          ...indexStep(run, round, step, roles[step.index] ?? 'solve'),
          ...checksOf(run, round, step, truth),
        })),
    ),
  };
  return { run: indexed, texts: textsOf(run) };
}

/** The roles of a round's steps, by index. */
function rolesOf({ plan, steps }: Round): readonly Role[] {
  const planned = plan?.workflow?.steps ?? steps.map(({ step }) => step);
  return planned.map((_, index) => roleOf(planned, index));
}

/** Whether a step makes no call, and only starts the next round. */
function isHandOver(run: Run, step: StepRun): boolean {
  return step.attempts.length === 0 && workerOf(run, step)?.kind === 'conductor';
}

function planCallsOf(run: Run): readonly PlanCall[] {
  return run.rounds.flatMap((round) => plansOf(round).flatMap((plan) => planCalls(run, plan)));
}

function checksOf(run: Run, { steps }: Round, step: StepRun, truth: Truth): Pick<IndexedStep, 'checks'> {
  const [counts] = checkerCounts(checkedBy(run, steps, step, truth));
  return counts ? { checks: { right: counts.right, wrong: counts.wrong } } : {};
}

function indexStep(run: Run, { round }: Round, step: StepRun, role: Role): IndexedStep {
  const { attempts } = step;
  const worker = workerOf(run, step);
  const first = attempts[0];
  const last = attempts.at(-1);
  const endedAt = last?.endedAt ?? null;
  const beganAt = first ? (first.leftAt ?? first.startedAt) : null;
  return {
    round,
    step: step.index,
    workerId: worker?.id ?? last?.workerId ?? '',
    worker: worker?.name ?? '',
    provider: providerOf(worker),
    role,
    outcome: OUTCOMES[step.status],
    retries: Math.max(0, attempts.length - 1),
    tokens: sum(attempts, ({ usage }) => (usage ? usage.input + usage.output : 0)),
    usd: sum(attempts, ({ cost }) => cost ?? 0),
    unpriced: attempts.filter(isUnpriced).length,
    time: beganAt === null || endedAt === null ? 0 : Math.max(0, endedAt - beganAt),
    latency: last ? latencyOf(last) : null,
  };
}

const OUTCOMES: Readonly<Record<StepStatus, IndexedStep['outcome']>> = {
  planned: 'unfinished',
  queued: 'unfinished',
  running: 'unfinished',
  interrupted: 'unfinished',
  finished: 'finished',
  recursed: 'finished',
  failed: 'failed',
  skipped: 'skipped',
  settled: 'settled',
  reused: 'reused',
  discarded: 'cancelled',
  cancelled: 'cancelled',
};

function isUnpriced({ leftAt, endedAt, cost }: Attempt): boolean {
  return leftAt !== null && endedAt !== null && cost === null;
}

function latencyOf({ leftAt, firstTokenAt }: Attempt): number | null {
  return leftAt === null || firstTokenAt === null ? null : Math.max(0, firstTokenAt - leftAt);
}

function providerOf(worker: PoolWorker | undefined): string {
  if (!worker) return '';
  switch (worker.kind) {
    case 'endpoint':
      return hostOf(worker.origin);
    case 'python':
      return 'tool';
    case 'simulated':
    case 'local':
    case 'recorded':
    case 'conductor':
      return worker.kind;
    default:
      return worker.kind satisfies never;
  }
}

function hostOf(origin: string | null): string {
  return origin !== null && URL.canParse(origin) ? new URL(origin).host : '';
}

function textsOf(run: Run): IndexedTexts {
  const { title, note } = run.annotation;
  const steps = run.rounds.flatMap((round) => round.steps);
  return {
    question: run.question.text,
    answer: run.answer ?? '',
    notes: [title, note, ...run.labels, run.grade?.detail ?? ''].filter((text) => text !== '').join('\n'),
    subtasks: steps.map(({ step }) => step.subtask),
    outputs: steps.flatMap(({ output }) => output ?? []),
  };
}

function sum<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
