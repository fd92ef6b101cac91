/** @file Separates a local model's thoughts from its answer. Thoughts go to the reasoning channel. */
import type { ChannelText, EngineEvent, ThinkTagSplitter } from '../../core/contract';

/** @param splitter the splitter of this answer. `null` if the answer follows a grammar, because a grammar allows no thoughts */
export function partThoughts(event: EngineEvent, splitter: ThinkTagSplitter | null): readonly EngineEvent[] {
  if (!splitter) return [event];
  if (event.type !== 'delta') return [...splitter.end().map(delta), event];
  return event.channel === 'content' ? splitter.push(event.text).map(delta) : [event];
}

function delta({ channel, text }: ChannelText): EngineEvent {
  return { type: 'delta', channel, text };
}
