/**
 * @file Puzzles that can be generated, asked, read from plain words, searched and checked exactly: the ground on which
 * simulated workers work, tests have true outcomes and the policy trains.
 */
import { arithmetic } from './arithmetic';
import { change } from './change';
import { countdown } from './countdown/family';
import { ordering } from './ordering/family';
import { posed, type PosedFamily, type PosedPuzzle } from './posed';
import { statements } from './statements/family';

export type { Attempt, Effort, Strategy, TaskFamily, TaskVerdict } from './family';
export type { PosedFamily, PosedPuzzle } from './posed';

/** Every family, in the order in which a text is offered to them: those with the most telling words first. */
export const TASK_FAMILIES: readonly PosedFamily[] = [
  posed(change),
  posed(statements),
  posed(countdown),
  posed(ordering),
  posed(arithmetic),
];

/** The puzzle that a text asks, or `null`. Deterministic and linear in the text; long texts are no puzzles. */
export function readPuzzle(text: string): PosedPuzzle | null {
  for (const family of TASK_FAMILIES) {
    const puzzle = family.read(text);
    if (puzzle) return puzzle;
  }
  return null;
}

/** Questions to begin with. The first stands in the field when the page is first opened. */
export const SAMPLE_QUESTIONS: readonly { readonly label: string; readonly question: string }[] = [
  {
    label: 'a numbers game',
    question: 'Use 3, 4, 7, 8, 25 and 50, each at most once, with + − × ÷ to reach 537.',
  },
  {
    label: 'twelve dates in order',
    question:
      'Put these dates in order, earliest first: 20 July 1969, 14 July 1789, 9 November 1989, 12 April 1961, 4 July 1776, 17 December 1903, 6 June 1944, 15 June 1215, 12 October 1492, 31 October 1517, 1 May 1851, 28 August 1963.',
  },
  {
    label: 'a puzzle with five statements',
    question:
      'Five people each make one statement. Knights always tell the truth and knaves always lie.\nAda says: “Dan and Ben are of different kinds.”\nBen says: “Exactly one of us is a knight.”\nCleo says: “Exactly three of us are knights.”\nDan says: “Ada is a knight.”\nEve says: “At least one of Dan and Cleo is a knave.”\nWho is a knight and who is a knave?',
  },
  {
    label: 'fractions by size',
    question: 'Put these fractions in order, smallest first: 5/8, 7/12, 3/5, 9/16, 11/18, 4/7, 8/13.',
  },
];
