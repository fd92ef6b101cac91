/** @file Grades answers to multiple-choice questions: the letter of an option, as in MMLU and GPQA. */
import type { Grader, GradingProfile } from '../contract';
import { firstTagged, lastTagged } from './answer-tags';
import { gpqaLetter } from './gpqa-letter';
import { withAsciiDigits } from './mathematics/plain-text';
import { byArtefactRules, referenceGrader } from './reference-grader';

/** `strict` reads only this many UTF-16 units at the end of a response. */
const SEARCHED = 20_000;

/** What may stand before the letter: emphasis, quotes, brackets, dollar signs, and LaTeX commands such as `\text{`. */
const BEFORE = String.raw`(?:[\s*_\x60"'“‘«<(\[{$]|\\\(|\\\[|\\(?:text|textbf|textrm|mathrm|mathbf|mathsf|boldsymbol)\s*(?=\{))*`;
/** The characters that may stand between the letter and the end of a text. */
const AFTER = String.raw`[\s*_\x60"'”’»>)\]}$\\.:]*`;
const LETTER = String.raw`([A-J])(?![a-zA-Z]|['’][a-z]|\s*=)`;
const NOUN = String.raw`(?:answer|ans|option|choice|letter)`;
/** Words for “answer” in other languages, with a verb or a colon. */
const FOREIGN = String.raw`(?:答案|答え|正解|回答|정답|답|उत्तर|الجواب|الإجابة|ответ|antwort|respuesta|réponse|resposta|risposta|jawaban|cevap|đáp án)(?:\s*(?:是|为|選|选|は|은|는|है|هي|هو|[:=])|[^.:\n]{0,20}?\s(?:es|est|ist|é|è|là)(?:\s(?:la|le|die|der|das|a|o))?\s)?`;

/** Patterns for texts that state a choice, in order of preference. If a pattern matches several times, the last match counts. */
const STATEMENTS: readonly RegExp[] = [
  // A box: `\boxed{\text{(B) Carbon}}`.
  new RegExp(String.raw`\\boxed\s*\{${BEFORE}${LETTER}`, 'dgi'),
  // An explicit statement: “Answer: B”, “the correct option must be **B**”, `"answer": "B"`.
  new RegExp(
    String.raw`\b${NOUN}\b["']?[\s*_]*(?:(?:is|must be|should be|would be|has to be)\b(?:\s*:)?|[:=])${BEFORE}(?:${NOUN}${BEFORE})?${LETTER}`,
    'dgi',
  ),
  new RegExp(String.raw`${FOREIGN}${BEFORE}${LETTER}`, 'dgi'),
  // “**B** is the correct answer”.
  new RegExp(
    String.raw`(?<![a-zA-Z'’\\])${LETTER}[\s*_)\].:"”]*\bis\s+(?:the\s+)?(?:correct|right|best|better)\b`,
    'dg',
  ),
  // A last line that begins with the letter of an option: “B) Carbon”.
  /(?:^|\n)[ \t*_>#(]*([A-J])[*_]*[).:][^\n]*(?:\n\s*)?$/dgi,
  // “Answer B”, “option B”.
  new RegExp(String.raw`\b${NOUN}\b${BEFORE}${LETTER}`, 'dgi'),
  // A letter on a line of its own, and a letter at the end.
  /^[ \t*_([]*([A-J])[).:*_\]]*[ \t]*$/dgim,
  new RegExp(String.raw`(?<![a-zA-Z'’\\])${LETTER}${AFTER}$`, 'dg'),
];

/** A choice at the beginning of a text in answer tags. The text of the option may follow: “B. Carbon”. */
const TAGGED = new RegExp(String.raw`^${BEFORE}([A-J])(?:[*_]*[).:]|${AFTER}$)`, 'i');

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
  const end = plainLetters(response.slice(-SEARCHED));
  const tagged = lastTagged(end);
  const text = tagged ?? end;
  const first = tagged === null ? undefined : TAGGED.exec(tagged)?.[1];
  if (first && !namesAnother(tagged ?? '', first)) return first.toUpperCase();
  for (const statement of STATEMENTS) {
    const match = [...text.matchAll(statement)].findLast(isChoice);
    const letter = match?.[1];
    if (match && letter) return isOneOfSeveral(match) ? null : letter.toUpperCase();
  }
  return null;
}

