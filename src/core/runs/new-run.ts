/**
 * @file The request for a new run: its settings, the reasons why it can't start, and the most it may cost.
 */
import type { ExecuteRequest } from '../executor/request';
import {
  chargedBy,
  fault,
  alwaysFollowed,
  isFree,
  priceUnknown,
  questionTokens,
  settingsOf,
  TEMPLATE_MAX_STEPS,
  toFault,
  type BatchReference,
  type Caps,
  type Charged,
  type Conductor,
  type ConductorInfo,
  type DrawnAlone,
  type Fault,
  type ImageReference,
  type QuestionFile,
  type PoolWorker,
  type QuestionContext,
  type Run,
  type RunSettings,
  type TrustRules,
  type WorkerDirectory,
  type Workflow,
} from '../contract';
import type { PlanHistory } from './history';
import { isDrawn } from './pairs/draw';
import { likelyPlanCost, priceRange, stepPriceRange, type PriceRange } from './price-range';

/** Everything a new run depends on. */
export interface NewRun extends Omit<RunSettings, 'question' | 'conductor' | 'seed' | 'alone'> {
  readonly question: string;
  /** The earlier run that the question follows up on. Default: none. */
  readonly context?: QuestionContext | null;
  /** Images that come with the question. Their bytes are already in the store. Default: none. */
  readonly images?: readonly ImageReference[];
  /** Files that come with the question. Default: none. */
  readonly files?: readonly QuestionFile[];
  /** The workers. If `recursion` is on, the Conductor is added as the last entry, unless the pool already contains it. */
  readonly pool: readonly PoolWorker[];
  readonly conductor: Conductor;
  /** Daily budget of all runs together, US dollars. If set, all prices must be known. Default: none. */
  readonly dayUsd?: number | null;
  /** Default: a new seed. */
  readonly seed?: number;
  /** The earlier runs that the plan preview used. With them, the run gets the same plan. Default: the newest history. */
  readonly planHistory?: PlanHistory;
  /** The run's id, if it must be known before the run starts. Default: a new id. */
  readonly id?: string;
  /** The batch that the run belongs to. Default: none. */
  readonly batch?: BatchReference;
  /** The share of questions that one worker alone also answers, from 0 to 1, and the worker's id. Default: none. */
  readonly alone?: DrawnAlone;
  /** How far the run trusts its checks, if it skips settled steps. Default: each check settles. */
  readonly trustRules?: TrustRules;
}

/** The most a run may use and cost. `null`: no limit. */
export interface Ceiling {
  /** Calls to workers. Retries are not included, although they may count toward the cap on calls. */
  readonly calls: number;
  readonly tokens: number | null;
  /** US dollars. 0 if nothing is charged. */
  readonly usd: number | null;
  /** Whether the Conductor and all workers that may be called are free. */
  readonly free: boolean;
  /** What the run may cost, from short answers to the longest answers, or `null` if a price is unknown. */
  readonly range: PriceRange | null;
}

/** The Conductor as an entry in the pool of a recursive run. */
export function conductorEntry(info: ConductorInfo): PoolWorker {
  const charged = chargedBy(info);
  return {
    ...charged,
    id: `conductor:${info.id}`,
    mark: 'Co',
    colour: 0,
    kind: 'conductor',
    model: info.model ?? '',
    price: isFree(charged) ? { input: 0, output: 0 } : charged.price,
  };
}

/** The pool without the Conductor. */
function callable(request: Pick<NewRun, 'pool'>): readonly PoolWorker[] {
  return request.pool.filter((worker) => worker.kind !== 'conductor');
}

/** The settings that a new run starts with. */
export function startOf(request: NewRun, seed: number = request.seed ?? 0): RunSettings {
  const { alone: wanted, ...given } = request;
  const {
    question: text,
    context,
    images = [],
    files = [],
    conductor,
    recursion,
    candidates,
    choice,
    approval,
  } = request;
  const workers = callable(request);
  const own = request.pool.find((worker) => worker.kind === 'conductor') ?? conductorEntry(conductor.info);
  return settingsOf({
    ...given,
    ...(wanted && isDrawn(wanted.share, seed, text) ? { alone: wanted } : {}),
    question: {
      text,
      ...(context ? { context } : {}),
      ...(images.length > 0 ? { images } : {}),
      ...(files.length > 0 ? { files } : {}),
    },
    pool: recursion ? [...workers, own] : workers,
    conductor: conductor.info,
    seed,
    choice: candidates > 1 ? choice : 'vote',
    // A plan that the user wrote needs no approval.
    approval: approval && conductor.info.kind !== 'by-hand',
  });
}

/** The settings that an earlier run was started with. */
export function startOfRun(run: Run): ExecuteRequest['start'] {
  return run.parent ? { ...settingsOf(run), parent: run.parent } : settingsOf(run);
}

/**
 * Why a run can't start, in words for the user.
 * @returns the first fault found, or `null` if it may start
 */
export function checkNewRun(request: NewRun, directory: WorkerDirectory): Fault | null {
  const workers = callable(request);
  if (request.question.trim() === '') return fault('empty-question', 'Write a question first.');
  if (workers.length === 0) return fault('no-workers', 'Choose at least one worker.');
  if (request.maxSteps < 1) return fault('plan-invalid', 'Allow at least one step per workflow.');
  const called = [chargedBy(request.conductor.info), ...workers];
  return checkCaps(request.caps, called, request.dayUsd) ?? findMissing(workers, directory);
}

