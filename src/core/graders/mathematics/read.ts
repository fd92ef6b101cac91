/** @file Reads an answer in LaTeX or plain text into a typed value, such as a list, a set, an interval or a formula. */
import { cleanLatex } from './clean';
import { readFormula } from './read-formula';
import { depthOf, splitAt, tokensOf, type Token } from './tokens';
import { RELATIONS, type Answer, type Formula, type Relation } from './value';

/** Maximum length of an answer, in UTF-16 units. Longer answers are only compared as text. */
const LONGEST_ANSWER = 4000;

/** The value of an answer. `null`: the text is not mathematics, or is too long. */
export function readAnswer(latex: string): Answer | null {
  if (latex.length > LONGEST_ANSWER) return null;
  return readTokens(tokensOf(cleanLatex(latex)), 0);
}

/** Maximum nesting of lists, relations, sets and similar values. */
const DEEPEST = 20;

function readTokens(given: readonly Token[], depth: number): Answer | null {
  const tokens = trimmed(given);
  if (tokens.length === 0 || depth > DEEPEST) return null;
  for (const separator of [';', ',']) {
    const { parts, separators } = splitAt(tokens, (token) => isSign(token, separator));
    if (separators.length > 0)
      return listOf(
        parts.filter((part) => part.length > 0),
        depth,
      );
  }
  const related = splitAt(tokens, isRelation);
  if (related.separators.length > 0) return readRelations(related.parts, related.separators, depth);
  const united = splitAt(tokens, (token) => isSign(token, 'cup'));
  if (united.separators.length > 0) {
    const parts = readAll(united.parts, depth);
    return parts && { kind: 'union', parts };
  }
  const without = splitAt(tokens, (token) => isSign(token, 'without'));
  if (without.separators.length === 1) {
    const [from, excluded] = readAll(without.parts, depth) ?? [];
    return from && excluded ? { kind: 'difference', from, without: excluded } : null;
  }
  const ratio = splitAt(tokens, (token) => isSign(token, ':'));
  if (ratio.separators.length > 0) {
    const items = ratio.parts.map((part) => readFormula(part));
    return items.every((item) => item !== null) ? { kind: 'ratio', items } : null;
  }
  return readBracketed(tokens, depth) ?? readPlain(tokens);
}

function listOf(parts: readonly (readonly Token[])[], depth: number): Answer | null {
  const [only] = parts;
  if (parts.length === 1 && only) return readTokens(only, depth + 1);
  const items = readAll(parts, depth);
  return items && { kind: 'list', items };
}

function readAll(parts: readonly (readonly Token[])[], depth: number): Answer[] | null {
  const read = parts.map((part) => readTokens(part, depth + 1));
  return read.every((each) => each !== null) ? read : null;
}

function readRelations(
  parts: readonly (readonly Token[])[],
  separators: readonly Token[],
  depth: number,
): Answer | null {
  const relations = separators
    .map(({ text }) => RELATIONS.find((each) => each === text))
    .filter((each): each is Relation => each !== undefined);
  // Drops an empty first side and the relation after it. For example, “= 5” becomes “5”.
  const start = parts.findIndex((part) => part.length > 0);
  const only = parts.at(-1);
  if (start < 0 || (start > 0 && start === parts.length - 1)) return only ? readTokens(only, depth + 1) : null;
  if (start > 0) return readRelations(parts.slice(start), separators.slice(start), depth);
  const sides = parts.map((part) => readTokens(part, depth + 1) ?? readWord(part));
  if (sides.some((side) => side === null)) {
    // Drops the last unreadable side and everything before it. For example, “1 = … = x = 0” becomes “x = 0”.
    const kept = sides.slice(sides.findLastIndex((side) => side === null) + 1).filter((side) => side !== null);
    if (kept.length === 0) return null;
    const [value] = kept;
    if (kept.length === 1 && value) return value;
    return { kind: 'relations', sides: kept, relations: relations.slice(relations.length - kept.length + 1) };
  }
  return { kind: 'relations', sides: sides.filter((side) => side !== null), relations };
}

/** Reads a word, such as a label, as one symbol. */
function readWord(tokens: readonly Token[]): Answer | null {
  const isWord = tokens.length > 0 && tokens.every(({ kind }) => kind === 'letter');
  if (!isWord) return null;
  return {
    kind: 'formula',
    formula: { kind: 'symbol', name: tokens.map(({ text }) => text).join('') },
    percent: false,
  };
}

/**
 * A set, a tuple, an interval, or the value inside brackets. `null`: no single pair of brackets encloses all
 * tokens, or the content can't be read.
 */
function readBracketed(tokens: readonly Token[], depth: number): Answer | null {
  const first = tokens[0];
  const last = tokens.at(-1);
  if (!first || !last || depthOf(first) !== 1 || depthOf(last) !== -1 || first.kind !== 'sign' || last.kind !== 'sign')
    return null;
  if (closingOf(tokens) !== tokens.length - 1) return null;
  const inside = tokens.slice(1, -1);
  if (first.text === '{') return readTokens(inside, depth + 1);
  const items = itemsOf(inside, depth);
  if (!items) return null;
  if (first.text === '{set') return { kind: 'set', items };
  // Drops brackets around a single item. Returns the item that `itemsOf` has read. Reading the content again
  // instead would double the time with every pair of brackets.
  if (items.length <= 1) return items[0] ?? null;
  return { kind: 'tuple', items, closedLeft: first.text === '[', closedRight: last.text === ']' };
}

function itemsOf(given: readonly Token[], depth: number): Answer[] | null {
  const inside = trimmed(given);
  if (inside.length === 0) return [];
  const semicolons = splitAt(inside, (token) => isSign(token, ';'));
  const { parts } = semicolons.separators.length > 0 ? semicolons : splitAt(inside, (token) => isSign(token, ','));
  return readAll(
    parts.filter((part) => part.length > 0),
    depth,
  );
}

/** Index of the bracket that closes the first bracket. */
function closingOf(tokens: readonly Token[]): number {
  let depth = 0;
  for (const [index, token] of tokens.entries()) {
    depth += depthOf(token);
    if (depth === 0) return index;
  }
  return -1;
}

function readPlain(tokens: readonly Token[]): Answer | null {
  const kept = tokens.filter((token) => !isSign(token, '%'));
  const formula: Formula | null = readFormula(kept);
  return formula && { kind: 'formula', formula, percent: kept.length < tokens.length };
}

function trimmed(tokens: readonly Token[]): readonly Token[] {
  const isNoise = (token: Token | undefined) =>
    token !== undefined && (isSign(token, ',') || isSign(token, ';') || isSign(token, '.'));
  let start = 0;
  let end = tokens.length;
  while (start < end && isNoise(tokens[start])) start++;
  while (end > start && isNoise(tokens[end - 1])) end--;
  return tokens.slice(start, end);
}

function isSign({ kind, text }: Token, sign: string): boolean {
  return kind === 'sign' && text === sign;
}

function isRelation({ kind, text }: Token): boolean {
  return kind === 'sign' && RELATIONS.some((relation) => relation === text);
}
