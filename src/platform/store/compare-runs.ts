/**
 * @file Compares two copies of one run. Events are only appended to a run. So either one copy continues the other, or the copies
 * have diverged.
 */
import { sha256Hex, shrinkDeltas, traitsOf, type StoredEvent } from '../../core/contract';

/** How the other copy compares with the stored copy. */
export type Comparison = 'same' | 'shorter' | 'longer' | 'different';

/**
 * Compares two copies, without the marks at their ends. A mark is an event about the copy itself, such as `run-imported`.
 * @param here events of the stored copy, in order
 * @param other events of the other copy, in order
 */
export function compareRuns(here: readonly StoredEvent[], other: readonly StoredEvent[]): Comparison {
  // Podium removes the text of deltas when their attempt ends. A copy that was made before the end of an attempt
  // still contains this text.
  const [mine, theirs] = [shrinkDeltas(withoutMarks(here)), shrinkDeltas(withoutMarks(other))];
  const common = Math.min(mine.length, theirs.length);
  for (let index = 0; index < common; index++) {
    const [one, two] = [mine[index], theirs[index]];
    if (!isSame(one, two) && !isSameDelta(one, two)) return 'different';
  }
  if (mine.length === theirs.length) return 'same';
  return theirs.length < mine.length ? 'shorter' : 'longer';
}

/**
 * Like `compareRuns`, but for a stored copy with some unreadable events. The result is `longer` if the other copy contains all
 * readable events and more. The result is never `shorter`.
 */
export function compareDamaged(here: readonly StoredEvent[], other: readonly StoredEvent[]): Comparison {
  const left = shrinkDeltas(withoutMarks(here));
  const theirs = new Map(shrinkDeltas(withoutMarks(other)).map((event) => [event.seq, event]));
  const isTheirs = (event: StoredEvent) => {
    const its = theirs.get(event.seq);
    return isSame(event, its) || isSameDelta(event, its);
  };
  if (!left.every(isTheirs)) return 'different';
  return theirs.size > left.length ? 'longer' : 'same';
}

/**
 * The id for a diverged copy of a stored run. It is derived from the copy's events without the marks at the end.
 */
export function copyId(runId: string, events: readonly StoredEvent[]): string {
  return `${copyPrefix(runId)}${sha256Hex(JSON.stringify(shrinkDeltas(withoutMarks(events)), inOrder)).slice(0, 8)}`;
}

/** Sorts fields by name, because storing and reading can change their order. */
function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** The ids of all diverged copies of a run begin with this prefix. */
export function copyPrefix(runId: string): string {
  return `${runId}~`;
}

/** The same events with another run id. */
export function renamed(events: readonly StoredEvent[], runId: string): readonly StoredEvent[] {
  return events.map((event) => ({ ...event, runId }));
}

/** The events up to the last event that is not a mark. */
export function withoutMarks(events: readonly StoredEvent[]): readonly StoredEvent[] {
  return events.slice(0, events.findLastIndex((event) => !traitsOf(event).isCopyMark) + 1);
}

/**
 * Whether two deltas differ only in their text: one contains the text, the other contains only its length.
 * `shrinkDeltas` replaces the text with its length when the attempt has ended.
 */
function isSameDelta(one: StoredEvent | undefined, other: StoredEvent | undefined): boolean {
  const [shrunk, whole] = 'length' in (one ?? {}) ? [one, other] : [other, one];
  if (shrunk?.type !== 'step-delta' || whole?.type !== 'step-delta' || !('text' in whole)) return false;
  const { text } = whole;
  return typeof text === 'string' && isSame(shrunk, { ...whole, text: '', length: text.length });
}

/** Whether two values are equal, regardless of the order of fields. A missing field equals a field that is `undefined`. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [mine, theirs] = [fieldsOf(one), fieldsOf(other)];
  return mine.size === theirs.size && [...mine].every(([name, value]) => isSame(value, theirs.get(name)));
}

function fieldsOf(value: object): Map<string, unknown> {
  return new Map(Object.entries(value).filter(([, inner]) => inner !== undefined));
}
