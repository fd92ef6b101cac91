/** @file Measures the speed of a download over the last five seconds. */

/** The measured period, ms. It is long enough for a steady speed, and short enough to follow a change. */
const WINDOW = 5000;
/** Shortest measurement, ms. Shorter measurements are too imprecise. */
const SHORTEST = 500;

export interface SpeedMeter {
  /**
   * @param bytes received in total so far
   * @param at the time in ms, on a monotonic clock
   * @returns the speed in bytes per second. `null` until it can be measured
   */
  note(bytes: number, at: number): number | null;
}

export function createSpeedMeter(): SpeedMeter {
  let notes: { readonly bytes: number; readonly at: number }[] = [];
  return {
    note(bytes, at) {
      notes = [...notes.filter((note) => at - note.at <= WINDOW), { bytes, at }];
      const first = notes[0];
      if (!first || at - first.at < SHORTEST) return null;
      return ((bytes - first.bytes) / (at - first.at)) * 1000;
    },
  };
}
