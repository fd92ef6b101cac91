/** @file Separates a local model's thoughts, which are reasoning, from its answer. */
import type { ChannelText, EngineEvent, ThinkTagSplitter } from '../../core/contract';

/** @param splitter a new one for each answer. `null` under a grammar, which allows no thoughts */
export function partThoughts(event: EngineEvent, splitter: ThinkTagSplitter | null): readonly EngineEvent[] {
  if (!splitter) return [event];
  if (event.type !== 'delta') return [...splitter.end().map(delta), event];
  return event.channel === 'content' ? splitter.push(event.text).map(delta) : [event];
}

function delta({ channel, text }: ChannelText): EngineEvent {
  return { type: 'delta', channel, text };
}
