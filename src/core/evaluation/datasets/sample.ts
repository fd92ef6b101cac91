/** @file Draws samples from datasets, and splits datasets. The same seed gives the same tasks on every machine. */
import { mixSeed, seededRandom, shuffled, type EvaluationTask } from '../../contract';

/** The fields of a task that sampling needs. `DatasetStore.outline` returns them. */
export type OutlineEntry = Pick<EvaluationTask, 'id' | 'group'>;

/**
 * How groups of tasks are represented in a sample:
 * - `share`: each group has about the same share as in the dataset
 * - `even`: each group has about the same number of tasks. If a group has fewer tasks than that, all of them
 *   are drawn
 * - `none`: groups are ignored
 * - `whole`: all tasks of a group are drawn or none, so that the sample and the rest share no group
 */
export const SPREADS = ['share', 'even', 'none', 'whole'] as const;
export type Spread = (typeof SPREADS)[number];

/**
 * Draws a sample of tasks.
 * @param count number of tasks. If the dataset has fewer tasks, all of them are drawn. With `whole`, about as many are drawn: as
 * many groups as fit, or else the smallest group
 * @returns the ids of the drawn tasks, in the order of the dataset
 */
export function sampleTasks(
  outline: readonly OutlineEntry[],
  count: number,
  seed: number,
  spread: Spread = 'share',
): readonly string[] {
  const wanted = Math.max(0, Math.min(Math.floor(count), outline.length));
  const drawn = new Set(strataOf(outline, wanted, seed, spread).flatMap(({ ids, share }) => ids.slice(0, share)));
  return outline.filter(({ id }) => drawn.has(id)).map(({ id }) => id);
}

/**
 * Splits a dataset into a sample and the remaining tasks. For example, use the sample to choose settings,
 * then evaluate the settings on the remaining tasks.
 * @param count number of tasks in the sample
 * @returns the ids of both parts, in the order of the dataset
 */
export function splitTasks(
  outline: readonly OutlineEntry[],
  count: number,
  seed: number,
  spread: Spread = 'share',
): { readonly sample: readonly string[]; readonly rest: readonly string[] } {
  const sample = sampleTasks(outline, count, seed, spread);
  const isSampled = new Set(sample);
  return { sample, rest: outline.filter(({ id }) => !isSampled.has(id)).map(({ id }) => id) };
}

interface Stratum {
  /** The ids of a group's tasks, shuffled. The first `share` of them are drawn. */
  readonly ids: readonly string[];
  share: number;
}

function strataOf(
  outline: readonly OutlineEntry[],
  count: number,
  seed: number,
  spread: Spread,
): readonly Readonly<Stratum>[] {
  const groups = new Map<string, string[]>();
  for (const { id, group } of outline) {
    // A task without a group is a whole group of its own.
    const key = spread === 'none' ? '' : (group ?? (spread === 'whole' ? `task ${id}` : ''));
    const ids = groups.get(key);
    if (ids) ids.push(id);
    else groups.set(key, [id]);
  }
  const strata = [...groups].map(([group, ids]) => shuffled(ids, seededRandom(mixSeed(seed, 'sample', group))));
  if (spread === 'whole') return wholly(strata, count, seed);
  return spread === 'even' ? evenly(strata, count, seed) : byShare(strata, count, seed);
}

/** Draws groups in a random order. A group that would exceed the number of tasks is left out. */
function wholly(groups: readonly (readonly string[])[], count: number, seed: number): readonly Stratum[] {
  let left = count;
  const strata = shuffled(groups, seededRandom(mixSeed(seed, 'groups'))).map((ids) => {
    const share = ids.length <= left ? ids.length : 0;
    left -= share;
    return { ids, share };
  });
  if (count === 0 || strata.some(({ share }) => share > 0)) return strata;
  const [smallest = []] = groups.toSorted((one, other) => one.length - other.length);
  return [{ ids: smallest, share: smallest.length }];
}

/**
 * Draws the same number of tasks from each group, as far as possible. If `count` can't be divided evenly,
 * larger groups get one more task. The seed decides among groups of the same size.
 */
function evenly(groups: readonly (readonly string[])[], count: number, seed: number): readonly Stratum[] {
  let left = count;
  return shuffled(groups, seededRandom(mixSeed(seed, 'remainders')))
    .toSorted((one, other) => one.length - other.length)
    .map((ids, index) => {
      const share = Math.min(ids.length, Math.floor(left / (groups.length - index)));
      left -= share;
      return { ids, share };
    });
}

/**
 * Draws from each group in proportion to its size, rounded by the largest-remainder method. The seed decides
 * between equal remainders.
 */
function byShare(groups: readonly (readonly string[])[], count: number, seed: number): readonly Stratum[] {
  const total = groups.reduce((sum, ids) => sum + ids.length, 0);
  const strata = groups.map((ids) => {
    const exact = (ids.length * count) / total;
    const share = Math.floor(exact);
    return { ids, share, remainder: exact - share };
  });
  let left = count - strata.reduce((sum, { share }) => sum + share, 0);
  const byRemainder = shuffled(strata, seededRandom(mixSeed(seed, 'remainders'))).sort(
    (one, other) => other.remainder - one.remainder,
  );
  for (const stratum of byRemainder) {
    if (left === 0) break;
    stratum.share += 1;
    left -= 1;
  }
  return strata;
}
