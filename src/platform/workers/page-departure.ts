/**
 * @file Watches whether the page is closing, reloading or going to another address. Firefox then ends the page's requests
 * first, while the page's code still runs. Such a failed request must not count as a failed call. Otherwise, the run would end
 * as failed, although it was interrupted and can be resumed.
 */
import type { Clock } from '../../core/contract';

/** The events that browsers send to a page before it ends. Safari on iOS sends only `pagehide`. */
const EVENTS = ['beforeunload', 'pagehide'] as const;

/**
 * How long a failure is held back after such an event, ms. If the page runs longer, Podium assumes that it stays open, for
 * example because its new address led to a download.
 */
const LONGEST_DEPARTURE = 10_000;

export interface PageDeparture {
  /**
   * Resolves at once if the page is not closing. Otherwise resolves only if the page is not closed after all. Rejects with an
   * `AbortError` if the signal aborts.
   */
  settled(signal: AbortSignal): Promise<void>;
  /** Removes the listeners. */
  end(): void;
}

/** @param page the window. `null` outside a page */
export function watchPageDeparture(clock: Clock, page: EventTarget | null): PageDeparture {
  let until = Number.NEGATIVE_INFINITY;
  const note = () => {
    until = clock.monotonic() + LONGEST_DEPARTURE;
  };
  for (const event of EVENTS) page?.addEventListener(event, note);
  return {
    async settled(signal) {
      // While this waits, another event may extend the wait.
      for (let rest = until - clock.monotonic(); rest > 0; rest = until - clock.monotonic())
        await clock.sleep(rest, signal);
    },
    end() {
      for (const event of EVENTS) page?.removeEventListener(event, note);
    },
  };
}
