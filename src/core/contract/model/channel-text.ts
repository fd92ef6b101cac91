/** @file The pieces of a model's answer, and the texts that they form. */
import type { Channel } from './message';

/** A piece of one channel. */
export interface ChannelText {
  readonly channel: Channel;
  readonly text: string;
  /** Whether all content before this text turned out to be reasoning. Absent: no. */
  readonly relabels?: true;
}

/** The text of each channel. */
export type ChannelTexts = Readonly<Record<Channel, string>>;

/** Appends a piece of a stream to the texts of both channels. */
export function withDelta(
  { content, reasoning }: ChannelTexts,
  { channel, text, relabels }: ChannelText,
): ChannelTexts {
  if (channel === 'reasoning') return { content, reasoning: reasoning + text };
  return relabels ? { content: text, reasoning: content + reasoning } : { content: content + text, reasoning };
}
