/**
 * @file Writes the events of one run to the store. If a write fails, `append` rejects, so that the executor makes no further
 * call. `catchUp` can write the missing events later.
 */
import { FaultError, toFault, type Fault, type Journal, type RunEvent } from '../contract';

export class RunJournal implements Journal {
  readonly #store: Journal;
  readonly #saved: (event: RunEvent) => void;
  readonly #pending = new Set<Promise<void>>();
  #lastSaved: number;
  #fault: Fault | null = null;

  /**
   * @param lastSaved number of the newest event on disk, -1 for a new run
   * @param saved called with each event once it is on disk
   */
  constructor(store: Journal, lastSaved: number, saved: (event: RunEvent) => void) {
    this.#store = store;
    this.#lastSaved = lastSaved;
    this.#saved = saved;
  }

  /** Why the newest events are not on disk. `null`: they are on disk, or are being written. */
  get fault(): Fault | null {
    return this.#fault;
  }

  /** Stores an event. After a failed write, rejects all events until `catchUp` succeeds. So the stored events have no gaps. */
  append(event: RunEvent): Promise<void> {
    if (this.#fault) return Promise.reject(new FaultError(this.#fault));
    const pending = this.#write(event).catch((thrown: unknown) => {
      // Writes that were already in progress may fail too. The reason of the first failure is kept.
      this.#fault ??= notSaved(thrown);
      throw thrown;
    });
    const settled = pending.then(
      () => undefined,
      () => undefined,
    );
    this.#pending.add(settled);
    void settled.then(() => this.#pending.delete(settled));
    return pending;
  }

  /** Waits for all writes in progress, then tries once to write the given events that are not on disk yet. Never rejects. */
  async catchUp(events: readonly RunEvent[]): Promise<void> {
    await Promise.all(this.#pending);
    try {
      for (const event of events) {
        if (event.seq > this.#lastSaved) await this.#write(event);
      }
      this.#fault = null;
    } catch (thrown) {
      this.#fault = notSaved(thrown);
    }
  }

  async #write(event: RunEvent): Promise<void> {
    await this.#store.append(event);
    this.#lastSaved = event.seq;
    this.#saved(event);
  }
}

function notSaved(thrown: unknown): Fault {
  const found = toFault(thrown);
  return { ...found, message: `This run is not saved. ${found.message}` };
}
