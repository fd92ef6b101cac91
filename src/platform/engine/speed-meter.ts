/** @file Measures the speed of a download over the last five seconds. */

/**
 * The measured period, ms. A shorter period would make the speed jump, and a longer one would hide
 * changes.
 */
const WINDOW = 5000;
/** Shortest period for a measurement, ms. Shorter periods are too imprecise. */
const SHORTEST = 500;

export interface SpeedMeter {
  /**
   * Records the progress of a download.
   * @param bytes number of bytes received so far
   * @param at the time in ms, on a monotonic clock
   * @returns the speed in bytes per second. `null` if the recorded period is shorter than 500 ms
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
