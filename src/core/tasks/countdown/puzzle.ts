/** @file The Countdown puzzle: generates puzzles, writes their questions, and recognizes a puzzle in a question. */
import { randomIndex, shuffled, type Random } from '../../contract';
import { listed, longestList, pick, tidyQuestion } from '../wording';

/** The task is to reach the target with + − × ÷. Each number may be used at most once. */
export interface Countdown {
  /** 2 to 6 integers from 1 to 1000. A number that is listed twice may be used twice. */
  readonly numbers: readonly number[];
  /** An integer from 1 to 99,999. */
  readonly target: number;
  /** Whether every number must be used. */
  readonly every: boolean;
}

const MAX_NUMBERS = 6;
const MAX_TARGET = 99_999;
const MAX_NUMBER = 1_000;
const LARGE = [25, 50, 75, 100] as const;

/** Draws numbers as in the TV game, and a target that can be reached. */
export function generateCountdown(random: Random, difficulty: number): Countdown {
  const count = 4 + Math.min(2, Math.floor(difficulty * 2.99));
  const large = shuffled(LARGE, random).slice(0, 1 + randomIndex(random, 2));
  const small = Array.from({ length: count - large.length }, () => 1 + randomIndex(random, 10));
  const numbers = shuffled([...large, ...small], random);
  for (let attempt = 0; attempt < 200; attempt++) {
    const target = randomTarget(numbers, random);
    if (target >= 101 && target <= 999) return { numbers, target, every: false };
  }
  return { numbers, target: numbers.reduce((sum, number) => sum + number, 0), every: false };
}

/** Combines the numbers with random operations, in random order. Skips an operation if its result is not from 1 to 999. */
function randomTarget(numbers: readonly number[], random: Random): number {
  const [first = 0, ...rest] = shuffled(numbers, random);
  let value = first;
  for (const number of rest) {
    const results = [value + number, Math.abs(value - number), value * number, value * number];
    if (value % number === 0) results.push(value / number);
    const result = results[randomIndex(random, results.length)] ?? value;
    if (result > 0 && result <= 999) value = result;
  }
  return value;
}

/** Writes the question in a random wording. */
export function writeCountdownQuestion({ numbers, target, every }: Countdown, random: Random): string {
  const list = listed(numbers.map(String));
  const times = every ? 'exactly once' : 'at most once';
  return pick(
    [
      `Use ${list}, each ${times}, with + − × ÷ to reach ${target}.`,
      `Reach ${target} with the numbers ${list}. You may add, subtract, multiply and divide, and use each number ${times}.`,
      `How can you make ${target} out of ${list}, using plus, minus, times and division, and each number ${times}?`,
      `A numbers game: the numbers are ${numbers.join(', ')} and the target is ${target}. Use each number ${times}.`,
    ],
    random,
  );
}

const TARGET_PATTERNS: readonly RegExp[] = [
  /\b(?:target|goal)(?: number)?(?: of| is|:| =|,)? {0,3}(\d{1,5})/gi,
  /(?:\b(?:reach(?:es|ing)?|makes?|making|get(?:s|ting)?(?: to)?|hit(?:s|ting)?|equals?(?: to)?|giv(?:e|es|ing)|forms?|obtain|produce|arrive at|close as possible to|total(?:s)?(?: of)?)|->|→|=) {0,3}(?:exactly |the number |the target )?(\d{1,5})/gi,
];
/** Text that may follow a target. A number before a noun is a quantity, as in "4 pizzas", and not a target. */
const AFTER_TARGET = /^\s*(?:$|[.,;:?!)"'](?!\d)|(?:with|from|out|using|by|if|and|or|as|each|while|you|in|use)\b)/i;
/** A text without any of these words is not a puzzle. */
const EVIDENCE = /\b(?:us(?:e|ing)|from|out of|with|numbers?|digits|target|countdown)\b/i;

/** Recognizes a puzzle: a list of two to six integers, and a target outside that list. `null` if the text is not a puzzle. */
export function readCountdown(text: string): Countdown | null {
  const plain = tidyQuestion(text);
  if (plain === null || /\b(?:coins?|stamps?)\b/i.test(plain) || !EVIDENCE.test(plain)) return null;
  const list = longestList(plain, /(?<![\d.\w/-])\d{1,4}(?![\d/]|\.\d)/g);
  const [first, last] = [list[0], list[list.length - 1]];
  if (!first || !last || list.length < 2 || list.length > MAX_NUMBERS) return null;
  const numbers = list.map((item) => Number(item.text));
  if (numbers.some((number) => number < 1 || number > MAX_NUMBER)) return null;
  const outside = `${plain.slice(0, first.at)} ; ${plain.slice(last.at + last.text.length)}`;
  const target = readTarget(outside);
  if (target === null || target < 1 || target > MAX_TARGET) return null;
  return {
    numbers,
    target,
    every:
      /\bexactly once\b|\b(?:all|every)(?: one)?(?: of)?(?: the| these)?(?: \w+)? numbers?\b|\buse (?:them )?all\b/i.test(
        outside,
      ),
  };
}

function readTarget(outside: string): number | null {
  for (const pattern of TARGET_PATTERNS) {
    for (const match of outside.matchAll(pattern)) {
      if (AFTER_TARGET.test(outside.slice(match.index + match[0].length, match.index + match[0].length + 20))) {
        return Number(match[1]);
      }
    }
  }
  return null;
}
