/**
 * @file Chooses the Conductor if the user has not chosen one. `docs/plans.md` has the rules as a table, and the test
 * of this file has one case for each row. The question has no influence, so the choice does not change while the user types.
 *
 * If a worker becomes the Conductor, it is chosen from the workers that can write a plan and can be reached:
 * 1. If images are attached and some of these workers can see images, the others are excluded.
 * 2. Workers whose ability (`generalAbility`) is more than `NEAR_BEST` below the best are excluded, and so are workers of unknown
 *    ability. If no ability is known, no worker is excluded.
 * 3. The cheapest worker is chosen. A worker without a known price counts as more expensive than any other. Of equally cheap
 *    workers, the one with the highest ability is chosen, then the first in the pool.
 */
import {
  canSee,
  isFree,
  isReal,
  poolKind,
  type ConductorInfo,
  type Domain,
  type Effort,
  type GradedRun,
  type PoolWorker,
  DOMAINS,
} from '../contract';
import { endpointConductorInfo } from './endpoint-info';
import { HEURISTIC_INFO } from './heuristic';
import { POLICY_INFO } from './policy-info';
import { templateInfo } from './templates/entries';
import { PRIOR_RUNS, UNKNOWN_STRENGTH } from '../analysis/worker-record';

/** Workers count as equally able if their ability is at most this much below the best ability. Abilities are from 0 to 1. */
const NEAR_BEST = 0.05;
/** Tokens in the prompt of a typical plan and in the plan itself, to compare prices. */
const PLAN_INPUT = 1500;
const PLAN_OUTPUT = 400;

export interface DefaultRequest {
  /** The workers in the user's pool. No other worker is ever chosen. */
  readonly pool: readonly PoolWorker[];
  /** The Conductor of the model that is loaded on this machine. `null`: no model is loaded. */
  readonly local: ConductorInfo | null;
  readonly isOnline: boolean;
  /** Whether all data must stay on this machine. */
  readonly isPrivate: boolean;
  readonly hasImages: boolean;
  readonly effort: Effort;
  /** Whether two cheap workers answer first, so that the others are called only if these disagree. */
  readonly scouts: boolean;
  /** The user's graded runs. */
  readonly history: readonly GradedRun[];
}

/**
 * How a worker was chosen.
 * - `only`: it is the only worker that can be reached and can write the plan, or the only such worker that can see the images
 * - `best`: the worker has the highest ability
 * - `near-best`: the worker is cheaper than the best worker, and nearly as able
 * - `cheapest`: no ability is known, so the price decides
 * - `first`: neither abilities nor prices are known, so the order in the pool decides
 */
export type WorkerRank = 'only' | 'best' | 'near-best' | 'cheapest' | 'first';

/**
 * Why this Conductor was chosen. The first reason that applies counts.
 * - `scouts`: two cheap workers answer first
 * - `empty`: the pool has neither simulated workers nor workers that call a model
 * - `practice`: the pool has simulated workers, but no worker that calls a model
 * - `local`: a model is loaded on this machine
 * - `private`: all data must stay on this machine
 * - `no-writer`: no worker in the pool can write a plan
 * - `offline`: no worker that can write a plan can be reached
 * - `worker`: a worker in the pool was chosen
 */
export type DefaultReason =
  | { readonly kind: 'scouts' | 'empty' | 'practice' | 'local' | 'private' | 'offline' | 'no-writer' }
  | {
      readonly kind: 'worker';
      readonly rank: WorkerRank;
      /** The domain in which the worker has its highest declared strength or published ability. `null`: no domain is known. */
      readonly strongest: Domain | null;
      /** Whether the worker was preferred because it can see the attached images. */
      readonly sees: boolean;
    };

export interface DefaultConductor {
  /**
   * Id of the Conductor. If the Conductor is the policy and can't be loaded, the built-in rules plan instead.
   */
  readonly id: string;
  readonly reason: DefaultReason;
}

/** The Conductor of a run if the user has not chosen one. */
export function defaultConductor(request: DefaultRequest): DefaultConductor {
  const { pool, local, isOnline, isPrivate, hasImages, effort, scouts, history } = request;
  const kind = poolKind(pool);
  // Cheap workers often can't see images. Tools can't answer.
  const mayScout = pool.filter((worker) => isReal(worker) || worker.kind === 'simulated').length > 1 && !hasImages;
  if (scouts && mayScout) return { id: templateInfo('scouts-first').id, reason: { kind: 'scouts' } };
  if (kind === 'empty' || kind === 'practice') return { id: POLICY_INFO.id, reason: { kind } };
  if (local) return { id: local.id, reason: { kind: 'local' } };
  if (isPrivate) return builtIn('private', effort);
  const writers = pool.filter((worker) => worker.kind === 'endpoint');
  if (writers.length === 0) return builtIn('no-writer', effort);
  const reachable = writers.filter((worker) => isOnline || isOnThisComputer(worker));
  const seeing = hasImages ? reachable.filter(canSee) : [];
  const chosen = chooseWriter(seeing.length > 0 ? seeing : reachable, history);
  if (!chosen) return builtIn('offline', effort);
  const sees = seeing.length > 0 && seeing.length < reachable.length;
  return { id: endpointConductorInfo(chosen.worker).id, reason: { kind: 'worker', ...chosen.by, sees } };
}

