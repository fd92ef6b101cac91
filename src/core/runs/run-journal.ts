/**
 * @file One run's way to the store, which remembers how far the run is on disk. Where storage is full or fails, the executor
 * hears of it and makes no further call; what was not written is still known here and can be written later, in order.
 */
import { FaultError, toFault, type Fault, type Journal, type RunEvent } from '../contract';

export class RunJournal implements Journal {
  readonly #store: Journal;
  readonly #saved: (event: RunEvent) => void;
  readonly #pending = new Set<Promise<void>>();
  #lastSaved: number;
  #fault: Fault | null = null;

  /**
   * @param lastSaved number of the newest event that is on disk already, -1 for a new run
   * @param saved told of each event once it is on disk
   */
  constructor(store: Journal, lastSaved: number, saved: (event: RunEvent) => void) {
    this.#store = store;
    this.#lastSaved = lastSaved;
    this.#saved = saved;
  }

  /** Why the newest events are not on disk; `null` if they are, or soon will be. */
  get fault(): Fault | null {
    return this.#fault;
  }

  /** After one event was refused so are all that follow, until they are caught up with: what is on disk has no gaps. */
  append(event: RunEvent): Promise<void> {
    if (this.#fault) return Promise.reject(new FaultError(this.#fault));
    const pending = this.#write(event).catch((thrown: unknown) => {
      // What was under way behind the first refusal is refused for coming after a gap, which tells nobody anything.
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

  /** Waits for all that is under way, then tries once to write whatever of these events is not on disk. Never rejects. */
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
