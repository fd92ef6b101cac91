/**
 * @file Advises from a measurement: which workers to use, how much effort, and whether to rely on checks. Advice is given only if
 * the evidence is clear. It changes nothing by itself.
 */
import type { Effort, PoolWorker } from '../../contract';
import type { Scope } from '../ability/fit-abilities';
import { sumOfVerdicts, trustIn } from './checks';
import type { Place, Ranking, Report, WorkerCard } from './report';
import { LEAST_POOLED } from './told';

export type Advice =
  /** One worker alone is as good as choosing among all. */
  | {
      readonly kind: 'alone';
      readonly worker: PoolWorker;
      /** The probability that it is at most `NEAR` below the best. */
      readonly near: number;
      /** Whether there are statements about single domains. */
      readonly byDomain: boolean;
      readonly usdPerRight: number | null;
      /** The other workers that are as good overall, and their prices. */
      readonly others: readonly Pick<WorkerCard, 'worker' | 'usdPerRight'>[];
    }
  /** Different workers are best in different domains. */
  | {
      readonly kind: 'pool';
      readonly workers: readonly PoolWorker[];
      /** The worker for each domain, with its ability there. */
      readonly leaders: readonly { readonly scope: Scope; readonly worker: PoolWorker; readonly mean: number }[];
      /** The measured workers that are not needed. */
      readonly left: readonly PoolWorker[];
    }
  /** @param low, high the 90 % interval of the worker's ability */
  | {
      readonly kind: 'effort';
      readonly effort: Effort;
      readonly worker: PoolWorker;
      readonly low: number;
      readonly high: number;
    }
  /** Whether to skip steps that a check has made unnecessary. @param passed wrong answers that checks called right */
  | {
      readonly kind: 'skipping';
      readonly skip: boolean;
      readonly checkers: readonly PoolWorker[];
      readonly passed: number;
      readonly wrong: number;
    };

/** A worker is used alone only if it is with at least this probability about as good as the best. */
const SURE = 0.8;
/** Checks are worth relying on from the first share of correct verdicts, and not worth it below the second. */
const TRUSTED = 0.85;
const DOUBTED = 0.7;
/** Above this ability, more steps can add little. Below the second, there is much to repair. */
const ABLE = 0.85;
const WEAK = 0.6;

export function adviceOf(report: Report): readonly Advice[] {
  // Workers that solved nothing differ only by chance.
  if (report.cards.every(({ right }) => right === 0)) return [];
  const overall = report.rankings.find(({ scope }) => scope === 'overall');
  if (!overall) return adviceForOne(report);
  const domains = report.rankings.filter(({ scope }) => scope !== 'overall');
  const alone = aloneIn(report, overall, domains);
  // A single call has no checks, and no effort.
  if (alone) return [alone];
  const pool = poolFor(report, domains);
  const used = pool?.workers ?? overall.places.map(({ worker }) => worker);
  const cards = report.cards.filter(({ worker }) => isIn(used, worker));
  const best = overall.places.find(({ worker }) => isIn(used, worker));
  const effort = best ? effortFor(best, cards) : null;
  return [pool, effort, skippingWith(cards)].filter((each) => each !== null);
}

/** With one measured worker there is nothing to choose, but its ability and its checks tell how much effort pays. */
function adviceForOne({ cards }: Report): readonly Advice[] {
  const measured = cards.filter(({ ability }) => (ability?.overall.tasks ?? 0) >= LEAST_POOLED);
  const [card] = measured;
  if (!card?.ability || measured.length > 1) return [];
  const effort = effortFor({ worker: card.worker, ability: card.ability.overall }, measured);
  return [effort, skippingWith(measured)].filter((each) => each !== null);
}

/** The cheapest worker to which no other is clearly better in any domain. */
function aloneIn({ cards }: Report, overall: Ranking, domains: readonly Ranking[]): Advice | null {
  const good = overall.places.filter(
    ({ worker, near }) => near >= SURE && domains.every((ranking) => leads(ranking, worker)),
  );
  const [first, ...others] = cards
    .filter(({ worker }) => good.some((place) => place.worker.id === worker.id))
    .toSorted((one, other) => priceOf(one) - priceOf(other));
  const place = good.find(({ worker }) => worker.id === first?.worker.id);
  if (!first || !place) return null;
  const { worker, usdPerRight } = first;
  return { kind: 'alone', worker, near: place.near, byDomain: domains.length > 0, usdPerRight, others };
}

/** A few workers so that each domain has one of those that can't be told apart from its best. */
function poolFor({ cards }: Report, domains: readonly Ranking[]): Extract<Advice, { kind: 'pool' }> | null {
  const byPrice = cards.toSorted((one, other) => priceOf(one) - priceOf(other)).map(({ worker }) => worker);
  const chosen: PoolWorker[] = [];
  let open = domains;
  while (open.length > 0) {
    const [next] = byPrice.toSorted((one, other) => ledBy(other, open) - ledBy(one, open));
    if (!next || ledBy(next, open) === 0) break;
    chosen.push(next);
    open = open.filter((ranking) => !leads(ranking, next));
  }
  if (chosen.length < 2) return null;
  const leaders = domains.flatMap(({ scope, places }) => {
    const best = places.find(({ worker }) => isIn(chosen, worker));
    return best ? [{ scope, worker: best.worker, mean: best.ability.mean }] : [];
  });
  const measured = domains.flatMap(({ places }) => places.map(({ worker }) => worker));
  const left = byPrice.filter((worker) => isIn(measured, worker) && !isIn(chosen, worker));
  return { kind: 'pool', workers: chosen, leaders, left };
}

/** @param best the ablest of the workers that are used */
function effortFor(
  { worker, ability }: Pick<Place, 'worker' | 'ability'>,
  cards: readonly WorkerCard[],
): Advice | null {
  const evidence = { kind: 'effort', worker, low: ability.low, high: ability.high } as const;
  if (ability.low >= ABLE) return { ...evidence, effort: 'quick' };
  const isChecked = cards.some(({ checks }) => (trustIn(checks) ?? 0) >= TRUSTED);
  return ability.high <= WEAK && isChecked ? { ...evidence, effort: 'thorough' } : null;
}

function skippingWith(cards: readonly WorkerCard[]): Advice | null {
  const known = cards.flatMap(({ worker, checks }) => {
    const trust = trustIn(checks);
    return trust === null ? [] : [{ worker, checks, trust }];
  });
  if (known.length === 0) return null;
  const skip = known.every(({ trust }) => trust >= TRUSTED);
  if (!skip && known.every(({ trust }) => trust >= DOUBTED)) return null;
  const checkers = known.filter(({ trust }) => skip || trust < DOUBTED);
  return {
    kind: 'skipping',
    skip,
    checkers: checkers.map(({ worker }) => worker),
    passed: checkers.reduce((sum, { checks }) => sum + checks.wrong.right, 0),
    wrong: checkers.reduce((sum, { checks }) => sum + sumOfVerdicts(checks.wrong), 0),
  };
}

function isIn(workers: readonly PoolWorker[], { id }: PoolWorker): boolean {
  return workers.some((worker) => worker.id === id);
}

/** Whether a worker is the best in a ranking, or can't be told apart from the best. */
function leads({ places, tied }: Ranking, worker: PoolWorker): boolean {
  return places[0]?.worker.id === worker.id || isIn(tied, worker);
}

function ledBy(worker: PoolWorker, rankings: readonly Ranking[]): number {
  return rankings.filter((ranking) => leads(ranking, worker)).length;
}

function priceOf({ usdPerRight }: WorkerCard): number {
  return usdPerRight ?? Infinity;
}
