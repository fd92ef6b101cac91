/** @file Where a model on this machine thinks aloud before it answers, its thoughts are reasoning and no part of the answer. */
import type { ChannelText, EngineEvent, ThinkTagSplitter } from '../../core/contract';

/** @param splitter one for each answer; `null` under a grammar, which leaves no room for thoughts */
export function partThoughts(event: EngineEvent, splitter: ThinkTagSplitter | null): readonly EngineEvent[] {
  if (!splitter) return [event];
  if (event.type !== 'delta') return [...splitter.end().map(delta), event];
  return event.channel === 'content' ? splitter.push(event.text).map(delta) : [event];
}

function delta({ channel, text }: ChannelText): EngineEvent {
  return { type: 'delta', channel, text };
}
