/**
 * @file Removes the key and the extra headers of a call from its reply. A server may echo them, and the reply becomes part of a run that is stored,
 * shown and exported. See `keyRemover` for the keys that are removed.
 */
import type { Channel, WorkerEvent } from '../../core/contract';
import { secretsRemover, type TextRemover } from './provider-words';

export class ReplyRedaction {
  readonly #removers: Readonly<Record<Channel, TextRemover>> | null;
  /** Whether the next content has to be marked with `relabels`. */
  #relabels = false;

  constructor(secrets: readonly string[]) {
    const content = secretsRemover(secrets);
    const reasoning = secretsRemover(secrets);
    this.#removers = content && reasoning && { content, reasoning };
  }

  /**
   * Removes the key from events. Text that may be part of the key is delayed until later text rules this out,
   * or until the reply ends.
   */
  redact(events: readonly WorkerEvent[]): readonly WorkerEvent[] {
    const removers = this.#removers;
    if (!removers) return events;
    return events.flatMap((event): WorkerEvent[] => {
      switch (event.type) {
        case 'waiting':
          return [event];
        case 'delta': {
          const { channel, text, relabels = false } = event;
          // The delayed text belongs to the relabelled text.
          const before = relabels ? this.#delta('content', removers.content.end()) : [];
          this.#relabels ||= relabels;
          return [...before, ...this.#delta(channel, removers[channel].push(text))];
        }
        case 'finished':
        case 'failed':
          return [
            ...this.#delta('reasoning', removers.reasoning.end()),
            ...this.#delta('content', removers.content.end()),
            event,
          ];
        default:
          return event satisfies never;
      }
    });
  }

  #delta(channel: Channel, text: string): WorkerEvent[] {
    if (text === '') return [];
    const relabels = channel === 'content' && this.#relabels;
    if (relabels) this.#relabels = false;
    return [{ type: 'delta', channel, text, ...(relabels ? { relabels } : {}) }];
  }
}
