/**
 * @file Converts a moment in a run, given as active time, to wall-clock time. Active time leaves out the time in which the run
 * is interrupted or waits for the user.
 */
import { applyEvents, type StoredEvent } from '../../contract';

/** @param time active time of the run, ms @returns ms since the epoch */
export type WallClock = (time: number) => number;

/**
 * Finds the first event at or after the given active time, and returns its wall-clock time. Callers pass only the times of
 * events, so there is no need to interpolate between events.
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
