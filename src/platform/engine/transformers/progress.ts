/** @file Reports the progress of a load. */
import type { LoadProgress } from '../../../core/contract';
import { createSpeedMeter } from '../speed-meter';

/** Shortest time between two reports while bytes arrive, ms. */
const BETWEEN_REPORTS = 100;

export class Progress {
  readonly #onprogress: (progress: LoadProgress) => void;
  readonly #now: () => number;
  readonly #meter = createSpeedMeter();
  #phase: LoadProgress['phase'] = 'fetching';
  #loaded = 0;
  #total: number | null = null;
  /** Bytes received over the network. The speed is computed from these bytes only. */
  #arrived = 0;
  #reportedAt = Number.NEGATIVE_INFINITY;

  /** @param now returns the time in ms, on a monotonic clock */
  constructor(onprogress: (progress: LoadProgress) => void, now: () => number) {
    this.#onprogress = onprogress;
    this.#now = now;
  }

  /** Sets the number of bytes that are already on this machine, and the total. `null`: the total is unknown. */
  expect(here: number, total: number | null): void {
    this.#loaded = here;
    this.#total = total;
    this.#report();
  }

  arrived(count: number): void {
    this.#loaded += count;
    this.#arrived += count;
    if (this.#now() - this.#reportedAt >= BETWEEN_REPORTS) this.#report();
  }

  enter(phase: LoadProgress['phase']): void {
    this.#phase = phase;
    this.#report();
  }

  #report(): void {
    const now = this.#now();
    this.#reportedAt = now;
    const speed = this.#meter.note(this.#arrived, now);
    this.#onprogress({
      phase: this.#phase,
      loaded: this.#loaded,
      // The expected total may be too small, because compressed files are decompressed on arrival.
      total: this.#total === null ? null : Math.max(this.#total, this.#loaded),
      speed: this.#phase === 'fetching' ? speed : null,
      cached: this.#arrived === 0,
    });
  }
}
