/** @file Finds the value that a sentence states, among all its numbers and formulas, by the words around them. */
import { withPercent } from './boxes';
import { clausesOf, depthsOf } from './clauses';
import { FORMULA } from './formulas';
import { numbersIn } from './numbers';
import { BOLD } from './plain-text';
import type { Sentence } from './sentences';

/** Length of the text before and after a value that is looked at, in UTF-16 units. */
const CONTEXT = 48;
/** Maximum length of bold text that marks a value, in UTF-16 units. Longer bold text is a heading or a whole sentence. */
const LONGEST_MARKED = 40;

interface Candidate {
  readonly start: number;
  readonly end: number;
  readonly value: string;
  readonly isMarked: boolean;
  readonly isOrdinal: boolean;
}

/** The value that a sentence states, or `null` if the sentence contains no number and no formula. */
export function statedValue(sentence: Sentence): string | null {
  const { text, marked } = withoutBold(sentence.text);
  const candidates = candidatesIn(text, sentence.formulas, marked);
  const chosen = choose(text, candidates);
  if (!chosen) return null;
  if (chosen.value === '' || !isFormulaAt(text, chosen)) return chosen.value;
  return joined(text, candidates, chosen);
}

/** Whether a sentence contains a number or a formula that could be a value. */
export function hasValue(sentence: Sentence): boolean {
  const { text, marked } = withoutBold(sentence.text);
  return candidatesIn(text, sentence.formulas, marked).length > 0;
}

/** Whether a sentence states a new value. The numbers in “for all 9 bags” and “in 2023” are given, and not new. */
export function statesResult(sentence: Sentence): boolean {
  const { text, marked } = withoutBold(sentence.text);
  const chosen = choose(text, candidatesIn(text, sentence.formulas, marked));
  return chosen !== undefined && weightOf(text, chosen) >= DEMOTED;
}

/** The text without `BOLD`, and the ranges of short bold texts. */
export function withoutBold(text: string): { readonly text: string; readonly marked: readonly [number, number][] } {
  const marked: [number, number][] = [];
  let plain = '';
  for (const [index, part] of text.split(BOLD).entries()) {
    if (index % 2 === 1 && part.length <= LONGEST_MARKED) marked.push([plain.length, plain.length + part.length]);
    plain += part;
  }
  return { text: plain, marked };
}

/** A relation such as `x >= 5`. Its number alone is not the value. */
const INEQUALITY = /(?<![\w.])[a-zA-Z]\s?(?:[<>]=?|!=|[≤≥≠]|\\(?:leq?|geq?|neq?|lt|gt)\b)\s?-?\d[\d./]*(?<![./])/g;

