/**
 * @file Size limits for the contents of files and stored records. Podium's own data is far below each limit, so
 * data above a limit is damaged or hostile. Limits that apply only to files are in platform/store/file-limits.ts.
 */

/** `Date` can represent moments up to this many ms before or after 1970. */
const FARTHEST_MOMENT = 8.64e15;

/** Whether a number of ms since 1970 is a valid date. For other numbers `Date` and `Intl` throw or return NaN. */
export function isMoment(at: number): boolean {
  return Math.abs(at) <= FARTHEST_MOMENT;
}

/** Maximum active time of a run in ms: about thirty years. */
export const LONGEST_ELAPSED = 1e12;

/** Sequence numbers must be lower than this limit, so that another number can always follow. */
export const MOST_SEQ = 1e12;
/** Maximum steps in one workflow. Templates plan up to 16. */
export const MOST_STEPS = 64;
/** Maximum rounds of one run. Settings allow 5. */
export const MOST_ROUNDS = 64;
/** Maximum calls of one step, including retries. Settings allow 200 calls for a whole run. */
export const MOST_ATTEMPTS = 1000;
/** Maximum deltas (events with a piece of text) in one run. With one delta every 50 ms, this is over an hour of streaming. */
export const MOST_DELTAS = 100_000;
/** Maximum number of events in one run, not counting deltas. */
export const MOST_OTHER_EVENTS = 10_000;

/** Maximum characters in an id, a name or a model name. */
export const LONGEST_NAME = 2000;
/** Maximum characters in a description. */
export const LONGEST_DESCRIPTION = 20_000;
/** Maximum characters in a worker's system prompt. */
export const LONGEST_SYSTEM = 20_000;

/** Maximum nesting of arrays and objects. A run needs about ten levels. */
export const DEEPEST_NESTING = 64;
/** Maximum entries of one array within an event or a record. */
const LONGEST_ARRAY = 5000;
/** Maximum values within an event or a record. */
const MOST_VALUES = 20_000;

/**
 * Checks whether a value is small and flat enough to be validated, stored and drawn. The check is cheap and
 * not recursive. It runs before any schema: a schema lists every problem of a value, which takes too long for a
 * huge value. It also runs before a value is stored: IndexedDB rejects the whole transaction if the value is
 * nested too deeply.
 * @returns the problem, as the end of a sentence. `null` if there is no problem
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
    // In a copy of the object, this field would become the prototype, and add fields that no schema has checked.
    if (Object.hasOwn(holder, '__proto__')) return 'it has a field called “__proto__”.';
    const inner: readonly unknown[] = Array.isArray(holder) ? holder : Object.values(holder);
    if (Array.isArray(holder) && inner.length > LONGEST_ARRAY)
      return `it has a list of more than ${LONGEST_ARRAY} entries.`;
    if (values + inner.length > MOST_VALUES) return `it contains more than ${MOST_VALUES} values.`;
    for (const each of inner) look(each, depth + 1);
  }
  return null;
}
