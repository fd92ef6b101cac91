/**
 * @file Coalesces many tokens into few events (deltas). A stream has two channels: content and reasoning. The first text
 * of a channel is emitted at once, together with the buffered text of the other channel. After that, each channel emits
 * at most one event every 50 ms, and fewer in a long text. Text is coalesced before events are emitted, so live and
 * stored events are the same. One timer serves all streams of a run.
 */
import type { ChannelText, Clock } from '../contract';

/** Shortest time between two deltas at the beginning of a stream, ms. */
export const DELTA_INTERVAL = 50;
/**
 * The interval doubles each time a stream has emitted this many deltas. So even hours of text become only thousands of events.
 */
const DOUBLES_AFTER = 2_000;

export type EmitDelta = (delta: ChannelText) => void;

export class DeltaCoalescer {
  readonly clock: Clock;
  readonly #waiting = new Set<DeltaStream>();
  #timer: AbortController | null = null;
  #closed = false;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  open(emit: EmitDelta): DeltaStream {
    return new DeltaStream(this, emit);
  }

  /** Stops the timer. The owner of each stream flushes the text that is still buffered. */
  close(): void {
    this.#closed = true;
    this.#timer?.abort();
  }

  /** Flushes a stream's buffered text as soon as its next delta is due. */
  hold(stream: DeltaStream): void {
    this.#waiting.add(stream);
    if (!this.#timer && !this.#closed) void this.#run();
  }

  release(stream: DeltaStream): void {
    this.#waiting.delete(stream);
  }

  async #run(): Promise<void> {
    this.#timer = new AbortController();
    const { signal } = this.#timer;
    try {
      while (this.#waiting.size > 0) {
        const due = Math.min(...[...this.#waiting].map((stream) => stream.due));
        await this.clock.sleep(Math.max(0, due - this.clock.monotonic()), signal);
        const now = this.clock.monotonic();
        for (const stream of this.#waiting) if (stream.due <= now) stream.flush();
      }
    } catch {
      // Only `close` ends the sleep early.
    } finally {
      this.#timer = null;
    }
  }
}

/** The text of one call or one plan. */
export class DeltaStream {
  readonly #coalescer: DeltaCoalescer;
  readonly #emit: EmitDelta;
  /** Buffered text: at most one piece for each channel, in order of arrival. */
  #held: ChannelText[] = [];
  readonly #begun = { content: false, reasoning: false };
  #due = Number.NEGATIVE_INFINITY;
  #emitted = 0;

  constructor(coalescer: DeltaCoalescer, emit: EmitDelta) {
    this.#coalescer = coalescer;
    this.#emit = emit;
  }

  /** When the next delta may be emitted, in ms on the monotonic clock. */
  get due(): number {
    return this.#due;
  }

  add({ channel, text, relabels }: ChannelText): void {
    // The relabelled text comes before this delta, so the two cannot be joined.
    if (relabels) this.flush();
    const at = this.#held.findIndex((piece) => piece.channel === channel);
    const held = this.#held[at];
    if (held) this.#held[at] = { ...held, text: held.text + text };
    else this.#held.push({ channel, text, ...(relabels ? { relabels } : {}) });
    const first = !this.#begun[channel];
    this.#begun[channel] = true;
    if (first || this.#coalescer.clock.monotonic() >= this.#due) this.flush();
    else if (!held) this.#coalescer.hold(this);
  }

  /** Emits buffered text at once. */
  flush(): void {
    if (this.#held.length === 0) return;
    const pieces = this.#held;
    this.#held = [];
    this.#coalescer.release(this);
    this.#emitted += pieces.length;
    const interval = DELTA_INTERVAL * 2 ** Math.floor(this.#emitted / DOUBLES_AFTER);
    this.#due = this.#coalescer.clock.monotonic() + interval;
    for (const piece of pieces) this.#emit(piece);
  }
}
