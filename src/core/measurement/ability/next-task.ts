/**
 * @file Chooses the next task of a worker. A domain and a family with the fewest tasks so far come first, so that all have the
 * same weight. The level is likely to be one that the worker answers right about half of the time, because such answers tell most.
 */
import { randomIndex, type Random } from '../../contract';
import { countCells, type Cells } from './cells';
import { distance, logistic } from './curve';
import { LEAST_TASKS } from './fit-abilities';
import type { FamilyFacts, Observation } from './observation';
import { ROUGH_SLOPE, roughEase } from './rough-ease';

/** A family is dropped if all workers gave this many right answers at the highest level, or wrong answers at the lowest. */
const SATURATED = 2;

interface ChosenTask {
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
    return { family: family.id, level: bestLevel(cells, place, index, ease(place, index), random) };
  };
}

/**
 * The level whose answer tells most: its uncertainty (standard deviation) is large, and the worker had few tasks of this level.
 * This spreads the tasks over all levels except those that are surely too easy or too hard, so that lapses and slopes show, too.
 */
function bestLevel(cells: Cells, worker: number, family: number, ease: number, random: Random): number {
  const levels = cells.families[family]?.levels ?? 1;
  const start = (worker * cells.families.length + family) * cells.levels;
  let [best, most] = [0, -1];
  for (let level = 0; level < levels; level++) {
    const chance = logistic(ease - ROUGH_SLOPE * distance(level, levels));
    const value = (Math.sqrt(chance * (1 - chance)) * (0.5 + random())) / (1 + (cells.tasks[start + level] ?? 0));
    if (value > most) [best, most] = [level, value];
  }
  return best;
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

/**
 * Indexes of the families on which workers may still differ. Families that every worker solves at the highest level, or fails at
 * the lowest, tell nothing more. All families if none is left.
 */
function openIndexes(cells: Cells): readonly number[] {
  const indexes = cells.families.map((_, family) => family);
  const open = indexes.filter((family) => !isDecided(cells, family));
  return open.length > 0 ? open : indexes;
}

/** Whether all workers gave right answers only, some of them at the highest level, or wrong answers only, some at the lowest. */
function isDecided({ workers, families, levels: most, tasks, right }: Cells, family: number): boolean {
  const levels = families[family]?.levels ?? 1;
  // Tasks without levels differ in difficulty, so a few of them decide nothing.
  const enough = levels === 1 ? LEAST_TASKS : SATURATED;
  let [isAllRight, isAllWrong] = [true, true];
  for (let worker = 0; worker < workers.length; worker++) {
    const start = (worker * families.length + family) * most;
    if ((tasks[start] ?? 0) < enough) isAllWrong = false;
    if ((tasks[start + levels - 1] ?? 0) < enough) isAllRight = false;
    for (let cell = start; cell < start + levels; cell++) {
      if ((right[cell] ?? 0) > 0) isAllWrong = false;
      if ((right[cell] ?? 0) < (tasks[cell] ?? 0)) isAllRight = false;
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
