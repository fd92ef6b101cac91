/**
 * @file Estimates the remaining runs, calls, cost and time of a batch, without making calls.
 */
import {
  FaultError,
  type Batch,
  type BatchEstimate,
  type Conductor,
  type ConductorInfo,
  type GraderKind,
  type Method,
  type Outcome,
  type PoolWorker,
  type Unit,
  type Workflow,
} from '../../contract';
import type { NewRun } from '../../runs/new-run';
import type { Runs } from '../../runs/runs';
import { knownGrading } from './grade-unit';
import { judgeDigest } from './grading';
import { judgeEstimate, knownAnswer, unknownAnswer, type UnitEstimate } from './judge-estimate';
import { isPlayable } from './player';
import { Tally } from './progress';
import { templatePlan } from './template-plan';
import type { UnitWork, UnitWorks } from './unit-work';
import { unitsOf } from './units';

export interface EstimateDependencies {
  readonly runs: Pick<Runs, 'ceiling' | 'open'>;
  readonly conductorFor: (info: ConductorInfo) => Conductor;
  readonly works: UnitWorks;
  /** The graders of each dataset of the plan. */
  readonly graders: readonly (readonly GraderKind[])[];
}

/** Time to execute and store one run whose workers are simulated, in ms. Measured on a laptop. */
const PLAYED_RUN = 3;
/** Maximum number of units whose stored runs are looked up, so that the user doesn't wait long. */
const MOST_LOOKED_UP = 2_000;
/** Maximum number of units that are estimated individually. The estimate of a larger batch is extrapolated from this sample. */
const MOST_SAMPLED = 400;
/** Number of units whose tasks are read together. */
const PAGE = 100;

/**
 * Estimates the remaining work of a batch. Rejects with an `AbortError` on abort.
 * @param batch has an empty id if it isn't stored yet
 * @param outcomes the stored outcomes of the batch
 */
export async function estimateBatch(
  batch: Batch,
  outcomes: readonly Outcome[],
  dependencies: EstimateDependencies,
  signal: AbortSignal,
): Promise<BatchEstimate> {
  const tally = new Tally(batch, outcomes);
  const { methods } = batch.plan;
  const pending = unitsOf(batch.plan).filter((unit) => !tally.has(unit));
  const isPlayed = ({ method, dataset }: Unit) => {
    const by = batch.plan.methods[method];
    return by !== undefined && isPlayable(by, dependencies.graders[dataset] ?? []);
  };
  // What an equal-cost control may do is known only after the other methods have run.
  const live = pending.filter((unit) => !isPlayed(unit) && !methods[unit.method]?.equalCost);
  const { known, judging } = await knownUnits(live, batch.plan.judge, dependencies, signal);
  const left = pending.filter((unit) => !known.has(unit));
  const sample = evenly(left, MOST_SAMPLED).map((unit) => alikeUnit(unit, methods));
  const estimates: UnitEstimate[] = [];
  const planner = new Planner();
  for (const works of await pagesOf(sample, dependencies.works)) {
    signal.throwIfAborted();
    for (const work of works) {
      const maxTokens = batch.plan.methods[work.unit.method]?.settings.sampling.maxTokens ?? 0;
      const judge = judgeEstimate(batch.plan.judge, work.task, unknownAnswer(maxTokens));
      estimates.push(added(await estimateUnit(work, planner, dependencies, signal), judge));
    }
  }
  const scale = estimates.length === 0 ? 0 : left.length / estimates.length;
  const total = (some: readonly UnitEstimate[], of: (each: UnitEstimate) => number) =>
    some.reduce((sum, each) => sum + of(each), 0);
  const sum = (of: (each: UnitEstimate) => number) => total(estimates, of) * scale + total(judging, of);
  const isPriced = [...estimates, ...judging].every(({ usd }) => usd !== null);
  return {
    units: left.length,
    known: known.size,
    calls: { low: Math.round(sum(({ calls }) => calls.low)), high: Math.round(sum(({ calls }) => calls.high)) },
    usd: isPriced ? { low: sum(({ usd }) => usd?.low ?? 0), high: sum(({ usd }) => usd?.high ?? 0) } : null,
    time: timeOf(batch, outcomes, left, isPlayed),
  };
}

/** A unit of about the same cost: for an equal-cost control, the unit of the method whose cost it may spend. */
function alikeUnit(unit: Unit, methods: readonly Method[]): Unit {
  const { equalCost } = methods[unit.method] ?? {};
  return equalCost ? { ...unit, method: methods.findIndex(({ id }) => id === equalCost.of) } : unit;
}

/**
 * Finds the units whose run is stored and finished, so that only grading remains. Estimates the calls that this grading makes to
 * the judge (a worker that grades answers).
 */
