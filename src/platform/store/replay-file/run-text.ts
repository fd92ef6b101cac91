/**
 * @file Converts a run to the JSON of a replay file, with only the parts that the viewer shows.
 * Leaves out Conductor prompts, grammars and notes. If the run is a follow-up, also leaves out the
 * earlier question and answer, and the step prompts, which contain them. The same applies to files that are left out.
 */
import { isDelta, isKnownEvent, type ReplayRun, type RunEvent, type StoredEvent } from '../../../core/contract';

/** Fields that the viewer does not show. */
const HIDDEN: ReadonlySet<string> = new Set(['grammar', 'prompt', 'correction', 'context', 'note', 'analysis']);

/** An event, its JSON in the replay file, and all strings in that JSON. */
export interface WrittenEvent {
  readonly event: RunEvent;
  readonly json: string;
  readonly texts: readonly string[];
}

/**
 * Converts the events whose types this version of Podium knows. The viewer can't show other events.
 * @param withFiles whether the files of the question are included
 */
export function writtenEvents(events: readonly StoredEvent[], withFiles: boolean): WrittenEvent[] {
  const known = events.filter(isKnownEvent);
  const leavesOut = known.some(
    (event) => event.type === 'run-started' && (event.question.context ?? (withFiles ? null : event.question.files)),
  );
  return known.map((event) => {
    const texts: string[] = [];
    const showsPrompt = event.type === 'step-started' && !leavesOut;
    const json = JSON.stringify(event, (name, value: unknown) => {
      if (HIDDEN.has(name) || (name === 'files' && !withFiles)) return undefined;
      // Empties `messages` instead of removing it, because the viewer's reducer requires a list.
      if (name === 'messages' && !showsPrompt) return [];
      if (typeof value === 'string') texts.push(value);
      return value;
    });
    return { event, json, texts };
  });
}

/**
 * Joins the deltas of each stream of a run to one text, because an API key may be split between
 * deltas. A stream is one channel of a step's attempt or of a round's plan.
 * @returns the texts, each with the last event of its stream
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

export function runJson(written: readonly WrittenEvent[], others: Omit<ReplayRun, 'events'>): string {
  return `{"events":[${written.map(({ json }) => json).join(',')}],${JSON.stringify(others).slice(1)}`;
}
