/**
 * @file Once a step has ended its whole text stands in its last event, so its deltas need only say when how much had come.
 * `shrinkDeltas` makes them such timing marks, `expandDeltas` gives them their text back for replay.
 */
import type { RunEvent, StepKey, StoredEvent } from './events';

type Delta = Extract<RunEvent, { type: 'step-delta' | 'plan-delta' }>;
interface WholeText {
  readonly content: string;
  readonly reasoning: string;
}

/** How many UTF-16 units a delta brings, shrunk or not. */
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

/** The events that bring an attempt's text: piece by piece, or all of it at its end. */
type TextEvent = Extract<RunEvent, { type: 'step-delta' | 'step-finished' | 'step-failed' | 'step-cancelled' }>;

function bringsText(event: StoredEvent): event is TextEvent {
  return (
    event.type === 'step-delta' ||
    event.type === 'step-finished' ||
    event.type === 'step-failed' ||
    event.type === 'step-cancelled'
  );
}

/** Takes the text out of the deltas of every attempt that has ended. The events fold to the same run as before. */
export function shrinkDeltas(events: readonly StoredEvent[]): StoredEvent[] {
  const ended = new Set<string>();
  // From the last event back: a call that was called off before it left has ended without a word, under a number that the
  // resumed run gives to the call it makes instead.
  const shrunk = events.toReversed().map((event) => {
    if (!bringsText(event)) return event;
    const name = attemptName(event);
    if (event.type === 'step-delta') return ended.has(name) ? shrinkDelta(event) : event;
    ended.add(name);
    return event;
  });
  return shrunk.reverse();
}

/** Puts the text back into shrunk deltas, so that any prefix of the events shows what stood there at that moment. */
export function expandDeltas(events: readonly StoredEvent[]): StoredEvent[] {
  const texts = endedTexts(events);
  const positions = new Map<string, { content: number; reasoning: number }>();
  return events.map((event) => {
    if (!bringsText(event) || event.type !== 'step-delta') return event;
    const name = attemptName(event);
    const text = texts.get(name);
    if (!text) return event;
    const position = positions.get(name) ?? { content: 0, reasoning: 0 };
    positions.set(name, position);
    const from = position[event.channel];
    position[event.channel] = from + deltaLength(event);
    if (event.length === undefined) return event;
    const { length: _length, ...rest } = event;
    return { ...rest, text: text[event.channel].slice(from, position[event.channel]) };
  });
}

/** The whole text of each attempt that ended with its text on record. */
function endedTexts(events: readonly StoredEvent[]): Map<string, WholeText> {
  const texts = new Map<string, WholeText>();
  for (const event of events) {
    if (!bringsText(event) || event.type === 'step-delta') continue;
    texts.set(attemptName(event), { content: event.output, reasoning: event.reasoning });
  }
  return texts;
}
