/**
 * @file Normalizes texts and queries for the search. A search then ignores differences in case, in character width (full or
 * half), and in the encoding of a letter. Consecutive white space becomes one space.
 */
import type { IndexedTexts } from '../../contract';

/** Maximum number of characters of each text that are searched. */
const TEXT_LIMITS = { question: 20_000, answer: 20_000, notes: 20_000, subtask: 4000, output: 20_000 } as const;
/** Maximum number of subtasks, and of outputs, that are searched. */
const MOST_STEPS = 64;

/** Separates the texts of a run. No query contains the separator, so a phrase never spans two texts. */
const BETWEEN = '\n';

const ASCII = /^\p{ASCII}*$/u;

/** Normalizes a text, so that it can be compared with other normalized texts. */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase().replace(/\s+/g, ' ');
  // `toUpperCase` turns `ß` into `SS`. `toLowerCase` turns `Σ` at the end of a word into `ς`, which the next line replaces.
  const folded = text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
  return folded.replaceAll('ς', 'σ').replace(/\s+/g, ' ');
}

/** Cuts the texts of a run to their limits, normalizes them and joins them. Duplicate texts are left out. */
export function foldTexts({ question, answer, notes, subtasks, outputs }: IndexedTexts): string {
  const cut = [
    question.slice(0, TEXT_LIMITS.question),
    answer.slice(0, TEXT_LIMITS.answer),
    ...notes.slice(0, TEXT_LIMITS.notes).split('\n'),
    ...subtasks.slice(0, MOST_STEPS).map((text) => text.slice(0, TEXT_LIMITS.subtask)),
    ...outputs.slice(0, MOST_STEPS).map((text) => text.slice(0, TEXT_LIMITS.output)),
  ];
  const folded = cut.map((text) => foldText(text).trim()).filter((text) => text !== '');
  return [...new Set(folded)].join(BETWEEN);
}
