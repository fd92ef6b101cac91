/**
 * @file Removes the texts of stored deltas, and restores them for replay. A delta is a streamed piece of
 * text. The last event of an attempt at a step holds the whole text. So the deltas of an ended attempt need
 * only lengths and times.
 */
import type { RunEvent, StepKey, StoredEvent } from './events';

type Delta = Extract<RunEvent, { type: 'step-delta' | 'plan-delta' }>;
interface WholeText {
  readonly content: string;
  readonly reasoning: string;
}

/** Length of a delta's text in UTF-16 units, whether or not the delta is shrunk. */
export function deltaLength(delta: { readonly text: string; readonly length?: number }): number {
  return delta.length ?? delta.text.length;
}

/** Identifies the attempt that a step's event belongs to. */
export function attemptName(key: StepKey): string {
  return `${key.round}.${key.step}.${key.attempt}`;
}

/** A delta without its text. */
export function shrinkDelta<T extends Delta>(delta: T): T {
  return delta.text === '' ? delta : { ...delta, text: '', length: delta.text.length };
}

/** The events that contain an attempt's text: in pieces, or complete at the end of the attempt. */
type TextEvent = Extract<RunEvent, { type: 'step-delta' | 'step-finished' | 'step-failed' | 'step-cancelled' }>;

function bringsText(event: StoredEvent): event is TextEvent {
  return (
    event.type === 'step-delta' ||
    event.type === 'step-finished' ||
    event.type === 'step-failed' ||
    event.type === 'step-cancelled'
  );
}

/** Removes the text from the deltas of ended attempts. */
export function shrinkDeltas(events: readonly StoredEvent[]): StoredEvent[] {
  const ended = new Set<string>();
  // A delta's text is redundant only if the end of its attempt comes after the delta, so the loop goes from
  // last to first. An end before the delta may belong to another call: if a call was cancelled before it was
  // sent, the next call has the same attempt number.
  const shrunk = events.toReversed().map((event) => {
    if (!bringsText(event)) return event;
    const name = attemptName(event);
    if (event.type === 'step-delta') return ended.has(name) ? shrinkDelta(event) : event;
    ended.add(name);
    return event;
  });
  return shrunk.reverse();
}

/** Restores the text of shrunk deltas, so that a replay can show the text as it was at any moment. */
export function expandDeltas(events: readonly StoredEvent[]): StoredEvent[] {
  const texts = endedTexts(events);
  const positions = new Map<string, { content: number; reasoning: number }>();
  /** The attempts whose content so far turns out to be reasoning later. The end of the attempt has it as reasoning. */
  const relabelled = new Set(
    events.flatMap((event) =>
      bringsText(event) && event.type === 'step-delta' && event.relabels ? attemptName(event) : [],
    ),
  );
  return events.map((event) => {
    if (!bringsText(event) || event.type !== 'step-delta') return event;
    const name = attemptName(event);
    const text = texts.get(name);
    if (!text) return event;
    const position = positions.get(name) ?? { content: 0, reasoning: 0 };
    positions.set(name, position);
    if (event.relabels) relabelled.delete(name);
    const channel = relabelled.has(name) ? 'reasoning' : event.channel;
    const from = position[channel];
    position[channel] = from + deltaLength(event);
    if (event.length === undefined) return event;
    const { length: _length, ...rest } = event;
    return { ...rest, text: text[channel].slice(from, position[channel]) };
  });
}

/** The whole text of each ended attempt, by attempt name. */
function endedTexts(events: readonly StoredEvent[]): Map<string, WholeText> {
  const texts = new Map<string, WholeText>();
  for (const event of events) {
    if (!bringsText(event) || event.type === 'step-delta') continue;
    texts.set(attemptName(event), { content: event.output, reasoning: event.reasoning });
  }
  return texts;
}
