/**
 * @file Computes the distance from a target to the nearest reachable value, exactly and fast enough for the main thread.
 *
 * The computation enumerates the values of subsets of up to four numbers. For larger subsets, it searches backwards from
 * the target. If no value can be reached whose distance from the target is at most 12, it enumerates the values of all
 * subsets. Intermediate results are positive integers, as in the TV game.
 */
import type { Countdown } from './puzzle';

/** For each subset (as a bit mask), the positive integers that can be made from exactly its numbers. */
type Values = ReadonlyMap<number, ReadonlySet<number>>;

const MAX_CACHED = 64;
const distances = new Map<string, number>();

/** The distance between the target and the nearest reachable value. 0 if the target is reachable. */
export function nearestDistance(puzzle: Countdown): number {
  const key = `${[...puzzle.numbers].sort((one, other) => one - other).join(' ')} ${puzzle.target} ${puzzle.every}`;
  const known = distances.get(key);
  if (known !== undefined) return known;
  const distance = computeNearest(puzzle);
  if (distances.size >= MAX_CACHED) distances.clear();
  distances.set(key, distance);
  return distance;
}

function computeNearest({ numbers, target, every }: Countdown): number {
  const full = (1 << numbers.length) - 1;
  const values = valuesOf(numbers, Math.min(numbers.length, 4));
  const masks = every ? [full] : Array.from({ length: full }, (_, index) => index + 1);
  const reached = (wanted: number) => wanted > 0 && masks.some((mask) => isReachable(wanted, mask, values));
  for (let distance = 0; distance <= 12; distance++) {
    if (reached(target - distance) || reached(target + distance)) return distance;
  }
  return farDistance(numbers, target, masks);
}

function farDistance(numbers: readonly number[], target: number, masks: readonly number[]): number {
  const values = valuesOf(numbers, numbers.length);
  let best = Infinity;
  for (const mask of masks) {
    for (const value of values.get(mask) ?? []) best = Math.min(best, Math.abs(value - target));
  }
  return best;
}

function valuesOf(numbers: readonly number[], most: number): Values {
  const full = (1 << numbers.length) - 1;
  const values = new Map<number, Set<number>>();
  for (let mask = 1; mask <= full; mask++) {
    if (bitCount(mask) > most) continue;
    const set = new Set<number>();
    const single = numbers.findIndex((_, index) => mask === 1 << index);
    if (single >= 0) set.add(numbers[single] ?? 0);
    for (const [part, other] of splits(mask)) {
      for (const one of values.get(part) ?? []) {
        for (const two of values.get(other) ?? []) addResults(set, one, two);
      }
    }
    values.set(mask, set);
  }
  return values;
}

function addResults(set: Set<number>, one: number, two: number): void {
  const [larger, smaller] = one > two ? [one, two] : [two, one];
  set.add(larger + smaller);
  set.add(larger * smaller);
  if (larger !== smaller) set.add(larger - smaller);
  if (larger % smaller === 0) set.add(larger / smaller);
}

/** Whether `wanted` can be reached with exactly the numbers of `mask`. */
function isReachable(wanted: number, mask: number, values: Values): boolean {
  const known = values.get(mask);
  if (known) return known.has(wanted);
  for (const [part, other] of splits(mask)) {
    // For each value of the smaller part, searches the other part for the missing operand.
    const [enumerated, searched] = bitCount(part) <= bitCount(other) ? [part, other] : [other, part];
    for (const value of values.get(enumerated) ?? []) {
      if (partners(wanted, value).some((partner) => isReachable(partner, searched, values))) return true;
    }
  }
  return false;
}

/** Every positive integer that gives `wanted` when combined with `value` in one operation. */
function partners(wanted: number, value: number): number[] {
  const found = [wanted + value, wanted * value];
  if (wanted > value) found.push(wanted - value);
  if (value > wanted) found.push(value - wanted);
  if (wanted % value === 0) found.push(wanted / value);
  if (value % wanted === 0) found.push(value / wanted);
  return found;
}

/** Every way to split a subset into two parts. */
function splits(mask: number): (readonly [number, number])[] {
  const found: (readonly [number, number])[] = [];
  for (let part = (mask - 1) & mask; part > 0; part = (part - 1) & mask) {
    const other = mask ^ part;
    if (part > other) found.push([part, other]);
  }
  return found;
}

function bitCount(mask: number): number {
  let count = 0;
  for (let rest = mask; rest > 0; rest &= rest - 1) count++;
  return count;
}
