/**
 * @file How much of anything a file or a stored record may hold. Podium itself stays far below each bound, so whatever exceeds
 * one is damaged or hostile. Bounds that concern only files are in platform/store/file-limits.ts.
 */

/** The first and the last moment that `Date` can hold lie this far from 1970, in ms. */
const FARTHEST_MOMENT = 8.64e15;

/** Whether a number of ms since 1970 is a date at all. `Date` and `Intl` throw or give NaN for any other. */
export function isMoment(at: number): boolean {
  return Math.abs(at) <= FARTHEST_MOMENT;
}

/** Longest active time of a run in ms: about thirty years. */
export const LONGEST_ELAPSED = 1e12;

/** Numbers of events stay below this, so that one can always follow. */
export const MOST_SEQ = 1e12;
/** Steps in one workflow. Templates plan up to 16. */
export const MOST_STEPS = 64;
/** Rounds of one run. Settings allow 5. */
export const MOST_ROUNDS = 64;
/** Calls of one step, retries included. Settings allow 200 calls for a whole run. */
export const MOST_ATTEMPTS = 1000;
/** Pieces of text in one run: more than an hour of streaming at one every 50 ms. */
export const MOST_DELTAS = 100_000;
/** All other events of one run. */
export const MOST_OTHER_EVENTS = 10_000;

/** Characters in an id, a name or the name of a model. */
export const LONGEST_NAME = 2000;
/** Characters in a description. */
export const LONGEST_DESCRIPTION = 20_000;

/** Levels of arrays and objects inside each other. A run needs about ten. */
export const DEEPEST_NESTING = 64;
/** Entries of one array within an event or a record. */
const LONGEST_ARRAY = 5000;
/** Values within an event or a record. */
const MOST_VALUES = 20_000;

/**
 * Whether a value can be checked, stored and drawn in reasonable time and depth. Cheap, and never recursive: schemas list
 * every problem they find, and storage refuses a whole transaction for one value that is nested too deep.
 * @returns what is wrong, as the end of a sentence; `null` if nothing is
 */
export function boundsProblem(value: unknown): string | null {
  const waiting: { readonly value: object; readonly depth: number }[] = [];
  let values = 0;
  const look = (inner: unknown, depth: number) => {
    values += 1;
    if (typeof inner === 'object' && inner !== null) waiting.push({ value: inner, depth });
  };
  look(value, 1);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value: holder, depth } = next;
    if (depth > DEEPEST_NESTING) return `it is nested more than ${DEEPEST_NESTING} levels deep.`;
    // As a field it would become the prototype of a copy, and lend it fields that no schema has seen.
    if (Object.hasOwn(holder, '__proto__')) return 'it has a field called “__proto__”.';
    const inner: readonly unknown[] = Array.isArray(holder) ? holder : Object.values(holder);
    if (Array.isArray(holder) && inner.length > LONGEST_ARRAY)
      return `it has a list of more than ${LONGEST_ARRAY} entries.`;
    if (values + inner.length > MOST_VALUES) return `it holds more than ${MOST_VALUES} values.`;
    for (const each of inner) look(each, depth + 1);
  }
  return null;
}