/** A symbol that is added to a number, as in `160 - y`. */
const LAST_TERM = /^\s?[-+]\s?[a-z]\b(?!['’-])/;

function candidatesIn(
  text: string,
  formulas: readonly string[],
  marked: readonly (readonly [number, number])[],
): Candidate[] {
  const isMarked = (at: number) => marked.some(([from, to]) => from <= at && at < to);
  const relations = [...text.matchAll(INEQUALITY)].map(({ index, 0: value }) => ({
    start: index,
    end: index + value.length,
    value,
    isOrdinal: false,
  }));
  const numbers = numbersIn(text)
    .filter(
      ({ start, end }) =>
        !relations.some((each) => each.start <= start && start < each.end) && !isScale(text, start, end),
    )
    .map(({ start, end, text: value, isOrdinal }) => ({
      start,
      end: end + (LAST_TERM.exec(text.slice(end, end + 8))?.[0].length ?? 0),
      value: value + (LAST_TERM.exec(text.slice(end, end + 8))?.[0] ?? ''),
      isOrdinal,
    }));
  const signs = [...text.matchAll(new RegExp(FORMULA, 'g'))].map(({ index }, at) => ({
    start: index,
    end: index + 1,
    value: formulas[at] ?? '',
    isOrdinal: false,
  }));
  return [...relations, ...numbers, ...signs]
    .sort((one, other) => one.start - other.start)
    .map((each) => ({ ...each, isMarked: isMarked(each.start) }));
}

/** Whether a number only says how another one is rounded, or is the number of a step, as in “to 2 decimal places”. */
function isScale(text: string, start: number, end: number): boolean {
  return (
    /^[\s-]?(?:decimal|d\.?p\b|significant|sig\.? ?fig|digits? after)/i.test(text.slice(end, end + 16)) ||
    /\b(?:nearest|step|equation|eq\.?|problem|question|method|chapter|page|figure|table|section|appendix)\s+[#($]?$/i.test(
      text.slice(Math.max(0, start - 16), start),
    )
  );
}

/** The last of the candidates that fit best, in the last clause that can state the answer. */
function choose(text: string, candidates: readonly Candidate[]): Candidate | undefined {
  const depths = depthsOf(text);
  const open = candidates.filter(({ start }) => depths[start] === 0);
  const clauses = clausesOf(text);
  const inside = (clause: (typeof clauses)[number]) =>
    open.filter(({ start }) => clause.start <= start && start < clause.end);
  const fits = (clause: (typeof clauses)[number]) => inside(clause).some((one) => weightOf(text, one) > DEMOTED);
  const clause =
    clauses.findLast((each) => each.kind === 'main' && fits(each)) ??
    clauses.findLast((each) => each.kind === 'alternative' && fits(each)) ??
    clauses.findLast((each) => each.kind === 'main' && inside(each).length > 0) ??
    clauses.find((each) => inside(each).length > 0);
  const among = clause ? inside(clause) : candidates;
  let best: Candidate | undefined;
  let weight = -Infinity;
  for (const candidate of among) {
    const own = weightOf(text, candidate);
    if (own >= weight) [best, weight] = [candidate, own];
  }
  return best;
}

const HEDGE = String.raw`(?:(?:about|approximately|approx\.|around|only|just|exactly|roughly|nearly|almost|at least|at most|up to|actually|then|therefore|thus|also|still|now|simply|a|an|another)\s+)*`;
const SIGN = String.raw`[-(]?[$€£¥]?$`;
const before = (words: string) => new RegExp(`(?:${words})${SIGN}`, 'i');

const EQUALS = before(String.raw`(?:=|≈|→|⇒|\bequals?|\bequal to|\bgives?|\bgives us)\s*${HEDGE}`);
const MEASURE = before(
  String.raw`\b(?:total|sum|profit|cost|amount|price|difference|average|mean|maximum|minimum|balance|savings?|loss|revenue|income|earnings|speed|distance|area|volume|length|width|height|weight|age|score|number|rate|value|answer|probability|rest|remainder) of\s+${HEDGE}`,
);
/** “with an interest rate of”, but not “for a total of”. */
const CONDITION = before(
  String.raw`\b(?:with|at|from|by|on|for) (?:an?|the) (?!total|grand|final)(?:[a-z]{1,16} ){1,3}of\s+${HEDGE}`,
);
const REACHED = before(
  String.raw`\b(?:comes?|came|amounts?|adds? up|works? out|rounds?|rounded|rounding|totals?|increase[sd]?|decrease[sd]?|drop(?:s|ped)?|rises?|reduced|goes|up|down) (?:up |down |out )?to\s+|\b(?:set|raise[sd]?|lower(?:s|ed)?|increase[sd]?|reduce[sd]?|heat(?:s|ed)?|turn(?:s|ed)?|change[sd]?) (?:(?:the|his|her|its|their) [a-z]{1,16} )?to\s+${HEDGE}(?:the nearest [a-z ]{1,20}[,:] )?`,
);
const COPULA = before(
  String.raw`(?:\b(?:is|are|was|were|be|been|totals?|makes?|made|earns?|earned|needs?|gets?|has|have|had|left|pays?|spends?|costs?|takes?)|:)\s*${HEDGE}`,
);
const DEFINITE = before(
  String.raw`(?:\b(?:the|these|those|this|his|(?<!(?:take|cost|give|leave|pay|save|bring|get|buy)s? |took |gave |left |paid |saved )her|their|its|my|our|your|all|every|each|both|first|last|next|past|other)|['’]s?)\s+(?:of\s+the\s+)?(?:(?:original|initial|first|last|remaining|other|total|next|additional|extra|new|same|entire|whole|previous|given|full)\s+)?`,
);
const ADJUNCT = before(
  String.raw`\b(?:in|on|at|for|from|after|before|within|during|by|with|without|over|under|of|per|than|since|until|through|to|into|among|across|between|every)\s+(?:the\s+)?${HEDGE}`,
);
/** A noun whose number is a name, as in “on day 3”. */
const NAMED = before(
  String.raw`\b(?:day|week|month|year|page|room|grade|level|number|no\.|lesson|game|round|team|group|row|chapter)\s+`,
);
const NEGATED = before(String.raw`\b(?:not|never|isn['’]t|aren['’]t|wasn['’]t|instead of|rather than)\s+${HEDGE}`);
const OPERAND_AFTER_SIGN = before(String.raw`[+*/×÷^·]\s*|[\d)]\s*[-–x]\s*|(?<=[\s\d)])[-–]\s+`);
const SIGN_AFTER_OPERAND = /^(?:\s?[a-z]{1,16}){0,3}(?:\s?\([^()]{0,30}\))?\s*(?:[+*×÷^·=]|[-–x/](?=\s?[\d$(]))/i;
const TOTAL = /^(?:\s[a-z]{1,16}){0,3}\s(?:in total|in all|altogether|overall|combined|left|remaining)\b/i;
const YEAR = /^(?:1[5-9]|20)\d\d$/;

/** A candidate with at most this weight is a given number, not a result. */
const DEMOTED = -2;

/** How well the text around a number fits an answer. The numbers in this function rank the cues. They have no other meaning. */
function weightOf(text: string, { start, end, value, isMarked, isOrdinal }: Candidate): number {
  const left = text.slice(Math.max(0, start - CONTEXT), start);
  const right = text.slice(end, end + CONTEXT);
  if (NEGATED.test(left)) return -6;
  if (/^-[a-z]/i.test(right)) return -4;
  const isYear = YEAR.test(value) && !/[$€£]$/.test(left) && /^\s*(?:[.,;:!?)]|$)/.test(right);
  const isSymbol = !/\d/.test(value) && /^\\?[a-zA-Z]+(?:\([a-z]\))?$/.test(value);
  let weight = isMarked ? 6 : 0;
  if (isSymbol || isOrdinal) weight -= 3;
  if (TOTAL.test(right)) weight += 1;
  if (SIGN_AFTER_OPERAND.test(right)) return weight - 4;
  if (EQUALS.test(left) || /[^<>=!]=[^=]/.test(value)) return weight + 4;
  if (OPERAND_AFTER_SIGN.test(left)) return weight - 4;
  if (CONDITION.test(left)) return weight - 2;
  if (MEASURE.test(left) || REACHED.test(left)) return weight + 2;
  if (COPULA.test(left)) return weight + 2;
  if (DEFINITE.test(left) || NAMED.test(left)) return weight - 3;
  if (ADJUNCT.test(left)) return weight - (isYear ? 4 : 2);
  return isYear ? weight - 1 : weight;
}

function isFormulaAt(text: string, { start }: Candidate): boolean {
  return text.charAt(start) === FORMULA;
}

/** A formula and the formulas that directly precede or follow it, as in “$1$, $2$ and $3$”. */
function joined(text: string, candidates: readonly Candidate[], chosen: Candidate): string {
  const formulas = candidates.filter((each) => isFormulaAt(text, each));
  const group = [chosen];
  const isJoint = (from: number, to: number) =>
    /^\s*(?:,\s*)?(?:(?:and|or)\s*)?$/.test(text.slice(from, to)) && from < to;
  for (const previous of formulas.slice(0, formulas.indexOf(chosen)).reverse()) {
    if (!isJoint(previous.end, group[0]?.start ?? 0)) break;
    group.unshift(previous);
  }
  for (const next of formulas.slice(formulas.indexOf(chosen) + 1)) {
    if (!isJoint(group.at(-1)?.end ?? 0, next.start)) break;
    group.push(next);
  }
  if (group.length > 1) return group.map(({ value }) => value).join(', ');
  return withPercent(chosen.value, text.slice(chosen.end, chosen.end + CONTEXT));
}
