/** @file Compares two parsed answers. */
import { containsPlusMinus, symbolsOf } from './evaluate';
import { isProportional, isSameFormula } from './same-formula';
import { flipped, intervalsOf, labelledOf, type Interval, type Labelled } from './statement';
import type { Answer, Formula, Relation } from './value';

/** Maximum number of items that are compared in any order, which takes quadratic time. Longer lists are compared in order. */
const MOST_ITEMS = 200;

export function isSame(reference: Answer, answer: Answer): boolean {
  const [one, other] = [labelledOf(reference), labelledOf(answer)];
  if (one.label && other.label) return isSameLabelled(one, other, reference, answer);
  // If only one answer has a label, the other may be the same equation in another form: `y = 2x + 1` and
  // `y - 2x = 1`. So the answer with the label is compared as an equation, with its label.
  if (isEquation(one.value) && other.label) return isSameValue(one.value, answer);
  if (isEquation(other.value) && one.label) return isSameValue(reference, other.value);
  return isSameValue(one.value, other.value);
}

function isSameLabelled(one: Labelled, other: Labelled, reference: Answer, answer: Answer): boolean {
  const [a, b] = [nameOf(one.label), nameOf(other.label)];
  if (a === null || b === null || a === b) return isSameValue(one.value, other.value);
  return isSameRelation(reference, answer);
}

/**
 * The name of a label, such as `x` in `x = 5`. `null`: the label is not a symbol. Answers with different names are compared as
 * equations.
 */
function nameOf(label: Answer | null): string | null {
  return label?.kind === 'formula' && label.formula.kind === 'symbol' ? label.formula.name : null;
}

function isEquation(answer: Answer): boolean {
  return answer.kind === 'relations' && answer.relations.length === 1 && answer.relations[0] === '=';
}

function isSameValue(reference: Answer, answer: Answer): boolean {
  const [one, other] = [expanded(reference), expanded(answer)];
  if (isMany(one) || isMany(other)) return isSameMany(one, other);
  const [left, right] = [intervalsOf(one), intervalsOf(other)];
  if (left && right && (one.kind !== 'relations' || other.kind !== 'relations')) return isSameIntervals(left, right);
  switch (one.kind) {
    case 'formula':
      return other.kind === 'formula' && isSameNumber(one, other);
    case 'relations':
      return isSameRelation(one, other);
    case 'tuple':
      return other.kind === 'tuple' && isSameInOrder(one.items, other.items);
    case 'union':
      return other.kind === 'union' && isSameInAnyOrder(one.parts, other.parts);
    case 'difference':
      return other.kind === 'difference' && isSame(one.from, other.from) && isSame(one.without, other.without);
    case 'ratio':
      return other.kind === 'ratio' && isSameRatio(one.items, other.items);
    default:
      return one satisfies never;
  }
}

/** Replaces a formula with ± by a list of its two values, as in `1 ± 2`. */
function expanded(answer: Answer): Answer {
  if (answer.kind === 'formula' && containsPlusMinus(answer.formula)) {
    const both = ([1, -1] as const).map((sign): Answer => ({ ...answer, formula: withSign(answer.formula, sign) }));
    return { kind: 'list', items: both };
  }
  if (answer.kind !== 'list' && answer.kind !== 'set') return answer;
  const items = answer.items.flatMap((item) => {
    const { value } = labelledOf(item);
    const parts = value.kind === 'formula' ? expanded(value) : value;
    return parts.kind === 'list' && value.kind === 'formula' ? parts.items : [item];
  });
  return { ...answer, items };
}

function withSign(formula: Formula, sign: 1 | -1): Formula {
  const change = (part: Formula) => withSign(part, sign);
  switch (formula.kind) {
    case 'plus-minus': {
      const right = change(formula.right);
      const signed: Formula = formula.sign * sign === 1 ? right : { kind: 'negative', of: right };
      return formula.left ? { kind: 'sum', terms: [change(formula.left), signed] } : signed;
    }
    case 'sum':
      return { ...formula, terms: formula.terms.map(change) };
    case 'product':
      return { ...formula, factors: formula.factors.map(change) };
    case 'quotient':
      return { ...formula, over: change(formula.over), under: change(formula.under) };
    case 'power':
      return { ...formula, base: change(formula.base), exponent: change(formula.exponent) };
    case 'negative':
      return { ...formula, of: change(formula.of) };
    case 'call':
      return { ...formula, parts: formula.parts.map(change) };
    case 'matrix':
      return { ...formula, rows: formula.rows.map((row) => row.map(change)) };
    case 'number':
    case 'based':
    case 'symbol':
      return formula;
    default:
      return formula satisfies never;
  }
}

type Many = Extract<Answer, { kind: 'set' | 'list' }>;

function isMany(answer: Answer): answer is Many {
  return answer.kind === 'set' || answer.kind === 'list';
}

/** The items without duplicates, or all items if there are too many to compare. */
function distinct(items: readonly Answer[]): readonly Answer[] {
  if (items.length > MOST_ITEMS) return items;
  return items.filter((item, index) => !items.slice(0, index).some((earlier) => isSame(earlier, item)));
}

/**
 * Compares lists and sets in any order. A list also equals a tuple with the same entries in the same order. A list or set
 * with one item also equals this item.
 */
