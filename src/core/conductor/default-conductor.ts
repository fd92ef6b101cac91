/**
 * @file Chooses the Conductor if the user has not chosen one. `docs/plans-and-runs.md` has the rules as a table, and the test
 * of this file has one case for each row. The question has no influence, so the choice does not change while the user types.
 *
 * If a worker becomes the Conductor, it is chosen from the workers that can write a plan and can be reached:
 * 1. If images are attached and some of these workers can see images, the others are excluded.
 * 2. Workers whose ability (`generalAbility`) is more than `NEAR_BEST` below the best are excluded, and so are workers of unknown
 *    ability. If no ability is known, no worker is excluded.
 * 3. The cheapest worker is chosen. A worker without a known price counts as more expensive than any other. Of equally cheap
 *    workers, the one with the highest ability is chosen, then the first in the pool.
 */
import { generalAbility, type GeneralAbility } from '../analysis/general-ability';
import {
  canSee,
  isFree,
  poolKind,
  type ConductorInfo,
  type Domain,
  type GradedRun,
  type PoolWorker,
} from '../contract';
import { endpointConductorInfo } from './endpoint-info';
import { POLICY_INFO } from './policy-info';

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
 * - `empty`: the pool has neither simulated workers nor workers that call a model
 * - `practice`: the pool has simulated workers, but no worker that calls a model
 * - `local`: a model is loaded on this machine
 * - `private`: all data must stay on this machine
 * - `no-writer`: no worker in the pool can write a plan
 * - `offline`: no worker that can write a plan can be reached
 * - `worker`: a worker in the pool was chosen
 */
export type DefaultReason =
  | { readonly kind: 'empty' | 'practice' | 'local' | 'private' | 'offline' | 'no-writer' }
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
  const { pool, local, isOnline, isPrivate, hasImages, history } = request;
  const kind = poolKind(pool);
  if (kind === 'empty' || kind === 'practice') return byPolicy(kind);
  if (local) return { id: local.id, reason: { kind: 'local' } };
  if (isPrivate) return byPolicy('private');
  const writers = pool.filter((worker) => worker.kind === 'endpoint');
  if (writers.length === 0) return byPolicy('no-writer');
  const reachable = writers.filter((worker) => isOnline || isOnThisComputer(worker));
  const seeing = hasImages ? reachable.filter(canSee) : [];
  const chosen = chooseWriter(seeing.length > 0 ? seeing : reachable, history);
  if (!chosen) return byPolicy('offline');
  const sees = seeing.length > 0 && seeing.length < reachable.length;
  return { id: endpointConductorInfo(chosen.worker).id, reason: { kind: 'worker', ...chosen.by, sees } };
}

function byPolicy(kind: Exclude<DefaultReason['kind'], 'worker' | 'local'>): DefaultConductor {
  return { id: POLICY_INFO.id, reason: { kind } };
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
