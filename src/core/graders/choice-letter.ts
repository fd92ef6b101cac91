/** @file Grades answers to multiple-choice questions: the letter of an option, as in MMLU and GPQA. */
import type { Grader, GradingProfile } from '../contract';
import { firstTagged, lastTagged } from './answer-tags';
import { gpqaLetter } from './gpqa-letter';
import { byArtefactRules, referenceGrader } from './reference-grader';

/** `strict` reads only this many UTF-16 units at the end of a response. */
const SEARCHED = 20_000;

/** What may stand before the letter: emphasis, quotes, brackets, dollar signs, and LaTeX commands such as `\text{`. */
const BEFORE = String.raw`(?:[\s*_\x60"'“(\[{$]|\\\(|\\\[|\\(?:text|textbf|textrm|mathrm|mathbf|mathsf|boldsymbol)\s*(?=\{))*`;
/** The characters that may stand between the letter and the end of a text. */
const AFTER = String.raw`[\s*_\x60"'”)\]}$\\.:]*`;
const LETTER = String.raw`([A-J])(?![a-zA-Z'’])`;
const NOUN = String.raw`(?:answer|option|choice|letter)`;

/** Patterns for texts that state a choice, in order of preference. If a pattern matches several times, the last match counts. */
const STATEMENTS: readonly RegExp[] = [
  // A box: `\boxed{\text{(B) Carbon}}`.
  new RegExp(String.raw`\\boxed\s*\{${BEFORE}${LETTER}`, 'g'),
  // An explicit statement: “Answer: B”, “the correct option must be **B**”.
  new RegExp(
    String.raw`\b${NOUN}\b[\s*_]*(?:(?:is|must be|should be|would be|has to be)\b(?:\s*:)?|[:=])${BEFORE}(?:${NOUN}${BEFORE})?${LETTER}`,
    'gi',
  ),
  // “**B** is the correct answer”.
  new RegExp(String.raw`(?<![a-zA-Z'’\\])${LETTER}[\s*_)\].:"”]*\bis\s+(?:the\s+)?(?:correct|right|best)\b`, 'g'),
  // A last line that begins with the letter of an option: “B) Carbon”.
  /(?:^|\n)[ \t*_>#(]*([A-J])[*_]*[).:][^\n]*(?:\n\s*)?$/g,
  // “Answer B”, “option B”.
  new RegExp(String.raw`\b${NOUN}\b${BEFORE}${LETTER}`, 'gi'),
  // A letter on a line of its own, and a letter at the end.
  /^[ \t*_(]*([A-J])[).:*_]*[ \t]*$/gm,
  new RegExp(String.raw`(?<![a-zA-Z'’\\])${LETTER}${AFTER}$`, 'g'),
];

/** A choice at the beginning of a text in answer tags. The text of the option may follow: “B. Carbon”. */
const TAGGED = new RegExp(String.raw`^${BEFORE}([A-J])(?:[*_]*[).:]|${AFTER}$)`);

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
  const first = tagged === null ? undefined : TAGGED.exec(tagged)?.[1];
  if (first) return first;
  for (const statement of STATEMENTS) {
    const letter = [...text.matchAll(statement)].findLast(isChoice)?.[1];
    if (letter) return letter;
  }
  return null;
}

/** Whether a match states a choice. The matches in “the answer a …”, “the answer I …” and “Answer: I think …” do not. */
function isChoice(match: RegExpExecArray): boolean {
  const [statement, letter = ''] = match;
  if (!/[A-J]/.test(letter)) return false;
  if (letter !== 'I') return true;
  const after = match.input.slice(match.index + statement.length, match.index + statement.length + 20);
  return !/^answer\s+I$/i.test(statement) && !/^\s+(?!is\b|because\b|since\b|as\b)[a-z]/.test(after);
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
