/**
 * @file Chooses the next task of a worker. A domain and a family with the fewest tasks so far come first, so that all have the
 * same weight. The level is one that the worker answers right about half of the time, because such answers tell most.
 */
import { randomIndex, type Random } from '../../contract';
import { countCells, type Cells } from './cells';
import { at } from './cholesky';
import type { FamilyFacts, Observation } from './observation';
import { ROUGH_SLOPE, roughEase } from './rough-ease';

/** Tasks are chosen so that the chance of a right answer lies in this range, except for some at random levels. */
const AIM = { low: 0.3, high: 0.8 };
/** Share of the tasks whose level is drawn from all levels. They show lapses, and how steep a worker's curve is. */
const RANDOM_SHARE = 0.15;
/** A family is dropped if all workers gave this many right answers at the highest level, or wrong answers at the lowest. */
const SATURATED = 2;

export interface ChosenTask {
  readonly family: string;
  readonly level: number;
}

/**
 * Chooses a worker's next task. Reads the observations of all workers, because they show how hard the families are.
 * @returns `null` if there are no families
 */
export function nextTask(
  worker: string,
  observations: readonly Observation[],
  families: readonly FamilyFacts[],
  random: Random,
): ChosenTask | null {
  return taskChooser([worker], observations, families)(worker, random);
}

/** As `nextTask`, for one task of each worker: what does not depend on the worker is computed only once. */
export function taskChooser(
  workers: readonly string[],
  observations: readonly Observation[],
  families: readonly FamilyFacts[],
): (worker: string, random: Random) => ChosenTask | null {
  const cells = countCells(observations, families, workers);
  const open = openIndexes(cells);
  const ease = roughEase(cells);
  return (worker, random) => {
    const place = cells.workers.indexOf(worker);
    const index = leastAsked(cells, place, open, random);
    const family = families[index ?? -1];
    if (!family || index === undefined) return null;
    if (random() < RANDOM_SHARE) return { family: family.id, level: randomIndex(random, family.levels) };
    const aim = AIM.low + (AIM.high - AIM.low) * random();
    const wanted = (family.levels - 1) / 2 + (ease(place, index) - Math.log(aim / (1 - aim))) / ROUGH_SLOPE;
    return { family: family.id, level: Math.min(family.levels - 1, Math.max(0, Math.round(wanted))) };
  };
}

/** The index of a family from which the worker had the fewest tasks, in a domain from which it had the fewest. */
function leastAsked(cells: Cells, worker: number, open: readonly number[], random: Random): number | undefined {
  const byDomain = cells.domains.map(() => 0);
  const byFamily = cells.families.map((_, family) => tasksIn(cells, worker, family));
  byFamily.forEach((count, family) => {
    const domain = cells.domainOf[family] ?? 0;
    byDomain[domain] = (byDomain[domain] ?? 0) + count;
  });
  const domain = leastOf([...new Set(open.map((family) => cells.domainOf[family] ?? 0))], byDomain, random);
  const inDomain = open.filter((family) => cells.domainOf[family] === domain);
  return leastOf(inDomain, byFamily, random);
}

function openIndexes(cells: Cells): readonly number[] {
  const indexes = cells.families.map((_, family) => family);
  const open = indexes.filter((family) => !isDecided(cells, family));
  return open.length > 0 ? open : indexes;
}

/** Whether all workers gave right answers only, some of them at the highest level, or wrong answers only, some at the lowest. */
function isDecided({ workers, families, levels: most, tasks, right }: Cells, family: number): boolean {
  const levels = families[family]?.levels ?? 1;
  let [isAllRight, isAllWrong] = [true, true];
  for (let worker = 0; worker < workers.length; worker++) {
    const start = (worker * families.length + family) * most;
    if (at(tasks, start) < SATURATED) isAllWrong = false;
    if (at(tasks, start + levels - 1) < SATURATED) isAllRight = false;
    for (let cell = start; cell < start + levels; cell++) {
      if (at(right, cell) > 0) isAllWrong = false;
      if (at(right, cell) < at(tasks, cell)) isAllRight = false;
    }
  }
  return isAllRight || isAllWrong;
}

function tasksIn({ families, levels, tasks }: Cells, worker: number, family: number): number {
  const start = (worker * families.length + family) * levels;
  return tasks.subarray(start, start + levels).reduce((sum, count) => sum + count, 0);
}

/** One of the indexes with the lowest count, at random. */
function leastOf(indexes: readonly number[], counts: readonly number[], random: Random): number | undefined {
  const least = Math.min(...indexes.map((index) => counts[index] ?? 0));
  const lowest = indexes.filter((index) => (counts[index] ?? 0) === least);
  return lowest[randomIndex(random, lowest.length)];
}
