/**
 * @file Writes a run for a replay file, with only the parts that the viewer shows. Prompts of Conductors, grammars, notes and
 * the earlier question of a follow-up are left out. The prompts of a follow-up's steps contain that question, so they are left
 * out too.
 */
import { isDelta, isKnownEvent, type ReplayImage, type RunEvent, type StoredEvent } from '../../../core/contract';

/** Fields that the viewer does not show. */
const HIDDEN: ReadonlySet<string> = new Set(['grammar', 'prompt', 'correction', 'context', 'note']);

/** An event, its JSON in the replay file, and all texts in that JSON. */
export interface WrittenEvent {
  readonly event: RunEvent;
  readonly json: string;
  readonly texts: readonly string[];
}

/** The events whose types this version knows. The viewer could not show other events. */
export function writtenEvents(events: readonly StoredEvent[]): WrittenEvent[] {
  const known = events.filter(isKnownEvent);
  const isFollowUp = known.some((event) => event.type === 'run-started' && event.question.context !== undefined);
  return known.map((event) => {
    const texts: string[] = [];
    const showsPrompt = event.type === 'step-started' && !isFollowUp;
    const json = JSON.stringify(event, (name, value: unknown) => {
      if (HIDDEN.has(name)) return undefined;
      // The viewer's reducer requires a list.
      if (name === 'messages' && !showsPrompt) return [];
      if (typeof value === 'string') texts.push(value);
      return value;
    });
    return { event, json, texts };
  });
}

/**
 * Joins pieces of text that belong together, such as the deltas of a step that was cut off. The texts are searched for API keys,
 * and a key may be spread over several events.
 */
export function joinedTexts(written: readonly WrittenEvent[]): { readonly event: RunEvent; readonly text: string }[] {
  const streams = new Map<string, { event: RunEvent; text: string }>();
  for (const { event } of written) {
    if (!isDelta(event) || event.text === '') continue;
    const place = event.type === 'step-delta' ? `${event.round}.${event.step}.${event.attempt}` : `plan.${event.round}`;
    const name = `${place}.${event.channel}`;
    streams.set(name, { event, text: (streams.get(name)?.text ?? '') + event.text });
  }
  return [...streams.values()];
}

export function runJson(written: readonly WrittenEvent[], images: readonly ReplayImage[]): string {
  return `{"events":[${written.map(({ json }) => json).join(',')}],"images":${JSON.stringify(images)}}`;
}