/** The worker with the highest known ability, or else the first one. `null`: no worker answers questions. */
export function strongestWorker(pool: readonly PoolWorker[]): PoolWorker | null {
  const [first, ...others] = pool.filter(({ kind }) => kind !== 'python' && kind !== 'conductor');
  if (!first) return null;
  const ability = (worker: PoolWorker) => generalAbility(worker, [])?.ability ?? UNKNOWN_STRENGTH;
  return others.reduce((best, worker) => (ability(worker) > ability(best) ? worker : best), first);
}

/**
 * The built-in Conductor for workers that cost something. With the three steps of the effort `balanced`, the rules are right at least
 * as often as the policy, and make fewer calls (`models/policy/NOTES.md`). With one or five steps, the policy is better.
 */
export function builtInInfo(effort: Effort): ConductorInfo {
  return effort === 'balanced' ? HEURISTIC_INFO : POLICY_INFO;
}

function builtIn(kind: 'private' | 'offline' | 'no-writer', effort: Effort): DefaultConductor {
  return { id: builtInInfo(effort).id, reason: { kind } };
}

interface Writer {
  readonly worker: PoolWorker;
  readonly known: GeneralAbility | null;
  /** US dollars for a typical plan. Infinite if the price is unknown. */
  readonly cost: number;
}

function chooseWriter(workers: readonly PoolWorker[], history: readonly GradedRun[]) {
  const writers = workers.map((worker): Writer => {
    return { worker, known: generalAbility(worker, history), cost: planCost(worker) };
  });
  const best = Math.max(...writers.map(({ known }) => known?.ability ?? -Infinity));
  const able = writers.filter(({ known }) => known !== null && known.ability >= best - NEAR_BEST);
  const [chosen] = (able.length > 0 ? able : writers).toSorted(
    (one, other) => compare(one.cost, other.cost) || abilityOf(other) - abilityOf(one),
  );
  if (!chosen) return null;
  const by = { rank: rankOf(chosen, writers, best), strongest: chosen.known?.strongest ?? null };
  return { worker: chosen.worker, by };
}

function rankOf(chosen: Writer, writers: readonly Writer[], best: number): WorkerRank {
  if (writers.length === 1) return 'only';
  if (chosen.known) return chosen.known.ability === best ? 'best' : 'near-best';
  return Number.isFinite(chosen.cost) ? 'cheapest' : 'first';
}

function abilityOf({ known }: Writer): number {
  return known?.ability ?? 0;
}

/**
 * Compares two costs. Equal costs are not subtracted, because the difference of two unknown (infinite) costs
 * is `NaN`.
 */
function compare(one: number, other: number): number {
  return one === other ? 0 : one - other;
}

function planCost(worker: PoolWorker): number {
  if (isFree(worker)) return 0;
  const { price } = worker;
  return price ? PLAN_INPUT * price.input + PLAN_OUTPUT * price.output : Infinity;
}

/** Whether the worker runs on this computer, so that it answers without a network. */
function isOnThisComputer({ origin }: PoolWorker): boolean {
  if (origin === null) return true;
  return URL.canParse(origin) && /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(origin).hostname);
}

/**
 * Estimates a worker's ability over all domains as one number. The number is used for choices that
 * should not change with each question, such as which worker writes the plans. The formula is like `overall`
 * in `worker-record.ts`, but without a specific domain:
 *
 * `ability = (right + PRIOR_RUNS · prior) / (runs + PRIOR_RUNS)`
 *
 * `runs` is the number of graded runs in which the worker had a step, and `right` is how many of these were
 * graded right. `prior` depends on what is known:
 * - If some domains are known, `prior` is the mean of their abilities. The ability in a domain is its
 *   declared strength, or else its published ability. If a strength for the role `plan` is also declared,
 *   `prior` is the geometric mean of two numbers: the mean over the domains, and the strength for `plan`.
 * - If no domain is known, `prior` is the declared strength for the role `plan`, or else the mean of the
 *   strengths for other roles, or else `UNKNOWN_STRENGTH`.
 */
interface GeneralAbility {
  /** Expected share of right answers, from 0 to 1. */
  readonly ability: number;
  /** The domain with the highest declared strength or published ability. `null`: no domain is known. */
  readonly strongest: Domain | null;
}

/** @returns `null` if nothing is declared, published or measured */
function generalAbility(worker: PoolWorker, history: readonly GradedRun[]): GeneralAbility | null {
  const { domains = {}, strengths = {}, published } = worker;
  const byDomain = DOMAINS.flatMap((domain) => {
    const ability = domains[domain] ?? published?.domains[domain]?.ability;
    return ability === undefined ? [] : [{ domain, ability }];
  });
  const ofDomains = mean(byDomain.map(({ ability }) => ability));
  const ofRole = strengths.plan ?? (ofDomains === null ? mean(Object.values(strengths)) : null);
  const prior = ofDomains !== null && ofRole !== null ? Math.sqrt(ofDomains * ofRole) : (ofDomains ?? ofRole);
  const runs = history.filter(({ played }) => played.some(({ workerId }) => workerId === worker.id));
  if (prior === null && runs.length === 0) return null;
  const right = runs.filter((run) => run.right).length;
  const ability = (right + PRIOR_RUNS * (prior ?? UNKNOWN_STRENGTH)) / (runs.length + PRIOR_RUNS);
  const [strongest] = byDomain.toSorted((one, other) => other.ability - one.ability);
  return { ability, strongest: strongest?.domain ?? null };
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
