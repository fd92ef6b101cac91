/** @file Separates a local model's thoughts from its answer. Thoughts go to the reasoning channel. */
import { ThinkTagSplitter, type ChannelText, type EngineEvent } from '../../core/contract';

/** Creates the splitter for one answer. */
export function createSplitter(): ThinkTagSplitter {
  return new ThinkTagSplitter();
}

/**
 * Splits the text of an event into thoughts and answer.
 * @param splitter keeps the state of one answer. `null` if the answer follows a grammar, because a
 * grammar allows no thoughts
 */
export function partThoughts(event: EngineEvent, splitter: ThinkTagSplitter | null): readonly EngineEvent[] {
  if (!splitter) return [event];
  if (event.type !== 'delta') return [...splitter.end().map(delta), event];
  if (event.channel !== 'content') return [event];
  const { usage } = event;
  return splitter.push(event.text).map((part) => ({ ...delta(part), ...(usage ? { usage } : {}) }));
}

function delta(text: ChannelText): EngineEvent {
  return { type: 'delta', ...text };
}
