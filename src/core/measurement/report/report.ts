/** @file The result of a measurement: a card for each worker, and who is best in what. */
import type { CheckCounts, Fault, PoolWorker } from '../../contract';
import type { AskedItem, MeasurementState } from '../../contract/measurement/measurement-state';
import { chanceBest, chanceNearBest, toldApart } from '../ability/compare-workers';
import { domainsOf, type FamilyFacts } from '../ability/observation';
import { fitAbilities, type Ability, type Fitted, type Scope, type WorkerAbility } from '../ability/fit-abilities';
import { familiesOf } from '../session/dataset-families';
import { observationsOf } from '../session/observations';
import { checksIn } from './checks';
import { LEAST_POOLED, toldOf, type Told } from './told';

/** A worker is about as good as another one if it is at most this much below it. */
export const NEAR = 0.05;

export interface WorkerCard {
  readonly worker: PoolWorker;
  /** `null`: the worker has answered no task. */
  readonly ability: WorkerAbility | null;
  readonly tasks: number;
  readonly right: number;
  /** US dollars, with the planted answers and the calls that were lost. */
  readonly usd: number;
  /** US dollars for the tasks, by right answer. `null`: no answer was right. */
  readonly usdPerRight: number | null;
  /** Median time of an answer to a task, ms. `null`: there is none. */
  readonly ms: number | null;
  readonly cutOff: number;
  readonly refused: number;
  readonly failed: number;
  /** Answers without the form that was asked for. */
  readonly unreadable: number;
  readonly checks: CheckCounts;
  /** Why the worker was not called any more. `null`: it has done its part. */
  readonly fault: Fault | null;
  readonly told: Told;
}

/** A worker's place in a domain, or in all domains together. */
export interface Place {
  readonly worker: PoolWorker;
  readonly ability: Ability;
  /** The probability that it is the best. */
  readonly best: number;
  /** The probability that it is at most `NEAR` below the best. */
  readonly near: number;
}

export interface Ranking {
  readonly scope: Scope;
  /** Best first. */
  readonly places: readonly Place[];
  /** The names of the other workers that can't be told apart from the first. */
  readonly tied: readonly PoolWorker[];
}

export interface Report {
  /** Best first. Workers without answers come last. */
  readonly cards: readonly WorkerCard[];
  /** Overall first. Domains in which fewer than two workers have enough tasks are left out. */
  readonly rankings: readonly Ranking[];
}

/** Takes some 30 ms for 5 workers with 150 tasks each. @param generated the families of generated tasks */
export function reportOf(state: MeasurementState, generated: readonly FamilyFacts[]): Report {
  const families = familiesOf(generated, state.plan);
  const fitted = fitAbilities(observationsOf(state, families), families);
  const abilities = new Map(fitted.abilities.map((each) => [each.worker, each]));
  const cards = state.plan.workers.map(({ worker }, index) =>
    cardOf(worker, {
      items: state.items.filter(({ item }) => item.worker === index),
      ability: abilities.get(worker.id) ?? null,
      fault: state.ended.get(index) ?? null,
    }),
  );
  const overall = ({ ability }: WorkerCard) => ability?.overall.mean ?? -1;
  const scopes: readonly Scope[] = ['overall', ...domainsOf(families)];
  return {
    cards: cards.toSorted((one, other) => overall(other) - overall(one)),
    rankings: scopes.flatMap((scope) => rankingIn(scope, cards, fitted) ?? []),
  };
}

function cardOf(
  worker: PoolWorker,
  { items, ability, fault }: { items: readonly AskedItem[]; ability: WorkerAbility | null; fault: Fault | null },
): WorkerCard {
  const tasks = items.filter(({ item, answer }) => item.planted === undefined && answer && answer.end !== 'lost');
  const right = tasks.filter(({ answer }) => answer?.right).length;
  const ended = (end: string) => tasks.filter(({ answer }) => answer?.end === end).length;
  const checks = checksIn(items);
  return {
    worker,
    ability,
    tasks: tasks.length,
    right,
    usd: sumOf(items),
    usdPerRight: right === 0 ? null : sumOf(tasks) / right,
    ms: median(tasks.flatMap(({ answer }) => (answer?.end === 'answered' ? answer.ms : []))),
    cutOff: ended('cut-off'),
    refused: ended('refused'),
    failed: ended('failed'),
    unreadable: tasks.filter(({ answer }) => answer?.readable === false).length,
    checks,
    fault,
    told: toldOf(ability, checks),
  };
}

function rankingIn(scope: Scope, cards: readonly WorkerCard[], fitted: Fitted): Ranking | null {
  const chances = chanceBest(fitted, scope);
  const near = chanceNearBest(fitted, scope, NEAR);
  const places = cards
    .flatMap(({ worker, ability }) => {
      const own = scope === 'overall' ? ability?.overall : ability?.domains[scope];
      if (!own || own.tasks < LEAST_POOLED) return [];
      return [{ worker, ability: own, best: chances.get(worker.id) ?? 0, near: near.get(worker.id) ?? 0 }];
    })
    .toSorted((one, other) => other.ability.mean - one.ability.mean);
  const [first, ...others] = places;
  if (!first || others.length === 0) return null;
  const tied = others.filter(({ worker }) => !toldApart(fitted, first.worker.id, worker.id, scope));
  return { scope, places, tied: tied.map(({ worker }) => worker) };
}

function sumOf(items: readonly AskedItem[]): number {
  return items.reduce((sum, { usd }) => sum + usd, 0);
}

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}
