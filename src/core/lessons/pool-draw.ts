/** @file Draws the pool of a task: a random part of the workers in a random order, so that no lesson can depend on a worker's number. */
import { mixSeed, randomIndex, seededRandom, shuffled } from '../contract';

/**
 * The workers for a task of a search, at least half of them and at least two. All candidates get the same workers for a task, so that
 * their scores can be compared, and one score for each candidate and task is enough.
 */
export function drawnPool<Worker>(pool: readonly Worker[], searchSeed: number, task: string): Worker[] {
  const random = seededRandom(mixSeed(searchSeed, 'pool', task));
  const fewest = Math.min(pool.length, Math.max(2, Math.ceil(pool.length / 2)));
  return shuffled(pool, random).slice(0, fewest + randomIndex(random, pool.length - fewest + 1));
}

/** The seed of a task's runs in a search. It is the same for all candidates. */
export function runSeed(searchSeed: number, task: string): number {
  return mixSeed(searchSeed, 'run', task);
}
