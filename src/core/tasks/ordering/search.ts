/**
 * @file Sorts items with limited effort. The effort is a number of search steps, and exact comparisons cost steps. When no steps
 * are left, rough estimates decide.
 */
import { randomIndex } from '../../contract';
import type { SearchOutcome, Effort, Strategy } from '../family';
import { compare } from '../rational';
import { glance, withDecimalValue, sameValue, type Item } from './items';
import type { Ordering } from './puzzle';

export const STRATEGIES = [
  {
    name: 'measure',
    advice: 'Bring all of them to one measure first: fractions to decimals, dates to year, month, day.',
    wording: /\bone measure\b|\bdecimals?\b|\bcommon (?:measure|denominator)\b|\byear,? month\b/i,
  },
  {
    name: 'insert',
    advice: 'Take them one by one and put each into its place among those before it.',
    wording: /\bone by one\b|\binto its place\b|\binsert/i,
  },
  {
    name: 'glance',
    advice: 'Sort them at a first glance, then compare neighbours and swap those that stand wrong.',
    wording: /\bglance\b|\bneighbou?rs?\b|\bswap\b/i,
  },
] as const satisfies readonly [Strategy, ...Strategy[]];

/** Steps to measure one item exactly. */
const MEASURE_STEPS = 3;
/** Steps to compare two unmeasured items exactly. */
const COMPARE_STEPS = 4;

/** Number of steps with which the first strategy always finishes. */
export function ampleSteps(puzzle: Ordering): number {
  const count = puzzle.items.length;
  return Math.ceil(1.5 * count * (MEASURE_STEPS + Math.log2(count)));
}

/** Sorts the items of a puzzle as a simulated worker would. */
export function searchOrdering(puzzle: Ordering, effort: Effort<readonly Item[]>): SearchOutcome<readonly Item[]> {
  const sorter = new Sorter(puzzle, effort.steps);
  const sorted = effort.from ? sorter.swapNeighbours([...effort.from]) : sorter.sort(effort.strategy);
  // The careless mistake of this family: two neighbors are swapped in the written answer.
  const makesSlip = effort.random() < (effort.slip ?? 0);
  const answer = makesSlip ? swapped(sorted, randomIndex(effort.random, sorted.length - 1)) : sorted;
  const looks = answer.flatMap((item) => withDecimalValue(item) ?? []);
  const work = [
    effort.strategy === 'measure' && looks.length > 0
      ? `${looks.join(', ')}.`
      : `I compared ${sorter.comparisons} pairs.`,
  ];
  return { answer, exact: !sorter.guessed, work: sorter.guessed ? [...work, 'The rest I placed at a glance.'] : work };
}

function swapped(items: readonly Item[], at: number): Item[] {
  const copy = [...items];
  const [one, other] = [copy[at], copy[at + 1]];
  if (one && other) [copy[at], copy[at + 1]] = [other, one];
  return copy;
}

class Sorter {
  guessed = false;
  comparisons = 0;
  readonly #puzzle: Ordering;
  #left: number;

  constructor(puzzle: Ordering, steps: number) {
    this.#puzzle = puzzle;
    this.#left = steps;
  }

  sort(strategy: string): Item[] {
    if (strategy === 'glance') return this.swapNeighbours(this.#glanceSorted(this.#puzzle.items));
    if (strategy === 'insert') return this.#inserted(COMPARE_STEPS);
    const known = new Set<Item>();
    for (const item of this.#puzzle.items) if (this.#spend(MEASURE_STEPS)) known.add(item);
    return this.#inserted(1, known);
  }

  /** Bubble sort, until the items are in order or no steps are left. */
  swapNeighbours(items: Item[]): Item[] {
    for (let swappedAny = true; swappedAny;) {
      swappedAny = false;
      for (let at = 0; at + 1 < items.length; at++) {
        const [one, other] = [items[at], items[at + 1]];
        if (!one || !other) continue;
        if (!this.#spend(COMPARE_STEPS)) {
          this.guessed = true;
          return items;
        }
        this.comparisons++;
        if (this.#sign(compare(one.value, other.value)) > 0) {
          [items[at], items[at + 1]] = [other, one];
          swappedAny = true;
        }
      }
    }
    return items;
  }

  /**
   * Insertion sort with binary search. Two items are compared exactly if both are `known` and enough steps are left. Otherwise,
   * rough estimates are compared. Without `known`, all items count as known.
   */
  #inserted(cost: number, known?: ReadonlySet<Item>): Item[] {
    const sorted: Item[] = [];
    for (const item of this.#puzzle.items) {
      let [from, to] = [0, sorted.length];
      while (from < to) {
        const middle = (from + to) >> 1;
        const other = sorted[middle];
        if (other && this.#order(item, other, cost, known) < 0) to = middle;
        else from = middle + 1;
      }
      sorted.splice(from, 0, item);
    }
    return sorted;
  }

  #order(item: Item, other: Item, cost: number, known?: ReadonlySet<Item>): number {
    const sees = !known || (known.has(item) && known.has(other));
    if (sees && this.#spend(cost)) {
      this.comparisons++;
      return this.#sign(compare(item.value, other.value));
    }
    if (!sameValue(item, other)) this.guessed = true;
    return this.#sign(this.#glance(item) - this.#glance(other));
  }

  #glanceSorted(items: readonly Item[]): Item[] {
    return [...items].sort((one, other) => this.#sign(this.#glance(one) - this.#glance(other)));
  }

  #glance(item: Item): number {
    return glance(item, this.#puzzle.kind === 'dates');
  }

  #sign(order: number): number {
    return this.#puzzle.descending ? -order : order;
  }

  #spend(steps: number): boolean {
    if (this.#left < steps) {
      this.#left = 0;
      return false;
    }
    this.#left -= steps;
    return true;
  }
}
