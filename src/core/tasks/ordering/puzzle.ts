/** @file The ordering puzzle: its type, its question and the parser of questions. */
import { randomIndex, shuffled, type Random } from '../../contract';
import { listed, pick, tidyQuestion } from '../wording';
import { dateItem, findDates, findNumberList, fractionItem, numberItem, valueKey, type Item } from './items';

export interface Ordering {
  readonly kind: 'dates' | 'numbers';
  /** 3 to 24 items, in the order of the question. */
  readonly items: readonly Item[];
  /** Whether the answer starts with the largest or latest item. */
  readonly descending: boolean;
}

const MIN_ITEMS = 3;
const MAX_ITEMS = 24;

/** Draws dates, fractions or decimals. Harder puzzles have more items, and their items are closer together. */
export function generateOrdering(random: Random, difficulty: number): Ordering {
  const count = 4 + Math.round(difficulty * 6) + randomIndex(random, 3);
  const draw = [drawDate, drawFraction, drawDecimal][randomIndex(random, 3)] ?? drawDate;
  const items = new Map<string, Item>();
  while (items.size < count) {
    const item = draw(random, difficulty);
    if (item) items.set(valueKey(item), item);
  }
  const kind = draw === drawDate ? 'dates' : 'numbers';
  return { kind, items: shuffled([...items.values()], random), descending: random() < 0.3 };
}

function drawDate(random: Random, difficulty: number): Item | null {
  const span = difficulty > 0.5 ? 25 : 200;
  return dateItem(1_800 + randomIndex(random, span), 1 + randomIndex(random, 12), 1 + randomIndex(random, 28));
}

function drawFraction(random: Random, difficulty: number): Item | null {
  const bottom = 3 + randomIndex(random, difficulty > 0.5 ? 17 : 9);
  return fractionItem(1 + randomIndex(random, bottom - 1), bottom);
}

function drawDecimal(random: Random, difficulty: number): Item | null {
  const places = difficulty > 0.5 ? 3 : 2;
  const value = (randomIndex(random, 20 * 10 ** places) - 10 ** (places + 1)) / 10 ** places;
  return numberItem(value.toFixed(places - randomIndex(random, 2)));
}

/** The question in one of several wordings. */
export function writeOrderingQuestion({ kind, items, descending }: Ordering, random: Random): string {
  const texts = items.map((item) => item.text);
  const first =
    kind === 'dates'
      ? descending
        ? 'latest first'
        : 'earliest first'
      : descending
        ? 'largest first'
        : 'smallest first';
  const what = kind === 'dates' ? 'dates' : items.every((item) => item.text.includes('/')) ? 'fractions' : 'numbers';
  return pick(
    [
      `Put these ${what} in order, ${first}: ${texts.join(', ')}.`,
      `Sort the ${what} ${listed(texts)}, ${first}.`,
      `Arrange in order, ${first}: ${texts.join('; ')}.`,
      `What is the right order of these ${what}, ${first}? ${texts.join(', ')}`,
    ],
    random,
  );
}

const TRIGGER = /\b(?:order(?:ed|ing)?|sort(?:ed)?|arrange|rank|line up|by size|chronological(?:ly)?)\b/i;
const DESCENDING =
  /\b(?:largest|biggest|greatest|highest|latest|newest|most recent)(?: one)?(?: first| to| down)|\bdescending\b|\bdecreasing\b|\bfrom (?:the )?(?:largest|biggest|greatest|highest|latest|newest|most recent)\b/i;

/** Reads a list of dates or numbers from a text that has a word such as “sort” or “order”. */
export function readOrdering(text: string): Ordering | null {
  const plain = tidyQuestion(text);
  if (plain === null || !TRIGGER.test(plain)) return null;
  const dates = findDates(plain).map((found) => found.item);
  const items = dates.length >= MIN_ITEMS ? dates : findNumberList(plain);
  if (items.length < MIN_ITEMS || items.length > MAX_ITEMS) return null;
  return { kind: items === dates ? 'dates' : 'numbers', items, descending: DESCENDING.test(plain) };
}