/** Replaces full-width letters and the brackets of East Asian scripts. Removes the marks of code blocks. */
function plainLetters(text: string): string {
  return withAsciiDigits(text)
    .replace(/[【〔「『〈《]/g, '[')
    .replace(/[】〕」』〉》]/g, ']')
    .replace(/^[ \t]*(?:```|~~~)\w*[ \t]*$/gm, '');
}

/** Whether a short text names another letter in the same way, as in “A, B” and “A and C”. */
function namesAnother(text: string, letter: string): boolean {
  return new RegExp(String.raw`^${BEFORE}${letter}${AFTER}(?:,|/|&|\b(?:and|or)\b)${BEFORE}[A-J]${AFTER}$`).test(text);
}

/** Whether another letter follows, as in “The answer is A or B”. Then the response states no choice. */
function isOneOfSeveral({ index, input, 0: statement }: RegExpExecArray): boolean {
  const at = index + statement.trimEnd().length;
  return new RegExp(
    String.raw`^[*_)\]"'”]*\s*(?:,(?:\s*(?:and|or))?|/|&|and|or)\s*[*_(\["'“]*[A-J](?![a-zA-Z]|['’][a-z])[*_)\]"'”]*\s*(?:[.,;]|$)`,
  ).test(input.slice(at, at + 40));
}

/**
 * Whether a match states a choice. The matches in “the answer a …”, “the answer I …” and “Answer: A person should …” do not. A
 * lower-case letter is a choice only if nothing or a bracket follows.
 */
function isChoice(match: RegExpExecArray): boolean {
  const [statement, letter = ''] = match;
  const at = match.indices?.[1]?.[0] ?? match.index;
  const [before, after] = [match.input.slice(Math.max(0, at - 40), at), match.input.slice(at + 1, at + 41)];
  if (/[a-j]/.test(letter))
    return /^[*_\x60"'”]*(?:[)\]}]|(?:[.:$][*_\x60"'”$]*)?\s*(?:\n|$))/.test(after) && !isListed(match);
  if (/[A-J][)*_\]]*,?\s*(?:or|nor|and)\s+[(*_]*$/.test(before) && /^[)\]*_]*\s+is\b/.test(after)) return false;
  // “Vitamin C” at the end of a statement.
  if (/[:a-z]\s[A-Z][a-z]+\s$/.test(before) && statement.trimStart().startsWith(letter)) return false;
  if (isListed(match)) return false;
  if (letter === 'I')
    return !/^answer\s+I$/i.test(statement) && !/^\s+(?!is\b|because\b|since\b|as\b)[a-z]/.test(after);
  return letter !== 'A' || !/^\s+(?!(?:is|because|since|as|and|or|which|with|for|but|due|not)\b)[a-z]/.test(after);
}

/** Whether a line that begins with a letter belongs to a list of the options, or names several of them. */
function isListed({ index, input, 0: statement, 1: letter = '' }: RegExpExecArray): boolean {
  const isLine = statement.startsWith('\n') || index === 0 || input.charAt(index - 1) === '\n';
  if (!isLine || !new RegExp(String.raw`^[\s*_>#(]*${letter}[*_]*[).:]`).test(statement)) return false;
  const lineBefore =
    input
      .slice(Math.max(0, index - 400), index)
      .trimEnd()
      .split('\n')
      .at(-1) ?? '';
  return (
    /^[ \t*_>#(-]*[A-J][*_]*[).:]\s/i.test(lineBefore) || /\([A-J]\)/.test(statement.replace(/^[\s*_>#]*\([A-J]\)/, ''))
  );
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
