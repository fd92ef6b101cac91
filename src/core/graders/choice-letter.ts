/** @file Grades answers to multiple-choice questions: the letter of an option, as in MMLU and GPQA. */
import type { Grader, GradingProfile } from '../contract';
import { firstTagged, lastTagged } from './answer-tags';
import { gpqaLetter } from './gpqa-letter';
import { byArtefactRules, referenceGrader } from './reference-grader';

/** `strict` reads only this many UTF-16 units at the end of a response. */
const SEARCHED = 20_000;

/** Patterns for texts that state a choice, in order of preference. If a pattern matches several times, the last match counts. */
const STATEMENTS: readonly RegExp[] = [
  /\\boxed\s*\{\s*(?:\\(?:text|mathrm|textbf)\s*\{)?\s*\(?([A-J])\)?[^a-zA-Z]/g,
  /\banswer\b(?:\s+is)?\s*[:=]?\s*(?:option|choice)?\s*[$*({[\s]*(?:\\text\s*\{)?\(?([A-J])(?![a-zA-Z'])/gi,
  /\b(?:option|choice)\s+[*(]*([A-J])(?![a-zA-Z'])/gi,
  /^[\s*(]*([A-J])[).:*]*\s*(?:$|\n)/gm,
  /(?<![a-zA-Z'\\])\(?([A-J])\)?[.)\s]*$/g,
];

/**
 * The chosen letter, in upper case. `null`: no letter was found.
 *
 * `strict`: a letter from A to J, stated in the last answer tags. Without tags, the end of the response is searched.
 *
 * `paper-artefact`: the first letter from A to D in the first answer tags, in upper or lower case, even within a word. For
 * example, “ANSWER: C” is read as A. If there is no such letter, a digit from 0 to 3 stands for a letter. GPQA has its own
 * rules, see `gpqaLetter`.
 */
export function extractLetter(response: string, profile: GradingProfile): string | null {
  if (profile === 'paper-artefact') return artefactLetter(response);
  const end = response.slice(-SEARCHED);
  const tagged = lastTagged(end);
  const text = tagged ?? end;
  // In answer tags, a single lower-case letter also counts.
  if (tagged && /^\(?[a-j][).]?$/i.test(tagged)) return tagged.replace(/[^a-zA-Z]/g, '').toUpperCase();
  for (const statement of STATEMENTS) {
    const letter = [...text.matchAll(statement)].findLast(isChoice)?.[1];
    if (letter) return letter;
  }
  return null;
}

/** Whether a match states a choice. The matches in “the answer a …” and “the answer I …” do not. */
function isChoice([statement, letter = '']: readonly string[]): boolean {
  return /[A-J]/.test(letter) && !/^answer\s+I$/i.test(statement ?? '');
}

function artefactLetter(response: string): string | null {
  const tagged = firstTagged(response);
  if (tagged === null) return null;
  const letter = /[ABCD]/.exec(tagged.toUpperCase())?.[0];
  if (letter) return letter;
  const digit = /[0-3]/.exec(tagged)?.[0];
  return digit === undefined ? null : 'ABCD'.charAt(Number(digit));
}

/** Compares the chosen letter with the reference, which is a letter such as “B” or “(B)”. */
export function createChoiceLetterGrader(profile: GradingProfile): Grader {
  const grader = letterGrader((response) => extractLetter(response, profile));
  return profile === 'strict' ? grader : byArtefactRules(grader, { gpqa: letterGrader(gpqaLetter) });
}

function letterGrader(extract: (response: string) => string | null): Grader {
  return referenceGrader({
    extract,
    isSame: (reference, letter) => reference.replace(/[^a-zA-Z]/g, '').toUpperCase() === letter,
  });
}