async function knownUnits(
  units: readonly Unit[],
  judge: PoolWorker | null,
  { runs, works }: EstimateDependencies,
  signal: AbortSignal,
): Promise<{ readonly known: ReadonlySet<Unit>; readonly judging: readonly UnitEstimate[] }> {
  const known = new Set<Unit>();
  const judging = new Map<string, UnitEstimate>();
  for (const page of await pagesOf(units.slice(0, MOST_LOOKED_UP), works)) {
    signal.throwIfAborted();
    const stored = await Promise.all(page.map(({ runId }) => runs.open(runId)));
    for (const [index, opened] of stored.entries()) {
      const work = page[index];
      if (!work || opened?.run.status !== 'finished') continue;
      known.add(work.unit);
      const { answer } = opened.run;
      const sha256 = judgeDigest(judge, work.task, answer);
      if (answer === null || sha256 === null || knownGrading(opened.run, sha256)) continue;
      const estimate = judgeEstimate(judge, work.task, knownAnswer(answer));
      // Equal units share one run and one call to the judge, so each call counts once.
      if (estimate) judging.set(`${work.runId} ${sha256}`, estimate);
    }
  }
  return { known, judging: [...judging.values()] };
}

async function pagesOf(units: readonly Unit[], works: UnitWorks): Promise<UnitWork[][]> {
  const pages: UnitWork[][] = [];
  for (let from = 0; from < units.length; from += PAGE) pages.push(await works.of(units.slice(from, from + PAGE)));
  return pages;
}

function evenly<T>(items: readonly T[], most: number): readonly T[] {
  if (items.length <= most) return items;
  return Array.from({ length: most }, (_, index) => items[Math.floor((index * items.length) / most)] as T);
}

async function estimateUnit(
  work: UnitWork,
  planner: Planner,
  { runs }: EstimateDependencies,
  signal: AbortSignal,
): Promise<UnitEstimate> {
  let request: NewRun;
  try {
    request = work.request();
  } catch (thrown) {
    // The Conductor is missing. The run will fail before any call.
    if (thrown instanceof FaultError) return { calls: NONE, usd: NONE };
    throw thrown;
  }
  const planned = await planner.planOf(request, signal);
  const ceiling = runs.ceiling(request, planned ?? undefined);
  const plans = planCallsOf(request);
  const steps = planned ? planned.steps.length : 1;
  return {
    calls: { low: Math.min(steps, ceiling.calls) + plans.low, high: ceiling.calls + plans.high },
    usd: ceiling.free ? NONE : ceiling.range,
  };
}

const NONE = { low: 0, high: 0 };

function added(one: UnitEstimate, other: UnitEstimate | null): UnitEstimate {
  if (!other) return one;
  const sum = (a: typeof NONE, b: typeof NONE) => ({ low: a.low + b.low, high: a.high + b.high });
  return { calls: sum(one.calls, other.calls), usd: one.usd && other.usd && sum(one.usd, other.usd) };
}

/** Minimum and maximum number of calls to the Conductor's model in one run. */
function planCallsOf({ conductor, candidates, planRetries, recursion, recursionMode, caps }: NewRun) {
  switch (conductor.info.kind) {
    case 'heuristic':
    case 'policy':
    case 'template':
    case 'by-hand':
      return NONE;
    case 'endpoint':
    case 'webllm':
    case 'browser':
    case 'transformers': {
      const rounds = recursion ? caps.rounds : recursionMode === 'always' ? 2 : 1;
      return { low: candidates, high: rounds * (candidates + planRetries) };
    }
    default:
      return conductor.info.kind satisfies never;
  }
}

/** Makes the plans of templates. These plans don't depend on the question, so units with equal settings share one plan. */
class Planner {
  readonly #plans = new Map<string, Workflow | null>();

  async planOf(request: NewRun, signal: AbortSignal): Promise<Workflow | null> {
    const { info } = request.conductor;
    if (info.kind !== 'template') return null;
    const key = JSON.stringify([info.id, request.maxSteps, request.pool.map(({ id }) => id)]);
    let plan = this.#plans.get(key);
    if (plan === undefined) {
      plan = await templatePlan(request, signal);
      this.#plans.set(key, plan);
    }
    return plan;
  }
}

/**
 * The remaining time, in ms. A remaining live unit (see `live-units.ts`) is assumed to take the mean time of
 * the live units that its method has already run. If its method has run none yet, the mean of all methods
 * applies. `null`: live units remain, but this batch has run none yet.
 */
function timeOf(
  { plan }: Batch,
  outcomes: readonly Outcome[],
  left: readonly Unit[],
  isPlayed: (unit: Unit) => boolean,
): number | null {
  const played = left.filter(isPlayed).length * PLAYED_RUN;
  const live = left.filter((unit) => !isPlayed(unit));
  if (live.length === 0) return played;
  const ran = outcomes.filter((outcome) => outcome.calls > 0 && !isPlayed(outcome));
  if (ran.length === 0) return null;
  const meanOf = (some: readonly Outcome[]) => some.reduce((sum, { elapsed }) => sum + elapsed, 0) / some.length;
  const all = meanOf(ran);
  const means = plan.methods.map((_, method) => {
    const own = ran.filter((each) => each.method === method);
    return own.length > 0 ? meanOf(own) : all;
  });
  const total = live.reduce((sum, { method }) => sum + (means[method] ?? all), 0);
  return played + total / Math.max(1, plan.concurrency);
}
