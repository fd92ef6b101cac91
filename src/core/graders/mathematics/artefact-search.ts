/**
 * @file Finds the answers to AIME tasks under the profile `paper-artefact`. These rules stay as they are, so that verdicts of this
 * profile stay comparable with earlier ones. The profile `strict` has the rules in `extract.ts`.
 */
import { lastTagged } from '../answer-tags';
import { boxed, lastBox, withPercent } from './boxes';

/** Only this many UTF-16 units at the end of a response are searched. This limits the time for hostile text. */
const SEARCHED = 20_000;

/**
 * The answer in tags, in boxes (`\boxed`), or after “the answer is”. Otherwise the last formula or number. `null`: no answer was
 * found.
 */
export function searchAnswer(response: string): string | null {
  const text = withoutThinking(response).slice(-SEARCHED).replaceAll('\u2212', '-');
  const tagged = lastTagged(text);
  return tagged === null ? inside(text) : (inside(tagged) ?? tagged);
}

function inside(text: string): string | null {
  return (
    concluded(text) ??
    boxed(text) ??
    announced(text) ??
    lastFormula(text) ??
    bare(text) ??
    lastRelation(text) ??
    lastNumber(text)
  );
}

/** The whole text, if it is short and contains only mathematics. Otherwise `null`. */
function bare(text: string): string | null {
  const isShort = text.length <= 160 && !text.includes('\n');
  const withoutCommands = text.replace(/\\[a-zA-Z]+/g, ' ').replace(/\b(?:and|or)\b/g, ' ');
  return isShort &&
    /[\d=\\]/.test(text) &&
    !/[a-zA-Z]{2}/.test(withoutCommands.replace(/(?<=[\d)])or(?=[(A-Z])/g, ' ')) &&
    !/[€²³$]/.test(text)
    ? text.trim()
    : null;
}

/**
 * The answer in a sentence such as “The final answer is 12” after the last box. Such a sentence shows that the box was only an
 * intermediate result.
 */
