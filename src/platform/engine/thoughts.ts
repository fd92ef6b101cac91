/** @file Separates a local model's thoughts from its answer. Thoughts go to the reasoning channel. */
import type { ChannelText, EngineEvent, ThinkTagSplitter } from '../../core/contract';

/** @param splitter of this answer. `null` under a grammar, which allows no thoughts */
export function partThoughts(event: EngineEvent, splitter: ThinkTagSplitter | null): readonly EngineEvent[] {
  if (!splitter) return [event];
  if (event.type !== 'delta') return [...splitter.end().map(delta), event];
  return event.channel === 'content' ? splitter.push(event.text).map(delta) : [event];
}

function delta({ channel, text }: ChannelText): EngineEvent {
  return { type: 'delta', channel, text };
}
