/**
 * @file Makes few events of many tokens: the first of a channel at once, then at most every 50 ms, and less often in a long text. It is done at the source,
 * so that what is watched live and what is stored are the same events. One timer serves all streams of a run.
 */
import type { Channel, Clock } from '../contract';

/** Least time between two deltas of one stream at its beginning, ms. */
export const DELTA_INTERVAL = 50;
/** Deltas after which that time doubles, so that hours of text are thousands of events and not hundreds of thousands. */
const DOUBLES_AFTER = 2_000;

export type EmitDelta = (channel: Channel, text: string) => void;

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

  /** Ends the timer. What is still held back stays with its stream, whose owner flushes it. */
  close(): void {
    this.#closed = true;
    this.#timer?.abort();
  }

  /** The stream holds text back: it is flushed when its time has come. */
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
      // Only closing ends the sleep early, and then each stream is flushed by whoever owns it.
    } finally {
      this.#timer = null;
    }
  }
}

/** The text of one attempt, or of one plan. Channels come out in the order in which they came in. */
export class DeltaStream {
  readonly #coalescer: DeltaCoalescer;
  readonly #emit: EmitDelta;
  /** Held back: at most one piece a channel, in the order of their first words. */
  #held: { readonly channel: Channel; text: string }[] = [];
  readonly #begun = { content: false, reasoning: false };
  #due = Number.NEGATIVE_INFINITY;
  #said = 0;

  constructor(coalescer: DeltaCoalescer, emit: EmitDelta) {
    this.#coalescer = coalescer;
    this.#emit = emit;
  }

  /** When the next delta may be said, on the monotonic clock. */
  get due(): number {
    return this.#due;
  }

  add(channel: Channel, text: string): void {
    const held = this.#held.find((piece) => piece.channel === channel);
    if (held) held.text += text;
    else this.#held.push({ channel, text });
    const first = !this.#begun[channel];
    this.#begun[channel] = true;
    if (first || this.#coalescer.clock.monotonic() >= this.#due) this.flush();
    else if (!held) this.#coalescer.hold(this);
  }

  /** Says at once what is held back. */
  flush(): void {
    if (this.#held.length === 0) return;
    const pieces = this.#held;
    this.#held = [];
    this.#coalescer.release(this);
    this.#said += pieces.length;
    const interval = DELTA_INTERVAL * 2 ** Math.floor(this.#said / DOUBLES_AFTER);
    this.#due = this.#coalescer.clock.monotonic() + interval;
    for (const { channel, text } of pieces) this.#emit(channel, text);
  }
}
