/** @file Ordering puzzles: dates by time, numbers and fractions by size. */
import { RULE_BROKEN, type TaskFamily, type TaskVerdict } from '../family';
import { compare } from '../rational';
import { afterAnswer, tidyAnswer } from '../wording';
import { findDates, findNumbers, valueKey, type Item } from './items';
import { writeOrderingQuestion, generateOrdering, readOrdering, type Ordering } from './puzzle';
import { ampleSteps, searchOrdering, STRATEGIES } from './search';

/** The family of ordering puzzles. In an answer, items of equal value may be in any order. */
export const ordering: TaskFamily<Ordering, readonly Item[]> = {
  name: 'ordering',
  strategies: STRATEGIES,
  generate: generateOrdering,
  writeQuestion: writeOrderingQuestion,
  read: readOrdering,
  ample: ampleSteps,
  search: (puzzle, { from, ...effort }) =>
    searchOrdering(puzzle, from && !differing(puzzle.items, from) ? { ...effort, from } : effort),
  format: (answer) => answer.map((item) => item.text).join(', '),
  readAnswer,
  check,
};

/**
 * Finds the puzzle's items in the text. If the text repeats items, only its last n items count, where n is the number of items in the puzzle.
 * The items may have any layout: one line, numbered lines, or comparison signs. Items after "answer:" take precedence.
 * `null` for fewer than two items.
 */
function readAnswer(text: string, puzzle: Ordering): readonly Item[] | null {
  const plain = tidyAnswer(text).replace(/^[ \t]{0,8}\d{1,2}[.)][ \t]/gm, ' ');
  for (const part of [afterAnswer(plain), plain]) {
    if (part === null) continue;
    const found = puzzle.kind === 'dates' ? findDates(part).map((each) => each.item) : findNumbers(part);
    const given = new Set(puzzle.items.map(valueKey));
    const listing = found.filter((item) => given.has(valueKey(item))).slice(-puzzle.items.length);
    if (listing.length > 1) return listing;
  }
  return null;
}

function check(puzzle: Ordering, answer: readonly Item[]): TaskVerdict {
  const strange = differing(puzzle.items, answer);
  if (strange) return { correct: false, detail: strange, distance: RULE_BROKEN };
  const wrong: (readonly [Item, Item])[] = [];
  for (const [index, item] of answer.entries()) {
    const next = answer[index + 1];
    if (!next) continue;
    const order = compare(item.value, next.value);
    if (puzzle.descending ? order < 0 : order > 0) wrong.push([item, next]);
  }
  const [first] = wrong;
  if (!first) return { correct: true, detail: 'Every item stands in its place.', distance: 0 };
  const detail = `${first[0].text} should not stand right before ${first[1].text}.`;
  return { correct: false, detail, distance: wrong.length };
}

/** A sentence about an item that is missing, or that occurs more often than in the puzzle. `null` if there is no such item. */
function differing(given: readonly Item[], answer: readonly Item[]): string | null {
  const left = new Map<string, number>();
  for (const item of given) left.set(valueKey(item), (left.get(valueKey(item)) ?? 0) + 1);
  for (const item of answer) {
    const count = left.get(valueKey(item)) ?? 0;
    if (count === 0) return `${item.text} stands there more often than it is given.`;
    left.set(valueKey(item), count - 1);
  }
  const missing = given.find((item) => (left.get(valueKey(item)) ?? 0) > 0);
  return missing ? `${missing.text} is missing.` : null;
}
