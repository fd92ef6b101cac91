/**
 * @file Searches for a solution of a Countdown puzzle with bounded effort. The search follows one sequence of operations
 * to its end, remembers the value nearest to the target, and starts again. Each operation that it tries costs one step.
 */
import { randomIndex, type Random } from '../../contract';
import {
  expressionText,
  numberExpression,
  operation,
  operationsOf,
  operationText,
  type Expression,
} from '../expression';
import type { SearchOutcome, Effort, Strategy } from '../family';
import { whole, type Operator } from '../rational';
import type { Countdown } from './puzzle';

/** An expression with its value, a positive integer. */
interface Valued {
  readonly value: number;
  readonly expression: Expression;
}

/** A backward step from the target: the number that it uses, and the operation that undoes the step. */
interface Peeled {
  readonly operator: Operator;
  readonly number: Valued;
}

const OPERATORS = ['+', '-', '*', '/'] as const satisfies readonly Operator[];

export const STRATEGIES = [
  {
    name: 'backwards',
    advice: 'Work back from the target: take a number away from it, or divide it, and reach what is left.',
    wording: /\bwork(?:ing)? back(?:wards?)?\b|\bbackwards?\b|\bfrom the target\b/i,
  },
  {
    name: 'product',
    advice: 'Build a large product first, then close the gap with what is left.',
    wording: /\b(?:large|big) product\b|\bmultiply (?:the )?(?:large|big)|\bclose the gap\b|\bproduct first\b/i,
  },
  {
    name: 'small',
    advice: 'Combine the small numbers first and keep the large ones for last.',
    wording: /\bsmall(?:er)? numbers? first\b|\bcombine the small/i,
  },
] as const satisfies readonly [Strategy, ...Strategy[]];

/** Tries sequences of operations until one reaches the target or the steps run out. Returns the nearest result. */
export function searchCountdown(puzzle: Countdown, effort: Effort<Expression>): SearchOutcome<Expression> {
  const search = new Search(puzzle, effort);
  search.run();
  const best = search.best;
  if (!best) return { answer: null, exact: false, work: ['I found no way to begin.'] };
  const exact = best.value === puzzle.target;
  return { answer: best.expression, exact, work: workLines(best, puzzle, exact) };
}

function workLines(best: Valued, { target }: Countdown, exact: boolean): string[] {
  const steps = operationsOf(best.expression).map((each) => `$${operationText(each)}$`);
  const line = steps.length > 0 ? `${steps.join(', ')}.` : `$${expressionText(best.expression)}$ stands there already.`;
  const gap = Math.abs(best.value - target);
  return exact
    ? [line]
    : [line, `That is ${gap} ${best.value < target ? 'short of' : 'past'} ${target}; I found nothing nearer.`];
}

class Search {
  best: Valued | null = null;
  readonly #puzzle: Countdown;
  readonly #random: Random;
  readonly #strategy: string;
  readonly #numbers: readonly Valued[];
  readonly #starts: readonly Expression[];
  #left: number;