function concluded(text: string): string | null {
  const box = lastBox(text);
  const at = [...text.matchAll(/final answer is:?\s*(?=\$|\\\(|\\\[|-?\d)/gi)].at(-1);
  if (box < 0 || !at || at.index < box) return null;
  return announced(text.slice(at.index));
}

/** Removes a model's thinking before its response. The thinking stays if it has no closing tag, or if nothing follows it. */
function withoutThinking(response: string): string {
  const end = response.lastIndexOf('</think>');
  const rest = end < 0 ? response : response.slice(end + '</think>'.length);
  return rest.trim() ? rest : response;
}

interface Found {
  readonly start: number;
  readonly end: number;
  readonly content: string;
}

const ANNOUNCED = /(?:final answer|answer|result|solution)(?:\s+is|\s*=|\s*:)(?:\s*:)?\s*/gi;

/**
 * The answer after “the answer is” or a similar phrase. The last such phrase with an answer counts. Formulas are preferred to
 * numbers. If the text after the phrase begins with a number and has no equals sign, that number is the answer, as in
 * “15 (5 × 3)”. Otherwise, the last number of the sentence is the answer. Without a formula or a number, the rest of the
 * sentence is the answer, if it is short.
 */
function announced(text: string): string | null {
  for (const match of [...text.matchAll(ANNOUNCED)].reverse()) {
    const rest = text.slice(match.index + match[0].length, match.index + match[0].length + 1000);
    const sentence = /^(?:[^\n.]|\.(?=\d))*/.exec(rest)?.[0] ?? '';
    const formulas = formulasIn(rest).filter(({ start }) => start < Math.max(sentence.length, 12));
    const [first] = formulas;
    if (first) return first.start < 12 ? joined(rest, formulas, 0) : lastFormula(sentence);
    const number = leadingNumber(sentence) ?? lastNumber(sentence);
    if (number !== null) return number;
    const words = sentence.replace(/["“”*]/g, '').trim();
    if (words && words.length <= 60) return words;
  }
  return null;
}

/** The number or short expression at the start. `null`: there is none, or an equals sign follows outside brackets. */
function leadingNumber(sentence: string): string | null {
  const text = sentence.replace(/^[\s*_"“]+/, '').replace(/^[$€£]\s*(?=\d)/, '');
  const whole = text.replace(/(?<!\s)\s+\(.*$/, '').replace(/(?<![\s*_"”.])[\s*_"”.]+$/, '');
  if (!/^-?[\d√.]/.test(whole) || whole.includes('=')) return null;
  return bare(whole) ?? NUMBER_FIRST.exec(whole)?.[0].trim() ?? null;
}

const FORMULA = /\$\$([^]+?)\$\$|\\\[([^]+?)\\\]|\\\(([^\n]+?)\\\)|\$((?:\\\$|[^$\n])+)\$/g;

function formulasIn(text: string): Found[] {
  const formulas: Found[] = [];
  FORMULA.lastIndex = 0;
  for (let match = FORMULA.exec(text); match; match = FORMULA.exec(text)) {
    const content = match[1] ?? match[2] ?? match[3] ?? match[4] ?? '';
    if (match[4] !== undefined && isPrice(match[4])) FORMULA.lastIndex = match.index + 1;
    else formulas.push({ start: match.index, end: match.index + match[0].length, content: content.trim() });
  }
  return formulas;
}

/** Whether the text between two dollar signs is a price and words, as in “$18 per day (9 eggs × $2)”. */
function isPrice(content: string): boolean {
  return /^\d/.test(content) && /[a-zA-Z]{3}/.test(content.replace(/\\[a-zA-Z]+\s*(?:\{[^{}]*\})?|\band\b/g, ' '));
}

/** The formula at an index, joined with the formulas that directly follow it, as in “$1$ and $2$”. */
function joined(text: string, formulas: readonly Found[], from: number): string | null {
  const first = formulas[from];
  if (!first) return null;
  const group = [first];
  for (const next of formulas.slice(from + 1)) {
    const previous = group.at(-1);
    const between = text.slice(previous?.end ?? 0, next.start);
    if (!/^\s*(?:,\s*)?(?:(?:and|or)\s*)?$/.test(between)) break;
    group.push(next);
  }
  const content = group.map((each) => each.content).join(', ');
  return group.length > 1 ? content : withPercent(content, text.slice(first.end));
}

function lastFormula(text: string): string | null {
  const formulas = formulasIn(text).filter(({ content }) => content !== '');
  if (formulas.length === 0) return null;
  let start = formulas.length - 1;
  while (
    start > 0 &&
    /^\s*(?:,\s*)?(?:(?:and|or)\s*)?$/.test(text.slice(formulas[start - 1]?.end ?? 0, formulas[start]?.start))
  )
    start--;
  const last = formulas.at(-1);
  // If the text after the last formula announces a number, as in “which gives 12”, this number is preferred to
  // the formula.
  const after = text.slice(last?.end ?? 0);
  return lastNumberAfterFormula(after) ?? joined(text, formulas, start);
}

function lastNumberAfterFormula(text: string): string | null {
  const isAnnounced = /\b(?:is|are|equals|=|by|get|gives|has)\s*(?::\s*)?\$?[-\d]/.test(text);
  return isAnnounced ? lastNumber(text) : null;
}

/** The last relation in plain text, such as `x >= 5`. */
function lastRelation(text: string): string | null {
  const match = [...text.matchAll(/\b[a-zA-Z]\s*(?:[<>]=?|!=|=|\\(?:leq?|geq?|neq?|lt|gt)\b)\s*-?\d[\d./]*/g)].at(-1);
  return match ? match[0].replace(/(?<![./])[./]+$/, '') : null;
}

const DIGITS = String.raw`-?(?:\d*√\d+|(?:\d{1,3}(?:[,  ]\d{3})+|\d+)?(?:[.,]\d+|(?<=\d))(?:\s*\/\s*-?\d+)?(?:\s*(?:%|\\%|percent\b|pct\b))?)`;
const NUMBER = new RegExp(String.raw`(?<![\w\\√])${DIGITS}`, 'g');
const NUMBER_FIRST = new RegExp(`^${DIGITS}`);

function lastNumber(text: string): string | null {
  const match = [...text.matchAll(NUMBER)].filter(([number]) => /\d/.test(number)).at(-1);
  return match ? match[0].trim() : null;
}
