/** @file Change puzzles: pay an amount with the fewest coins. The greedy strategy is not always optimal. */
import { randomIndex, shuffled, type Random } from '../contract';
import { findExpressions, type Expression } from './expression';
import {
  RULE_BROKEN,
  type SearchOutcome,
  type Effort,
  type Strategy,
  type TaskFamily,
  type TaskVerdict,
} from './family';
import { afterAnswer, listed, longestList, pick, tidyAnswer, tidyQuestion } from './wording';

/** A solvable puzzle with an unlimited number of each coin. */
export interface Change {
  /** 1 to 10 distinct positive integers, largest first. */
  readonly coins: readonly number[];
  readonly amount: number;
}

/** The values of the coins used, largest first. */
type Coins = readonly number[];

const MAX_AMOUNT = 5_000;
const MAX_COINS = 10;

const STRATEGIES = [
  {
    name: 'fewer-large',
    advice: 'Try fewer of the largest coin as well, and keep the shortest way.',
    wording: /\bfewer of the\b|\bnot always the largest\b|\bgreedy (?:may|can|is not|fails)\b/i,
  },
  {
    name: 'table',
    advice: 'Build a table from the smallest amounts up.',
    wording: /\btable\b|\bsmall(?:est)? amounts? up\b|\bdynamic programming\b/i,
  },
  {
    name: 'greedy',
    advice: 'Take the largest coin as often as it fits, then the next.',
    wording: /\bgreed(?:y|ily)\b|\blargest coin (?:first|as often)\b/i,
  },
] as const satisfies readonly [Strategy, ...Strategy[]];

export const change: TaskFamily<Change, Coins> = {
  name: 'change',
  strategies: STRATEGIES,
  generate,
  writeQuestion: ({ coins, amount }, random) => {
    const list = listed([...coins].reverse().map(String));
    return pick(
      [
        `Make ${amount} with as few coins as possible, from coins of ${list}.`,
        `What is the smallest number of coins that makes ${amount}, if the coins are ${list}? Say which.`,
        `Pay ${amount} with the fewest coins of ${list}.`,
      ],
      random,
    );
  },
  read,
  ample: ({ coins, amount }) => coins.length * 20 + amount,
  search,
  format: formatCoins,
  readAnswer,
  check,
};

function generate(random: Random, difficulty: number): Change {
  const count = 3 + Math.round(difficulty * 2);
  for (;;) {
    const values = shuffled(
      Array.from({ length: 28 }, (_, index) => index + 3),
      random,
    ).slice(0, count);
    const coins = [1, ...values].sort((one, other) => other - one);
    const amount = 20 + randomIndex(random, 40 + Math.round(difficulty * 80));
    const fewest = fewestCoins({ coins, amount });
    const greedy = greedyCoins(coins, amount)?.length;
    // The greedy strategy must fail in most puzzles. Otherwise the puzzles would be too easy.
    if (fewest !== null && (greedy !== fewest || random() < 0.3 - 0.2 * difficulty)) return { coins, amount };
  }
}

/** The minimum number of coins, by dynamic programming. `null` if no coins make the amount. */
function fewestCoins({ coins, amount }: Change): number | null {
  const fewest = new Array<number>(amount + 1).fill(Infinity);
  fewest[0] = 0;
  for (let sum = 1; sum <= amount; sum++) {
    for (const coin of coins)
      if (coin <= sum) fewest[sum] = Math.min(fewest[sum] ?? Infinity, (fewest[sum - coin] ?? Infinity) + 1);
  }
  const least = fewest[amount] ?? Infinity;
  return Number.isFinite(least) ? least : null;
}

function read(text: string): Change | null {
  const plain = tidyQuestion(text);
  if (
    plain === null ||
    !/\b(?:coins?|stamps?|notes?)\b/i.test(plain) ||
    !/\b(?:few|fewest|smallest|least|minimum)\b/i.test(plain)
  )
    return null;
  const list = longestList(plain, /(?<![\d.\w-])\d{1,4}(?![\d/]|\.\d)/g);
  const [first, last] = [list[0], list[list.length - 1]];
  if (!first || !last || list.length < 2) return null;
  const coins = [...new Set(list.map((item) => Number(item.text)))].sort((one, other) => other - one);
  const outside = `${plain.slice(0, first.at)} ; ${plain.slice(last.at + last.text.length)}`;
  const amount = Number(/(?<![\d.])\d{1,4}(?![\d.]*\d)/.exec(outside)?.[0] ?? 0);
  if (coins.length > MAX_COINS || coins.includes(0) || amount < 1 || amount > MAX_AMOUNT) return null;
  return fewestCoins({ coins, amount }) === null ? null : { coins, amount };
}

function search(puzzle: Change, effort: Effort<Coins>): SearchOutcome<Coins> {
  // The careless mistake of this family: the search overlooks one kind of coin, but never the coin 1.
  const makesSlip = effort.random() < (effort.slip ?? 0);
  const overlooked = makesSlip ? randomIndex(effort.random, puzzle.coins.length) : -1;
  const coins = puzzle.coins.filter((coin, index) => index !== overlooked || coin === 1);
  const greedy = greedyCoins(coins, puzzle.amount);
  const start = effort.from && sumOf(effort.from) === puzzle.amount ? shorter(effort.from, greedy) : greedy;
  const greedyAttempt = (answer: Coins | null): SearchOutcome<Coins> => ({
    answer,
    exact: effort.strategy === 'greedy' && answer !== null,
    work: [answer ? `Largest coins first, that is ${answer.length} coins.` : 'I found no coins that make the amount.'],
  });
  if (effort.strategy === 'greedy') return greedyAttempt(start);
  if (effort.strategy === 'table') {
    const best = puzzle.amount <= effort.steps ? tableCoins(coins, puzzle.amount) : null;
    return best
      ? { answer: best, exact: true, work: [`A table up to ${puzzle.amount} gives ${best.length} coins.`] }
      : greedyAttempt(start);
  }
  const { best, finished, tried } = branch(coins, puzzle.amount, start, effort);
  if (!best) return greedyAttempt(null);
  const work = [`Of ${tried} ways I began, the shortest takes ${best.length} coins.`];
  return { answer: best, exact: finished, work: finished ? work : [...work, 'There are ways I have not tried.'] };
}

