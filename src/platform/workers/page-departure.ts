/**
 * @file Watches whether the page is closing, reloading or going to another address. Firefox then ends the page's requests
 * first, while the page's code still runs. Such a failed request must not count as a failed call. Otherwise, the run would end
 * as failed, although it was interrupted and can be resumed.
 */
import type { Clock } from '../../core/contract';

/** The events that browsers send to a page before it ends. Safari on iOS sends only `pagehide`. */
const EVENTS = ['beforeunload', 'pagehide'] as const;

/**
 * How long a page may still run after such an event, ms. If it runs longer, it was not closed. For example, its address led to
 * a download.
 */
const LONGEST_DEPARTURE = 10_000;

export interface PageDeparture {
  /**
   * Resolves at once if the page is not closing. Otherwise resolves only if the page is not closed after all. Rejects with an
   * `AbortError` if the signal aborts.
   */
  settled(signal: AbortSignal): Promise<void>;
  /** Removes the listeners. A browser may reload a page with such listeners more slowly, so they exist only during calls. */
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
      const rest = until - clock.monotonic();
      if (rest > 0) await clock.sleep(rest, signal);
    },
    end() {
      for (const event of EVENTS) page?.removeEventListener(event, note);
    },
  };
}
