/** @file The types of an answer that was read from LaTeX. */

/** A numeric expression, or a matrix of such expressions. */
export type Formula =
  /** `literal`: the number as written, without thousands separators. A number with a decimal point may be rounded. */
  | { readonly kind: 'number'; readonly literal: string }
  /** A number with a base, such as `204_5`. */
  | { readonly kind: 'based'; readonly digits: string; readonly base: string }
  | { readonly kind: 'symbol'; readonly name: string }
  | { readonly kind: 'sum'; readonly terms: readonly Formula[] }
  | { readonly kind: 'product'; readonly factors: readonly Formula[] }
  | { readonly kind: 'quotient'; readonly over: Formula; readonly under: Formula }
  | { readonly kind: 'power'; readonly base: Formula; readonly exponent: Formula }
  | { readonly kind: 'negative'; readonly of: Formula }
  /** `1 ± 2`, which has two values. `sign` is 1 for ±, -1 for ∓. */
  | { readonly kind: 'plus-minus'; readonly left: Formula | null; readonly right: Formula; readonly sign: 1 | -1 }
  /** A call of a function. The function may be unknown, as in `f(x)` or `F_{n-1}`. */
  | { readonly kind: 'call'; readonly name: string; readonly parts: readonly Formula[] }
  | { readonly kind: 'matrix'; readonly rows: readonly (readonly Formula[])[] };

export const RELATIONS = ['=', '<', '>', '<=', '>=', '!=', '~', 'in', 'mod='] as const;
export type Relation = (typeof RELATIONS)[number];

/** A parsed answer. */
export type Answer =
  | { readonly kind: 'formula'; readonly formula: Formula; readonly percent: boolean }
  /** `3 < x <= 5`: the sides and the relations between them. */
  | { readonly kind: 'relations'; readonly sides: readonly Answer[]; readonly relations: readonly Relation[] }
  /** `(a, b]` or `(a, b, c)`: an interval or a point. Only a tuple with two items can be an interval. */
  | {
      readonly kind: 'tuple';
      readonly items: readonly Answer[];
      readonly closedLeft: boolean;
      readonly closedRight: boolean;
    }
  /** `\{1, 2\}`: the order does not count. */
  | { readonly kind: 'set'; readonly items: readonly Answer[] }
  /** `1, 2` or `1 and 2`: several values. If the items are separated by `;`, each item can itself be a list. */
  | { readonly kind: 'list'; readonly items: readonly Answer[] }
  | { readonly kind: 'union'; readonly parts: readonly Answer[] }
  | { readonly kind: 'difference'; readonly from: Answer; readonly without: Answer }
  /** `7:32`: a ratio. */
  | { readonly kind: 'ratio'; readonly items: readonly Formula[] };
