/** @file Says what a measurement has found, for the page and the command line. */
import type { PoolWorker } from '../../contract';
import { isDatasetDomain, type TaskDomain } from '../ability/observation';
import type { Ability, Scope } from '../ability/fit-abilities';
import type { Ranking, WorkerCard } from './report';

/** `82 % (76 to 88 %)`: the ability with its 90 % interval. */
export function abilityWords({ mean, low, high }: Ability): string {
  return `${percent(mean)} (${Math.round(100 * low)} to ${percent(high)})`;
}

/** The answers that count as wrong without being wrong answers, such as `2 cut off, 1 refused`. `''`: none. */
export function faultWords({ cutOff, refused, failed, unreadable }: WorkerCard): string {
  const counts = [
    [cutOff, 'cut off'],
    [refused, 'refused'],
    [failed, 'failed'],
    [unreadable, 'without a readable answer'],
  ] as const;
  return counts.flatMap(([count, words]) => (count === 0 ? [] : `${count} ${words}`)).join(', ');
}

/** The name of a domain in a sentence. For the tasks of a dataset, the dataset's name. */
export function scopeName(scope: Scope): string {
  return isDatasetDomain(scope) ? scope.slice(scope.indexOf(':') + 1) : scope;
}

export function scopeWords(scope: Scope): string {
  const name = scopeName(scope);
  return isDatasetDomain(scope) ? name : `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** The domains of datasets for which a worker has an ability. */
export function datasetDomainsOf({ ability }: WorkerCard): readonly TaskDomain[] {
  return Object.keys(ability?.domains ?? {}).filter(isDatasetDomain);
}

/** `Ash 82 %, Bay 61 %`: best first. */
export function orderWords({ places }: Ranking): string {
  return places.map(({ worker, ability }) => `${worker.name} ${percent(ability.mean)}`).join(', ');
}

/** Who is best, or that it can't be told. */
export function verdictWords({ places, tied }: Ranking): string {
  const [first] = places;
  if (!first) return '';
  if (tied.length > 0) return `${namesOf(tied)} can’t be told apart from ${first.worker.name} with these tasks.`;
  const chance = first.best > 0.99 ? 'more than 99 %' : percent(first.best);
  return `${first.worker.name} is the best, with a probability of ${chance}.`;
}

function namesOf(workers: readonly PoolWorker[]): string {
  return workers.map(({ name }) => name).join(', ');
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