/**
 * Depth-first search over the count of each coin, highest count first. Prunes branches that cannot lead to fewer coins than the
 * best result so far.
 */
function branch(coins: Coins, amount: number, start: Coins | null, { steps }: Effort<Coins>) {
  let best = start;
  let left = steps;
  const descend = (index: number, rest: number, used: Coins): void => {
    if (left-- <= 0) return;
    if (rest === 0) {
      best = shorter(used, best);
      return;
    }
    const coin = coins[index];
    if (coin === undefined || (best && used.length + Math.ceil(rest / coin) >= best.length)) return;
    for (let count = Math.floor(rest / coin); count >= 0 && left > 0; count--) {
      descend(index + 1, rest - count * coin, [...used, ...new Array<number>(count).fill(coin)]);
    }
  };
  descend(0, amount, []);
  return { best, finished: left > 0, tried: steps - Math.max(0, left) };
}

function tableCoins(coins: Coins, amount: number): Coins | null {
  const last = new Array<number>(amount + 1).fill(0);
  const fewest = new Array<number>(amount + 1).fill(Infinity);
  fewest[0] = 0;
  for (let sum = 1; sum <= amount; sum++) {
    for (const coin of coins) {
      const count = (fewest[sum - coin] ?? Infinity) + 1;
      if (count < (fewest[sum] ?? Infinity)) [fewest[sum], last[sum]] = [count, coin];
    }
  }
  const used: number[] = [];
  for (let rest = amount; rest > 0; rest -= last[rest] ?? rest) {
    if (!last[rest]) return null;
    used.push(last[rest] ?? 0);
  }
  return used.sort((one, other) => other - one);
}

function greedyCoins(coins: Coins, amount: number): Coins | null {
  const used: number[] = [];
  let rest = amount;
  for (const coin of coins) for (; rest >= coin; rest -= coin) used.push(coin);
  return rest === 0 ? used : null;
}

function shorter(one: Coins, other: Coins | null): Coins {
  return other && other.length <= one.length ? other : one;
}

function sumOf(coins: Coins): number {
  return coins.reduce((sum, coin) => sum + coin, 0);
}

/** Writes coins as a sum, for example `2 × 10 + 1 × 7 = 27`. */
function formatCoins(coins: Coins): string {
  const terms = [...new Set(coins)].map((value) => `${coins.filter((coin) => coin === value).length} × ${value}`);
  return `${terms.join(' + ')} = ${sumOf(coins)}`;
}

/**
 * The last sum of coins after "answer:", such as "10 + 10 + 7" or "2 × 10 + 1 × 7". If there is none, the last such sum in the
 * text.
 */
function readAnswer(text: string, puzzle: Change): Coins | null {
  const plain = tidyAnswer(text).replace(/(\d{1,4}) (?:coins?|pieces?) (?:of|worth) (\d{1,4})/gi, '$1 * $2');
  const marked = lastCoins(afterAnswer(plain) ?? '', puzzle.coins);
  return marked ?? lastCoins(plain, puzzle.coins);
}

function lastCoins(part: string, coins: Coins): Coins | null {
  const found = findExpressions(joinTerms(part)).map(({ expression }) => coinsOf(expression, coins));
  return found.findLast((each) => each !== null) ?? null;
}

/** Turns "2 * 10 and 1 * 7" and "2 * 10, 1 * 7" into a sum. */
function joinTerms(plain: string): string {
  return plain.replace(
    /(\d{1,4} {0,3}\* {0,3}\d{1,4})(?: {0,3},? {0,3}and | {0,3}, {0,3})(?=\d{1,4} {0,3}\*)/g,
    '$1 + ',
  );
}

function coinsOf(expression: Expression, coins: Coins): Coins | null {
  if (expression.kind === 'number') {
    const value = Number(expression.value.top);
    return expression.value.bottom === 1n && coins.includes(value) ? [value] : null;
  }
  const { operator, left, right } = expression;
  if (operator === '+') {
    const [one, other] = [coinsOf(left, coins), coinsOf(right, coins)];
    return one && other ? [...one, ...other].sort((first, second) => second - first) : null;
  }
  if (operator !== '*' || left.kind !== 'number' || right.kind !== 'number') return null;
  const [count, coin] = [Number(left.value.top), Number(right.value.top)];
  const pair = coins.includes(coin) ? [count, coin] : coins.includes(count) ? [coin, count] : null;
  if (!pair || left.value.bottom !== 1n || right.value.bottom !== 1n) return null;
  const [times = 0, value = 0] = pair;
  return times >= 0 && times <= MAX_AMOUNT ? new Array<number>(times).fill(value) : null;
}

function check(puzzle: Change, answer: Coins): TaskVerdict {
  const sum = sumOf(answer);
  if (sum !== puzzle.amount) {
    const detail = `The coins come to ${sum}, not ${puzzle.amount}.`;
    return { correct: false, detail, distance: RULE_BROKEN };
  }
  const fewest = fewestCoins(puzzle) ?? Infinity;
  if (answer.length <= fewest) return { correct: true, detail: `${answer.length} coins are the fewest.`, distance: 0 };
  return { correct: false, detail: `${answer.length} coins are not the fewest.`, distance: answer.length - fewest };
}
