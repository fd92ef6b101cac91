/** @file Interprets answers with relations: finds the value in `x = 5`, and the intervals that satisfy `0 < x < 2`. */
import { symbolsOf } from './evaluate';
import type { Answer, Formula, Relation } from './value';

/** An interval of real numbers. */
export interface Interval {
  readonly from: Formula;
  readonly to: Formula;
  readonly closedLeft: boolean;
  readonly closedRight: boolean;
}

/** A label and its value, as in `x = 5`. */
export interface Labelled {
  readonly label: Answer | null;
  readonly value: Answer;
}

type Relations = Extract<Answer, { kind: 'relations' }>;

/**
 * Separates an answer into a label and a value. `x = 5 + 6 = 11` and `f(2) = 11` state the value 11, and
 * `x ∈ S` states S. The first ≈ and everything after it are ignored as a rounding. However, if the first
 * relation is ≈, every ≈ is read like an equals sign. Equations between constants, such as `5 + 6 = 11`, state
 * the last side, without a label. Any other answer is returned as the value, without a label.
 */
export function labelledOf(answer: Answer): Labelled {
  if (answer.kind !== 'relations') return { label: null, value: answer };
  const exact = withoutRounding(answer);
  const value = exact.sides.at(-1);
  const isEquality = exact.relations.every((relation) => relation === '=' || relation === 'in' || relation === '~');
  if (!value || !isEquality) return { label: null, value: exact };
  const label = exact.sides.slice(0, -1).findLast(isLabel);
  if (label) return { label, value };
  return { label: null, value: exact.sides.every(isConstant) ? value : exact };
}

function withoutRounding(answer: Relations): Relations {
  const at = answer.relations.indexOf('~');
  if (at < 1) return answer;
  return { ...answer, sides: answer.sides.slice(0, at + 1), relations: answer.relations.slice(0, at) };
}

/** Whether the answer is a formula without symbols, such as `1 + 1`. */
function isConstant(answer: Answer): boolean {
  return answer.kind === 'formula' && symbolsOf(answer.formula).size === 0;
}

/** Whether the answer is only a name, such as `x`, `f(2)`, `AB`, `|AB|`, `V_1 : V_2` or `(p, q)`. */
function isLabel(answer: Answer): boolean {
  switch (answer.kind) {
    case 'formula':
      return isName(answer.formula);
    case 'tuple':
      return answer.items.every(isLabel);
    case 'ratio':
      return answer.items.every(isName);
    case 'relations':
    case 'set':
    case 'list':
    case 'union':
    case 'difference':
      return false;
    default:
      return answer satisfies never;
  }
}

function isName(formula: Formula): boolean {
  switch (formula.kind) {
    case 'symbol':
      return symbolsOf(formula).size > 0;
    case 'product':
      return formula.factors.every((factor) => factor.kind === 'symbol' && /^[A-Z]/.test(factor.name));
    case 'quotient':
      return formula.over.kind !== 'number' && isName(formula.over) && isName(formula.under);
    case 'call':
      return (
        formula.name.length <= 2 ||
        formula.name.endsWith('_') ||
        (formula.name === 'abs' && formula.parts.every(isName)) ||
        /^(?:over|vec|wide)/.test(formula.name)
      );
    case 'number':
    case 'based':
    case 'sum':
    case 'power':
    case 'negative':
    case 'plus-minus':
    case 'matrix':
      return false;
    default:
      return formula satisfies never;
  }
}

const INFINITY: Formula = { kind: 'symbol', name: '\\infty' };
const MINUS_INFINITY: Formula = { kind: 'negative', of: INFINITY };

/**
 * The intervals that an answer describes. The answer may be an interval, a union of intervals, or an inequality in one unknown.
 * For any other answer, returns `null`.
 */
export function intervalsOf(answer: Answer): readonly Interval[] | null {
  switch (answer.kind) {
    case 'tuple': {
      const [from, to, more] = answer.items;
      if (from?.kind !== 'formula' || to?.kind !== 'formula' || more) return null;
      return [{ from: from.formula, to: to.formula, closedLeft: answer.closedLeft, closedRight: answer.closedRight }];
    }
    case 'union': {
      const parts = answer.parts.map(intervalsOf);
      return parts.every((part) => part !== null) ? parts.flat() : null;
    }
    case 'relations':
      return ofInequality(answer);
    case 'formula':
    case 'set':
    case 'list':
    case 'difference':
    case 'ratio':
      return null;
    default:
      return answer satisfies never;
  }
}

function ofInequality({ sides, relations }: Relations): readonly Interval[] | null {
  const formulas = sides.map((side) => (side.kind === 'formula' ? side.formula : null));
  const [first, second] = relations;
  const [a, b, c] = formulas;
  if (!a || !b || !first) return null;
  if (relations.length === 1) {
    if (isName(a) && symbolsOf(b).size === 0) return bounded(a, bounds(first, b));
    if (isName(b) && symbolsOf(a).size === 0) return bounded(b, bounds(flipped(first), a));
    return null;
  }
  if (relations.length > 2 || !second || !c || !isName(b) || symbolsOf(a).size + symbolsOf(c).size > 0) return null;
  const lower = bounds(flipped(first), a);
  const upper = bounds(second, c);
  if (!lower || !upper) return null;
  const [left, right] = lower.to === INFINITY ? [lower, upper] : [upper, lower];
  if (left.to !== INFINITY || right.from !== MINUS_INFINITY) return null;
  return bounded(b, { from: left.from, closedLeft: left.closedLeft, to: right.to, closedRight: right.closedRight });
}

/**
 * The intervals of the unknown if the value of `of` is in `interval`. If `of` is an absolute value |z|, the
 * unknown is z: |z| < 2 gives −2 < z < 2. Otherwise `of` is the unknown, and the result is only `interval`.
 */
function bounded(of: Formula, interval: Interval | null): readonly Interval[] | null {
  if (!interval) return null;
  if (of.kind !== 'call' || of.name !== 'abs') return [interval];
  const { from, to, closedLeft, closedRight } = interval;
  if (from === MINUS_INFINITY)
    return [{ from: { kind: 'negative', of: to }, to, closedLeft: closedRight, closedRight }];
  const mirrored = {
    from: { kind: 'negative', of: to },
    to: { kind: 'negative', of: from },
    closedLeft: closedRight,
    closedRight: closedLeft,
  } as const;
  return [mirrored, interval];
}

function bounds(relation: Relation, limit: Formula): Interval | null {
  switch (relation) {
    case '<':
    case '<=':
      return { from: MINUS_INFINITY, to: limit, closedLeft: false, closedRight: relation === '<=' };
    case '>':
    case '>=':
      return { from: limit, to: INFINITY, closedLeft: relation === '>=', closedRight: false };
    case '=':
    case '!=':
    case '~':
    case 'in':
    case 'mod=':
      return null;
    default:
      return relation satisfies never;
  }
}

/** The relation after the two sides are exchanged: `>` for `<`. */
export function flipped(relation: Relation): Relation {
  const opposites: Partial<Record<Relation, Relation>> = { '<': '>', '>': '<', '<=': '>=', '>=': '<=' };
  return opposites[relation] ?? relation;
}
