/**
 * @file Detects that the page is closing, reloading or navigating away. At that moment, Firefox cancels the page's requests
 * while the page's code still runs. A request that fails in this way must not count as a failed call. Otherwise, the run would
 * end as failed, although it was interrupted and can be resumed.
 */
import type { Clock } from '../../core/contract';

/** The events that browsers fire before a page closes. Safari on iOS fires only `pagehide`. */
const EVENTS = ['beforeunload', 'pagehide'] as const;

/**
 * How long a failure is held back after such an event, ms. If the page still runs after that, Podium assumes that it stays
 * open, for example because the user followed a link to a download.
 */
const LONGEST_DEPARTURE = 10_000;

export interface PageDeparture {
  /**
   * Resolves at once if the page is not closing. Otherwise resolves `LONGEST_DEPARTURE` after the last event, if the page still
   * runs. Rejects with an `AbortError` if the signal aborts.
   */
  settled(signal: AbortSignal): Promise<void>;
  /** Removes the listeners. */
  end(): void;
}

/** @param page the page's window. `null` outside a page */
export function watchPageDeparture(clock: Clock, page: EventTarget | null): PageDeparture {
  let until = Number.NEGATIVE_INFINITY;
  const note = () => {
    until = clock.monotonic() + LONGEST_DEPARTURE;
  };
  for (const event of EVENTS) page?.addEventListener(event, note);
  return {
    async settled(signal) {
      // Another event during the sleep extends the wait.
      for (let rest = until - clock.monotonic(); rest > 0; rest = until - clock.monotonic())
        await clock.sleep(rest, signal);
    },
    end() {
      for (const event of EVENTS) page?.removeEventListener(event, note);
    },
  };
}