/**
 * Why a run can't start with these caps, or `null` if it can. The caps must allow at least one call. If there
 * is a money cap or a daily budget, all prices must be known.
 * @param called the Conductor and the workers that may be called
 */
export function checkCaps(caps: Caps, called: readonly Charged[], dayUsd: number | null = null): Fault | null {
  if (caps.rounds < 1 || caps.calls < 1 || caps.tokens === 0) {
    return fault('cap-reached', 'The limits allow no calls. Raise them first.');
  }
  if (caps.usd === null && dayUsd === null) return null;
  const unpriced = called.find((each) => each.price === null && !isFree(each));
  return unpriced ? priceUnknown(unpriced.name) : null;
}

/** The fault of the first worker that is not set up. `null`: all are set up. */
export function findMissing(workers: readonly PoolWorker[], directory: WorkerDirectory): Fault | null {
  for (const worker of workers) {
    if (worker.kind === 'conductor') continue;
    try {
      directory(worker);
    } catch (thrown) {
      return toFault(thrown);
    }
  }
  return null;
}

/**
 * The most a run may use and cost under its caps.
 * @param planned the workflow of the first round, if it is known before the run. If no other round can follow, only
 *   the workers in this workflow are called
 */
export function ceilingOf(request: NewRun, planned?: Workflow): Ceiling {
  return mostOf(startOf(request), planned);
}

/** The probable cost of writing the plan of a new run, in US dollars. `null` if the price is unknown. */
export function planCostOf(request: NewRun): number | null {
  const { question, conductor, pool, candidates, prompt } = startOf(request);
  return likelyPlanCost({
    questionTokens: questionTokens(question),
    images: question.images?.length ?? 0,
    conductor,
    pool,
    candidates,
    ...(prompt ? { prompt } : {}),
  });
}

/**
 * The most that a run may still use and cost. The run has a plan that waits for the user's approval.
 * @param round the round of this plan
 */
export function ceilingLeft(run: Run, round: number, planned: Workflow): Ceiling {
  const { caps, spent } = run;
  const left = (cap: number | null, used: number) => (cap === null ? null : Math.max(0, cap - used));
  const remaining = {
    rounds: Math.max(1, caps.rounds - round),
    calls: Math.max(0, caps.calls - spent.calls),
    tokens: left(caps.tokens, spent.input + spent.output),
    usd: left(caps.usd, spent.usd),
  };
  return mostOf({ ...run, caps: remaining }, planned, { isPlanned: true, round });
}

/** @param isPlanned whether the plan of the round `round` is written and paid for */
function mostOf(
  {
    question,
    caps,
    maxSteps,
    recursion,
    recursionMode,
    pool,
    conductor,
    sampling,
    candidates,
    planRetries,
    prompt,
    skipSettled = false,
    alone,
  }: RunSettings,
  planned?: Workflow,
  { isPlanned, round } = { isPlanned: false, round: 0 },
): Ceiling {
  const follows = alwaysFollowed({ recursionMode, caps }, round);
  const rounds = recursion ? caps.rounds : follows ? 2 : 1;
  const named = planned?.steps.map((step) => pool[step.worker]);
  const handsOver = follows || named?.at(-1)?.kind === 'conductor';
  const called = named?.filter((worker) => worker?.kind !== 'conductor');
  const planEndsIt = called !== undefined && !handsOver;
  const steps = called ? called.length + (handsOver ? (rounds - 1) * maxSteps : 0) : rounds * maxSteps;
  const workers = planEndsIt ? called.flatMap((worker) => worker ?? []) : callable({ pool });
  const second = pool.findIndex(({ id }) => id === alone?.worker);
  const also = pool.slice(second, second + 1);
  const free = isFree(chargedBy(conductor)) && [...workers, ...also].every(isFree);
  const calls = Math.min(caps.calls, steps);
  const most = { maxSteps, rounds, candidates, calls, maxTokens: sampling.maxTokens };
  const request = {
    ...most,
    questionTokens: questionTokens(question),
    images: question.images?.length ?? 0,
    conductor,
    isPlanned,
    earlier: round,
    pool,
    planned: planned ?? null,
    skips: skipSettled,
    follows,
    planRetries,
    ...(prompt ? { prompt } : {}),
  };
  const answering = { steps: [{ worker: second, subtask: '', access: [] }] };
  const own = priceRange(request);
  const more = stepPriceRange({ ...request, planned: answering }, 0);
  // At equal cost, the worker may spend what the run has spent. Odd numbers of answers and a choice may need three calls more.
  const isEqualCost = alone?.equalCost === true && also.length > 0;
  const after = own && more && { low: more.low, high: isEqualCost ? own.high + 3 * more.high : more.high };
  const range = own && after && { low: own.low + after.low, high: own.high + after.high };
  return {
    calls: Math.min(caps.calls, calls + (isEqualCost ? TEMPLATE_MAX_STEPS : also.length)),
    tokens: caps.tokens,
    usd: free ? 0 : caps.usd,
    free,
    range: underCap(range, caps.usd),
  };
}

/** Limits a price range to the money cap of the run. */
export function underCap(range: PriceRange | null, usd: number | null): PriceRange | null {
  return range && usd !== null ? { low: Math.min(range.low, usd), high: Math.min(range.high, usd) } : range;
}
