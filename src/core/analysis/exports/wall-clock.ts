/**
 * @file Converts a moment in a run, given as active time, to wall-clock time. The active time of a run stops while the run is
 * interrupted and while it waits for the user.
 */
import { applyEvents, type StoredEvent } from '../../contract';

/** @param time active time of the run, ms @returns ms since the epoch */
export type WallClock = (time: number) => number;

/**
 * Uses the wall-clock time of the first event at or after the given active time. This is exact, because callers look up only the
 * times of events.
 */
export function wallClockOf(events: readonly StoredEvent[]): WallClock {
  const times: number[] = [];
  applyEvents(null, events, (time) => times.push(time));
  return (time) => {
    let [low, high] = [0, times.length - 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((times[middle] ?? Infinity) < time) low = middle + 1;
      else high = middle;
    }
    return events[low]?.at ?? 0;
  };
}