function isSameMany(one: Answer, other: Answer): boolean {
  if (isMany(one) && isMany(other)) return isSameInAnyOrder(distinct(one.items), distinct(other.items));
  if (one.kind === 'list' && other.kind === 'tuple') return isSameInOrder(one.items, other.items);
  if (one.kind === 'tuple' && other.kind === 'list') return isSameInOrder(one.items, other.items);
  const [many, single] = isMany(one) ? [one, other] : [other, one];
  const [only, more] = isMany(many) ? distinct(many.items) : [];
  if (only && !more) return isMany(one) ? isSame(only, single) : isSame(single, only);
  return false;
}

function isSameInOrder(one: readonly Answer[], other: readonly Answer[]): boolean {
  return one.length === other.length && one.every((item, index) => isSameItem(item, other[index]));
}

function isSameInAnyOrder(one: readonly Answer[], other: readonly Answer[]): boolean {
  if (one.length !== other.length) return false;
  if (one.length > MOST_ITEMS) return isSameInOrder(one, other);
  const left = [...other];
  return one.every((item) => {
    const at = left.findIndex((candidate) => isSameItem(item, candidate));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

function isSameItem(one: Answer, other: Answer | undefined): boolean {
  return other !== undefined && isSame(one, other);
}

/** A percentage equals the number before its percent sign, and also a hundredth of that number. */
function isSameNumber(one: Extract<Answer, { kind: 'formula' }>, other: Extract<Answer, { kind: 'formula' }>): boolean {
  if (isSameFormula(one.formula, other.formula)) return true;
  if (one.percent === other.percent) return false;
  const hundredth = (formula: Formula): Formula => ({
    kind: 'quotient',
    over: formula,
    under: { kind: 'number', literal: '100' },
  });
  return one.percent
    ? isSameFormula(hundredth(one.formula), other.formula)
    : isSameFormula(one.formula, hundredth(other.formula));
}

function isSameRatio(one: readonly Formula[], other: readonly Formula[]): boolean {
  // A ratio with an item such as “00” counts as a time of day, which matches only the same text. So 12:00 is not 1:00.
  if ([...one, ...other].some((item) => item.kind === 'number' && /^0\d/.test(item.literal))) return false;
  const [a, b] = [one[0], other[0]];
  if (!a || !b || one.length !== other.length) return false;
  const times = (left: Formula, right: Formula): Formula => ({ kind: 'product', factors: [left, right] });
  return one.every((item, index) => {
    const partner = other[index];
    return partner !== undefined && isSameFormula(times(item, b), times(partner, a));
  });
}

/**
 * Whether two equations or inequalities are equivalent: the differences of their sides are multiples of each other. In chains
 * such as `a < b < c`, each side must match, perhaps in reverse order.
 */
function isSameRelation(one: Answer, other: Answer): boolean {
  if (one.kind !== 'relations' || other.kind !== 'relations' || one.relations.length !== other.relations.length)
    return false;
  if (one.relations.length > 1) return isSameChain(one, other) || isSameChain(one, reversed(other));
  const [a, b] = [difference(one), difference(other)];
  if (!a || !b || a.relation !== b.relation) return false;
  const isOrdered = a.relation === '<' || a.relation === '<=';
  return isProportional(a.formula, b.formula, isOrdered);
}

type Relations = Extract<Answer, { kind: 'relations' }>;

function isSameChain(one: Relations, other: Relations): boolean {
  return (
    one.relations.every((relation, index) => relation === other.relations[index]) &&
    isSameInOrder(one.sides, other.sides)
  );
}

function reversed({ kind, sides, relations }: Relations): Relations {
  return { kind, sides: sides.toReversed(), relations: relations.toReversed().map(flipped) };
}

/** The difference of both sides, and its relation to 0. For example, `a > b` becomes `b - a < 0`. */
function difference({
  sides,
  relations,
}: Relations): { readonly formula: Formula; readonly relation: Relation } | null {
  const [left, right] = sides;
  const [relation] = relations;
  if (left?.kind !== 'formula' || right?.kind !== 'formula' || !relation) return null;
  const isGreater = relation === '>' || relation === '>=';
  const [from, minus] = isGreater ? [right.formula, left.formula] : [left.formula, right.formula];
  const formula: Formula = { kind: 'sum', terms: [from, { kind: 'negative', of: minus }] };
  return { formula, relation: isGreater ? flipped(relation) : relation };
}

function isSameIntervals(one: readonly Interval[], other: readonly Interval[]): boolean {
  if (one.length !== other.length) return false;
  const left = [...other];
  return one.every((interval) => {
    const at = left.findIndex((candidate) => isSameInterval(interval, candidate));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

function isSameInterval(one: Interval, other: Interval): boolean {
  return (
    isSameFormula(one.from, other.from) &&
    isSameFormula(one.to, other.to) &&
    (one.closedLeft === other.closedLeft || isInfinite(one.from)) &&
    (one.closedRight === other.closedRight || isInfinite(one.to))
  );
}

function isInfinite(formula: Formula): boolean {
  if (formula.kind === 'negative') return isInfinite(formula.of);
  return formula.kind === 'symbol' && formula.name === '\\infty' && symbolsOf(formula).size === 0;
}
