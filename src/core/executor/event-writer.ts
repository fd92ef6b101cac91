/**
 * @file Emits the events of a run. Adds the common fields to each event, and passes it to `watch` and then to the journal, which
 * stores it. The last event is an exception: it is stored before it is passed to `watch`. After the first failed write, the
 * journal gets no more events. So the stored events have no gaps, and the run can be resumed from them.
 */
import { fault, FaultError, type Clock, type EventBody, type Fault, type Journal, type RunEvent } from '../contract';

/** The events that end a run. */
export type RunEnd = Extract<EventBody, { type: 'run-finished' | 'run-failed' | 'run-cancelled' }>;

export interface EventWriterOptions {
  readonly runId: string;
  readonly firstSeq: number;
  readonly segment: number;
  readonly journal: Journal;
  readonly clock: Clock;
  /** Receives each event, without waiting for storage. */
  readonly watch: (event: RunEvent) => void;
  /** Called once, when the journal first fails to store an event. */
  readonly onStorageFault: (fault: Fault) => void;
}

export class EventWriter {
  readonly #options: EventWriterOptions;
  readonly #began: number;
  #seq: number;
  #fault: Fault | null = null;
  #over = false;
  #unsettled = 0;
  #settled: (() => void) | null = null;

  constructor(options: EventWriterOptions) {
    this.#options = options;
    this.#seq = options.firstSeq;
    this.#began = options.clock.monotonic();
  }

  /** Why the journal stopped storing this run, or `null`. */
  get fault(): Fault | null {
    return this.#fault;
  }

  /** Emits an event without waiting for storage. No effect once the run has ended. */
  emit(body: EventBody): void {
    void this.#write(body);
  }

  /** Emits an event and waits until it is stored or storage has failed. After a failure, `fault` is set. Never rejects. */
  emitDurably(body: EventBody): Promise<void> {
    return this.#write(body) ?? SETTLED;
  }

  /**
   * Ends the run. The last event waits until all other events are stored. Otherwise a run could look finished although its
   * answer was not stored. If storage fails, the last event becomes `run-failed` with the storage's fault, unless the run was
   * cancelled. Resolves when all writes have ended.
   */
  async end(body: RunEnd): Promise<void> {
    if (this.#over) return;
    this.#over = true;
    await this.#settle();
    const seq = this.#seq++;
    const event = this.#stamp(body, seq);
    if (!this.#fault) {
      void this.#append(event);
      await this.#settle();
    }
    const lost = this.#fault && body.type !== 'run-cancelled' ? this.#fault : null;
    this.#options.watch(lost ? this.#stamp({ type: 'run-failed', fault: lost }, seq) : event);
  }

  #write(body: EventBody): Promise<void> | undefined {
    if (this.#over) return undefined;
    const event = this.#stamp(body, this.#seq++);
    this.#options.watch(event);
    return this.#fault ? undefined : this.#append(event);
  }

  /**
   * Adds the fields that all events have. The code has one spread, at the end of the literal. With two spreads, or one at the
   * beginning, JavaScript engines are twenty times slower.
   */
  #stamp(body: EventBody, seq: number): RunEvent {
    const { runId, segment, clock } = this.#options;
    return { runId, seq, at: clock.now(), segment, elapsed: clock.monotonic() - this.#began, ...body };
  }

  #append(event: RunEvent): Promise<void> {
    this.#unsettled += 1;
    return this.#options.journal.append(event).then(this.#kept, this.#refused);
  }

  readonly #kept = (): void => {
    this.#unsettled -= 1;
    if (this.#unsettled === 0) this.#settled?.();
  };

  readonly #refused = (thrown: unknown): void => {
    if (!this.#fault) {
      this.#fault = storageFault(thrown);
      this.#options.onStorageFault(this.#fault);
    }
    this.#kept();
  };

  #settle(): Promise<void> {
    if (this.#unsettled === 0) return SETTLED;
    return new Promise((resolve) => (this.#settled = resolve));
  }
}

const SETTLED = Promise.resolve();

function storageFault(thrown: unknown): Fault {
  if (thrown instanceof FaultError) return thrown.fault;
  const detail = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  const message = 'Couldn’t save the rest of this run. Free up storage in this browser, then run it again.';
  return fault('storage-failed', message, { detail: detail.slice(0, 500) });
}
