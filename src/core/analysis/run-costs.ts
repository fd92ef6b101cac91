/**
 * @file Computes the tokens and the cost of each plan and step of a run. It reads the run's events, because they record the
 * usage and cost of every call that ended, even for replaced plans.
 */
import {
  aloneWorker,
  chargedBy,
  isAwaitingModel,
  isFree,
  isKnownEvent,
  isPaid,
  workerOf,
  type Account,
  type PoolWorker,
  type Run,
  type RunEvent,
  type StepRun,
  type StoredEvent,
} from '../contract';

/** Tokens and US dollars. */
export interface Costs {
  readonly input: number;
  readonly output: number;
  /** Whether any token count is an estimate. */
  readonly estimated: boolean;
  readonly usd: number;
  /** Number of calls of unknown cost. */
  readonly unpriced: number;
}

export interface CostRow extends Costs {
  /**
   * `discarded`: a step that was called before its plan was replaced. `comparison`: a worker compared answers after the run. `alone`: one
   * worker alone also answered the question.
   */
  readonly kind: 'plan' | 'step' | 'discarded' | 'comparison' | 'alone';
  readonly round: number;
  /** Index of the step in its workflow, or `null` for a plan. */
  readonly step: number | null;
  readonly stepRun: StepRun | null;
  /** `null` for a plan, and for a worker that is not in the pool. */
  readonly worker: PoolWorker | null;
  /** The name of the worker that was called after the run. Absent: the row is a part of a plan. */
  readonly by?: string;
  /** Number of calls, including failed ones. 0 for a plan without a model. */
  readonly attempts: number;
  /**
   * Duration in ms, without interruptions of the run. A step lasts from its first call to the end of its last attempt. A plan
   * lasts from its start to its end. `null`: the step had no call, or the step or plan has not ended.
   */
  readonly time: number | null;
}

export interface RunCosts {
  /** The rounds in order, then comparisons. In each round: the plan, the steps, then the discarded steps. */
  readonly rows: readonly CostRow[];
  readonly total: Costs & { readonly attempts: number };
}

interface Sum extends Costs {
  readonly calls: number;
}

/** @param events all events of the run */
export function costsOf(run: Run, events: Iterable<StoredEvent>): RunCosts {
  const sums = sumsOf(events);
  const sumOf = (key: string): Sum => sums.get(key) ?? NO_CALL;
  const rows = run.rounds.flatMap(({ round, plan, lostPlans, steps, discarded }): CostRow[] => {
    const planSum = sumOf(planKey(round));
    const cutOff = [...lostPlans, ...(plan ? [plan] : [])].filter(
      (each) => each.status !== 'writing' && isAwaitingModel(each),
    );
    const { calls, ...paid } = planSum;
    const unpriced = paid.unpriced + cutOff.filter(({ conductor }) => !isFree(chargedBy(conductor))).length;
    const time = plan && plan.endedAt !== null ? plan.endedAt - plan.startedAt : null;
    const attempts = calls + cutOff.length;
    const own = { kind: 'plan', round, step: null, stepRun: null, worker: null, attempts, time } as const;
    return [
      ...(plan ? [{ ...own, ...paid, unpriced }] : []),
      // A step that only starts the next round makes no call, so it is left out.
      ...steps
        .filter((stepRun) => stepRun.attempts.length > 0 || workerOf(run, stepRun)?.kind !== 'conductor')
        .map((stepRun) => stepRow(run, { kind: 'step', round, stepRun }, sumOf)),
      ...discarded.map((stepRun) => stepRow(run, { kind: 'discarded', round, stepRun }, sumOf)),
    ];
  });
  rows.push(...run.compared.map((call) => callAfterRun('comparison', call.by, call)));
  if (run.aloneAnswer) rows.push(callAfterRun('alone', aloneWorker(run)?.name ?? '', run.aloneAnswer));
  const attempts = rows.reduce((sum, row) => sum + row.attempts, 0);
  return { rows, total: { ...rows.reduce(addCosts, NOTHING), attempts } };
}

function callAfterRun(kind: 'comparison' | 'alone', by: string, account: Account): CostRow {
  const { calls, ...paid } = addAccount(NO_CALL, account);
  return { kind, round: 0, step: null, stepRun: null, worker: null, time: null, by, ...paid, attempts: calls };
}

function stepRow(
  run: Run,
  { kind, round, stepRun }: { readonly kind: 'step' | 'discarded'; readonly round: number; readonly stepRun: StepRun },
  sumOf: (key: string) => Sum,
): CostRow {
  const { attempts, index } = stepRun;
  const paid = attempts.reduce<Costs>(
    (total, { attempt }) => addCosts(total, sumOf(stepKey({ round, step: index, attempt }))),
    NOTHING,
  );
  // If the page closed during a call, the cost of the call is unknown.
  const cutOff = attempts.filter(
    ({ status, leftAt, worker }) => status === 'interrupted' && leftAt !== null && !(worker && isFree(worker)),
  );
  const began = attempts.find(({ leftAt }) => leftAt !== null)?.leftAt ?? null;
  const ended = attempts.at(-1)?.endedAt ?? null;
  return {
    kind,
    round,
    step: index,
    stepRun,
    worker: workerOf(run, stepRun) ?? null,
    ...paid,
    unpriced: paid.unpriced + cutOff.length,
    attempts: attempts.length,
    time: began === null || ended === null ? null : ended - began,
  };
}

/**
 * The tokens and costs of the calls that ended, by key. All plans of a round share one key (`planKey`). Each attempt of a step
 * has its own key (`stepKey`).
 */
function sumsOf(events: Iterable<StoredEvent>): ReadonlyMap<string, Sum> {
  const sums = new Map<string, Sum>();
  const open = new Set<string>();
  const book = (key: string, account: Account) => sums.set(key, addAccount(sums.get(key) ?? NO_CALL, account));
  for (const event of events) {
    if (!isKnownEvent(event)) continue;
    switch (event.type) {
      case 'step-started':
        open.add(stepKey(event));
        break;
      case 'step-retried':
      case 'step-finished':
      case 'step-failed':
      case 'step-cancelled':
      case 'step-discarded':
        // Each attempt counts once, at the first event that ends it.
        if (open.delete(stepKey(event))) book(stepKey(event), event);
        break;
      case 'plan-retried':
      case 'plan-candidate':
      case 'plan-finished':
      case 'plan-failed':
        if (isPaid(event)) book(planKey(event.round), event);
        break;
      default:
    }
  }
  return sums;
}

function addAccount(sum: Sum, { usage, cost }: Account): Sum {
  return {
    ...addCosts(sum, {
      input: usage?.input ?? 0,
      output: usage?.output ?? 0,
      estimated: usage?.estimated === true,
      usd: cost ?? 0,
      unpriced: cost === null ? 1 : 0,
    }),
    calls: sum.calls + 1,
  };
}

const NOTHING: Costs = { input: 0, output: 0, estimated: false, usd: 0, unpriced: 0 };
const NO_CALL: Sum = { ...NOTHING, calls: 0 };

function addCosts(one: Costs, other: Costs): Costs {
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    estimated: one.estimated || other.estimated,
    usd: one.usd + other.usd,
    unpriced: one.unpriced + other.unpriced,
  };
}

function planKey(round: number): string {
  return String(round);
}

function stepKey({
  round,
  step,
  attempt,
}: Pick<Extract<RunEvent, { type: 'step-started' }>, 'round' | 'step' | 'attempt'>) {
  return `${round}.${step}.${attempt}`;
}
