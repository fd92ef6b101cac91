/** @file Compares the answers of two texts as the graders do, without a reference: numbers, formulas, letters and short texts. */
import { finalText, spellings } from './text-match';
import { extractAnswer, sameAnswer } from './mathematics';

/** Maximum length of an answer that can be compared, in UTF-16 units. A longer text is prose or code. */
const LONGEST = 80;

/**
 * Whether two texts state the same final answer. `null`: the answers can't be compared. One of the texts states no short answer, or
 * the answers have the same value but may still differ, see `mayDiffer`.
 */
export function sameAnswers(one: string, other: string): boolean | null {
  if (one.trim() === other.trim()) return true;
  const [a, b] = [statedAnswer(one), statedAnswer(other)];
  if (a === null || b === null) return null;
  const plain = (text: string) =>
    spellings(text).map((each) =>
      each
        .replace(/[\s.]+/g, ' ')
        .trim()
        .toLowerCase(),
    );
  if (plain(a).some((each) => plain(b).includes(each))) return true;
  if (!sameAnswer(a, b)) return false;
  return mayDiffer(a, b) ? null : true;
}

/**
 * Whether two answers of the same value may still be different answers: lists in another order, and other calculations with the
 * same result. Graders accept these only where the task allows it, and the task is unknown here.
 */
function mayDiffer(one: string, other: string): boolean {
  if (isCalculation(one) && isCalculation(other)) return true;
  const [a, b] = [listOf(one), listOf(other)];
  return a.length > 1 && a.length === b.length && a.some((item, at) => !sameAnswer(item, b[at] ?? ''));
}

/** Whether a text is an equation of numbers only, such as "2 × 17 + 1 = 35". */
function isCalculation(text: string): boolean {
  return text.includes('=') && !/\p{L}/u.test(text.replace(/\\[a-z]+/gi, ''));
}

function listOf(text: string): readonly string[] {
  return text.split(/[,;]/).map((item) => item.replaceAll('$', '').trim());
}

/** The list or the short answer that a text states, or the whole text if it is short. `null`: there is none, so it can't be compared. */
export function statedAnswer(text: string): string | null {
  const list = listAtEnd(text);
  if (list !== null) return list;
  const answer = extractAnswer(text) ?? text.trim();
  return answer === '' || answer.length > LONGEST || answer.includes('\n') ? null : answer;
}

/**
 * The list after “Answer:” in the last line, such as "Ada knave, Ben knight, Cleo knave, Dan knave". From a list of words, the
 * graders would read only one number. `null`: the line has no such label, or its parts are not alike, so it may be a sentence.
 */
function listAtEnd(text: string): string | null {
  const line = finalText(text);
  const [, list = line] = line === null ? [] : spellings(line);
  if (line === null || !list || list === line) return null;
  const [first = 0, ...others] = listOf(list).map((item) => item.split(/\s+/).length);
  return first <= 3 && others.length >= 3 && others.every((words) => words === first) ? list : null;
}