  constructor(puzzle: Countdown, effort: Effort<Expression>) {
    this.#puzzle = puzzle;
    this.#random = effort.random;
    this.#strategy = effort.strategy;
    this.#left = effort.steps;
    const numbers = puzzle.numbers.map((value) => ({ value, expression: numberExpression(whole(value)) }));
    // The careless mistake of this family: one number may be used twice.
    const makesSlip = this.#random() < (effort.slip ?? 0);
    const twice = numbers[randomIndex(this.#random, numbers.length)];
    this.#numbers = makesSlip && twice ? [...numbers, { ...twice }] : numbers;
    this.#starts = effort.from ? operationsOf(effort.from) : [];
    const start = effort.from ? joinedPart(effort.from, this.#numbers) : null;
    const joined = start?.at(-1);
    if (start && joined) this.#note(joined, start.length);
  }

  run(): void {
    if (!this.#puzzle.every) for (const number of this.#numbers) this.#note(number, 1);
    while (this.#left > 0 && this.best?.value !== this.#puzzle.target) {
      const before = this.#left;
      const usesEarlierAnswer = this.#starts.length > 0 && this.#random() < 0.5;
      if (usesEarlierAnswer) this.#forwards(this.#startFrom());
      else if (this.#strategy === 'product' || this.#strategy === 'small') this.#forwards([...this.#numbers]);
      else this.#backwards();
      if (this.#left === before) this.#left--;
    }
  }

  /**
   * Computes a random part of the earlier answer. Returns its value and the unused numbers, or all numbers if
   * the part can't be computed.
   */
  #startFrom(): Valued[] {
    const part = this.#starts[randomIndex(this.#random, this.#starts.length)];
    const joined = part ? joinedPart(part, this.#numbers) : null;
    return joined ?? [...this.#numbers];
  }

  /** Combines two numbers at a time until one is left. With three or fewer left, also tries every operation on every pair. */
  #forwards(pool: Valued[], peeled: readonly Peeled[] = [], goal = this.#puzzle.target): void {
    let first = true;
    while (pool.length > 1 && this.#left > 0) {
      if (pool.length <= 3) this.#lookAtAllPairs(pool, peeled);
      const [left, right] = this.#choosePair(pool);
      const joined = this.#join(left, right, goal, first);
      first = false;
      if (!joined) return;
      pool = [...pool.filter((each) => each !== left && each !== right), joined];
      this.#note(putBack(joined, peeled), pool.length);
    }
  }

  /**
   * Takes up to two backward steps from the target, then combines the unused numbers to reach the value that
   * is left.
   */
  #backwards(): void {
    const pool = [...this.#numbers];
    const peeled: Peeled[] = [];
    let goal = this.#puzzle.target;
    const count = Math.min(pool.length - 2, randomIndex(this.#random, 3));
    for (let index = 0; index < count; index++) {
      const at = randomIndex(this.#random, pool.length);
      const number = pool[at];
      if (!number) break;
      this.#left--;
      if (number.value > 1 && goal % number.value === 0) {
        peeled.push({ operator: '*', number });
        goal /= number.value;
      } else if (goal > number.value && this.#random() < 0.5) {
        peeled.push({ operator: '+', number });
        goal -= number.value;
      } else {
        peeled.push({ operator: '-', number });
        goal += number.value;
      }
      pool.splice(at, 1);
    }
    this.#forwards(pool, peeled, goal);
  }

  #lookAtAllPairs(pool: readonly Valued[], peeled: readonly Peeled[]): void {
    for (const [index, left] of pool.entries()) {
      for (const right of pool.slice(index + 1)) {
        for (const operator of OPERATORS) {
          if (this.#left <= 0) return;
          this.#left--;
          const result = resultOf(operator, Math.max(left.value, right.value), Math.min(left.value, right.value));
          // To save time, the expression is built only if its value is nearer to the target than the best value so far.
          if (result === null || !this.#isNearer(valueWith(result, peeled))) continue;
          const joined = combine(operator, left, right);
          if (joined) this.#note(putBack(joined, peeled), pool.length - 1);
        }
      }
    }
  }

  #choosePair(pool: readonly Valued[]): [Valued, Valued] {
    const sorted = this.#strategy === 'small' ? [...pool].sort((one, other) => one.value - other.value) : pool;
    const reach = this.#strategy === 'small' ? Math.min(3, pool.length) : pool.length;
    const one = randomIndex(this.#random, reach);
    const other = (one + 1 + randomIndex(this.#random, reach - 1)) % reach;
    return [sorted[one] as Valued, sorted[other] as Valued];
  }

  #join(left: Valued, right: Valued, goal: number, first: boolean): Valued | null {
    this.#left--;
    const drawn = OPERATORS[randomIndex(this.#random, OPERATORS.length)] ?? '+';
    if (this.#strategy === 'product' && first && this.#random() < 0.7) {
      const product = combine('*', left, right);
      if (product && product.value <= goal * 1.6) return product;
    }
    const joined = combine(drawn, left, right);
    return joined && joined.value <= goal * 40 + 1_000 ? joined : combine('+', left, right);
  }

  /** Remembers a value if it is the nearest so far. @param remaining count of values left to combine, including this one */
  #note(found: Valued, remaining: number): void {
    if (this.#puzzle.every && (remaining > 1 || leafCount(found.expression) !== this.#puzzle.numbers.length)) return;
    if (this.#isNearer(found.value)) this.best = found;
  }

  #isNearer(value: number): boolean {
    return !this.best || Math.abs(value - this.#puzzle.target) < Math.abs(this.best.value - this.#puzzle.target);
  }
}

/** The value after the backward steps are undone. */
function valueWith(inner: number, peeled: readonly Peeled[]): number {
  let value = inner;
  for (let index = peeled.length - 1; index >= 0; index--) {
    const each = peeled[index];
    if (!each) continue;
    const other = each.number.value;
    value = resultOf(each.operator, Math.max(value, other), Math.min(value, other)) ?? value;
  }
  return value;
}

/** The expression after the backward steps are undone. */
function putBack(inner: Valued, peeled: readonly Peeled[]): Valued {
  return peeled.reduceRight((value, { operator, number }) => combine(operator, value, number) ?? value, inner);
}

function leafCount(expression: Expression): number {
  return expression.kind === 'number' ? 1 : leafCount(expression.left) + leafCount(expression.right);
}

/** Combines two values. The larger one becomes the left operand. `null` if the result is not a positive integer up to 1e9. */
function combine(operator: Operator, one: Valued, other: Valued): Valued | null {
  const [left, right] = one.value >= other.value ? [one, other] : [other, one];
  const value = resultOf(operator, left.value, right.value);
  if (value === null || value > 1e9) return null;
  return { value, expression: operation(operator, left.expression, right.expression) };
}

function resultOf(operator: Operator, larger: number, smaller: number): number | null {
  switch (operator) {
    case '+':
      return larger + smaller;
    case '-':
      return larger === smaller ? null : larger - smaller;
    case '*':
      return larger * smaller;
    case '/':
      return larger % smaller === 0 ? larger / smaller : null;
    default:
      return operator satisfies never;
  }
}

/**
 * Computes `part` from `numbers`. Returns the numbers that `part` does not use, followed by the value of `part`.
 * `null`: `part` can't be computed.
 */
function joinedPart(part: Expression, numbers: readonly Valued[]): Valued[] | null {
  const pool = [...numbers];
  const valued = (expression: Expression): Valued | null => {
    if (expression.kind === 'number') {
      const at = pool.findIndex(
        (each) => expression.value.bottom === 1n && BigInt(each.value) === expression.value.top,
      );
      return at < 0 ? null : (pool.splice(at, 1)[0] ?? null);
    }
    const left = valued(expression.left);
    const right = valued(expression.right);
    return left && right && left.value >= right.value ? combine(expression.operator, left, right) : null;
  };
  const joined = valued(part);
  return joined ? [...pool, joined] : null;
}
