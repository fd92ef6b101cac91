/**
 * @file A run's events with their times, and the state of the run after each event. Times are active time, in ms: time during
 * which the run was interrupted or waited for the user does not count.
 *
 * To compute the state at a position, events are applied to the last computed state or to the nearest earlier checkpoint. So
 * scrubbing never applies all events again.
 */
import { applyEvents, expandDeltas, type Run, type StoredEvent } from '../../core/contract';

/** Number of events between two checkpoints. Computing a state never applies more events than this. */
const INTERVAL = 64;

/** A position in the timeline is the number of events that have happened: 0 before the first, `length` after the last. */
export class Timeline {
  #events: StoredEvent[] = [];
  /** Active time after each event, ms. Never decreases. */
  #times: number[] = [];
  /** The run after 0, INTERVAL, 2 × INTERVAL, … events. */
  #checkpoints: (Run | null)[] = [null];
  #run: Run | null = null;
  #last: { readonly position: number; readonly run: Run | null } = { position: 0, run: null };

  constructor(events: readonly StoredEvent[] = []) {
    this.append(expandDeltas(events));
  }

  get length(): number {
    return this.#events.length;
  }

  get events(): readonly StoredEvent[] {
    return this.#events;
  }

  /** The run with all events. `null` if the event that starts the run is missing. */
  get run(): Run | null {
    return this.#run;
  }

  /** Active time of the newest event, ms. */
  get end(): number {
    return this.#times.at(-1) ?? 0;
  }

  /** Adds events, and skips known ones. Deltas must contain their text. @returns whether any event was new */
  append(events: Iterable<StoredEvent>): boolean {
    const before = this.length;
    for (const event of events) {
      const newest = this.#events.at(-1);
      if (!newest || event.seq > newest.seq) this.#events.push(event);
    }
    let from = before;
    while (from < this.length) {
      const to = Math.min(this.length, from + INTERVAL - (from % INTERVAL));
      this.#run = applyEvents(this.#run, this.#events.slice(from, to), (time) =>
        this.#times.push(Math.max(this.end, time)),
      );
      if (to % INTERVAL === 0) this.#checkpoints.push(this.#run);
      from = to;
    }
    return this.length > before;
  }

  /**
   * Call when the run was read again. Adds those events that are new. If an import has replaced the stored run with a different
   * copy, rebuilds the timeline.
   * @param events all events of the run
   * @returns whether anything is new
   */
  catchUp(events: readonly StoredEvent[]): boolean {
    const common = Math.min(events.length, this.length) - 1;
    const [mine, theirs] = [this.#events[common], events[common]];
    // A run only grows at its end, so copies that agree in one event agree in all earlier events.
    if (!mine || !theirs || isSameMoment(mine, theirs)) {
      return events.length > this.length && this.append(expandDeltas(events));
    }
    this.#events = [];
    this.#times = [];
    this.#checkpoints = [null];
    this.#run = null;
    this.#last = { position: 0, run: null };
    return this.append(expandDeltas(events));
  }

  /** Active time of an event by its index, ms. */
  timeOf(index: number): number {
    return this.#times[Math.min(index, this.length - 1)] ?? 0;
  }

  /** Number of events that have happened by a moment, including all events at that moment. @param time ms of active time */
  positionAt(time: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#times[middle] ?? Infinity) <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The run after this many events. `null` before the first. */
  runAt(position: number): Run | null {
    const target = Math.min(Math.max(0, position), this.length);
    if (target === this.length) return this.#run;
    const checkpoint = Math.floor(target / INTERVAL);
    const isForward = this.#last.position <= target && this.#last.position >= checkpoint * INTERVAL;
    const start = isForward
      ? this.#last
      : { run: this.#checkpoints[checkpoint] ?? null, position: checkpoint * INTERVAL };
    const run = applyEvents(start.run, this.#events.slice(start.position, target));
    this.#last = { position: target, run };
    return run;
  }
}

/**
 * Whether two reads gave the same event. The text of a delta is not compared, because the store moves this text out of
 * the delta.
 */
function isSameMoment(one: StoredEvent, other: StoredEvent): boolean {
  return one.seq === other.seq && one.type === other.type && one.at === other.at && one.elapsed === other.elapsed;
}
