/**
 * @file Which whole numbers can be reached at all, exactly and fast enough for the main thread: values of small subsets
 * are built up, the rest is a look-up back from the target, so the millions of full expressions are never written out.
 * Intermediate results are whole and positive, as in the game.
 */
import type { Countdown } from './puzzle';

/** For each subset, as a bit mask, the whole positive values that use exactly its numbers. */
type Values = ReadonlyMap<number, ReadonlySet<number>>;

const MOST_REMEMBERED = 64;
const remembered = new Map<string, number>();

/** How far the nearest reachable value is from the target; 0 if it can be reached. */
export function nearestDistance(puzzle: Countdown): number {
  const key = `${[...puzzle.numbers].sort((one, other) => one - other).join(' ')} ${puzzle.target} ${puzzle.every}`;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const distance = computeNearest(puzzle);
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(key, distance);
  return distance;
}

function computeNearest({ numbers, target, every }: Countdown): number {
  const full = (1 << numbers.length) - 1;
  const values = valuesOf(numbers, Math.min(numbers.length, 4));
  const masks = every ? [full] : Array.from({ length: full }, (_, index) => index + 1);
  const reached = (wanted: number) => wanted > 0 && masks.some((mask) => isReached(wanted, mask, values));
  // A value is nearly always within a few of a target in the game's range; beyond that every value is looked at.
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

/** Values of every subset of up to `most` numbers. */
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

/** Whether exactly the numbers of `mask` reach `wanted`. */
function isReached(wanted: number, mask: number, values: Values): boolean {
  const known = values.get(mask);
  if (known) return known.has(wanted);
  for (const [part, other] of splits(mask)) {
    // The part with values written out is the smaller one; the other is asked for what is missing.
    const [given, asked] = bitCount(part) <= bitCount(other) ? [part, other] : [other, part];
    for (const value of values.get(given) ?? []) {
      if (partners(wanted, value).some((partner) => isReached(partner, asked, values))) return true;
    }
  }
  return false;
}

/** Every whole positive number that makes `wanted` with `value` in one operation. */
function partners(wanted: number, value: number): number[] {
  const found = [wanted + value, wanted * value];
  if (wanted > value) found.push(wanted - value);
  if (value > wanted) found.push(value - wanted);
  if (wanted % value === 0) found.push(wanted / value);
  if (value % wanted === 0) found.push(value / wanted);
  return found;
}

/** The ways to split a subset in two, each once. */
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
