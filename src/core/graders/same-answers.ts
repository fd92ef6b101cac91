/** @file Compares the answers of two texts as the graders do, without a reference: numbers, formulas, letters and short texts. */
import { spellings } from './text-match';
import { extractAnswer, sameAnswer } from './mathematics';

/** Maximum length of an answer that can be compared, in UTF-16 units. A longer text is prose or code. */
const LONGEST = 80;

/**
 * Whether two texts state the same final answer. `null`: the answers can't be compared, because one of the texts states no short
 * answer.
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
  return plain(a).some((each) => plain(b).includes(each)) || sameAnswer(a, b);
}

/** The short answer that a text states, or the whole text if it is short. `null`: there is none, so the text can't be compared. */
export function statedAnswer(text: string): string | null {
  const answer = extractAnswer(text) ?? text.trim();
  return answer === '' || answer.length > LONGEST || answer.includes('\n') ? null : answer;
}
