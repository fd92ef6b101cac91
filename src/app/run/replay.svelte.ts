/**
 * @file The playhead of a run: the moment that the page shows. The user can move the playhead, or play the run from there at a
 * chosen speed. While the playhead is at the end of a running run, it follows the end.
 */
import { isDelta, type Run, type StoredEvent } from '../../core/contract';
import type { Frames } from '../state/redraw';
import type { Timeline } from './timeline';

export const SPEEDS = [1, 4, 16] as const;
export type Speed = (typeof SPEEDS)[number];

export class Replay {
  /** Holds the timeline. The object is replaced whenever the timeline has grown, because the timeline is not reactive. */
  #known: { readonly timeline: Timeline };
  readonly #frames: Frames;
  readonly #isMotionReduced: () => boolean;
  #position = $state(0);
  #time = $state(0);
  #follows = $state(true);
  #frame: number | null = null;
  /** While playing: the moment shown at the last frame, and when that frame was drawn (`performance.now()`). */
  #played = 0;
  #playedAt = 0;

  isPlaying = $state(false);
  speed: Speed = $state(1);
  /** Whether stepping also stops at each streamed piece of text. */
  withDeltas = $state(false);

  /** The whole run so far. */
  readonly whole: Run | null = $derived.by(() => this.#known.timeline.run);
  /** The run at the shown moment. */
  readonly run: Run | null = $derived.by(() => this.#known.timeline.runAt(this.#position));
  /** Active time at the end, ms. */
  readonly end: number = $derived.by(() => this.#known.timeline.end);
  /** Indexes of the events that are listed. */
  readonly listed: readonly number[] = $derived.by(() => listedIn(this.#known.timeline.events, this.withDeltas));
  /** Index in `listed` of the newest event that has happened by the shown moment. −1: none. */
  readonly current: number = $derived.by(() => lastBelow(this.listed, this.#position));

  constructor(
    timeline: Timeline,
    frames: Frames = window,
    isMotionReduced = () => matchMedia('(prefers-reduced-motion: reduce)').matches,
  ) {
    this.#known = $state.raw({ timeline });
    this.#frames = frames;
    this.#isMotionReduced = isMotionReduced;
    this.#goToEnd();
  }

  get events(): readonly StoredEvent[] {
    return this.#known.timeline.events;
  }
  /** How many events have happened by the shown moment. */
  get position(): number {
    return this.#position;
  }
  /** The shown moment, ms of active time. */
  get time(): number {
    return this.#time;
  }
  /** Whether the page shows new events as soon as they arrive. */
  get follows(): boolean {
    return this.#follows;
  }

  get #timeline(): Timeline {
    return this.#known.timeline;
  }

  /** Active time of the event at an index, ms. */
  timeOf(index: number): number {
    return this.#known.timeline.timeOf(index);
  }

  /** Adds events of a running run. */
  append(events: Iterable<StoredEvent>): void {
    if (this.#timeline.append(events)) this.#grow();
  }

  /** Call when the run was read again. Adds those events that are new. @param events all events of the run */
  catchUp(events: readonly StoredEvent[]): void {
    if (this.#timeline.catchUp(events)) this.#grow();
  }

  /** Seeks to a moment, ms of active time. After a seek to the end, the playhead follows the end. */
  seek(time: number): void {
    this.pause();
    this.#moveTo(time);
  }

  /** Seeks to just after an event. */
  seekEvent(index: number): void {
    this.pause();
    const last = this.#timeline.length - 1;
    const target = Math.min(Math.max(0, index), last);
    this.#position = target + 1;
    this.#time = this.#timeline.timeOf(target);
    this.#follows = target === last;
  }

  /** Seeks to the next or the previous listed event. */
  step(by: 1 | -1): void {
    const target = this.listed[Math.min(Math.max(0, this.current + by), this.listed.length - 1)];
    const isPastLast = by === 1 && this.current === this.listed.length - 1;
    if (isPastLast) this.seek(this.#timeline.end);
    else if (target !== undefined) this.seekEvent(target);
  }

  /** Plays from the shown moment, or from the beginning if the end is shown. */
  play(): void {
    if (this.isPlaying || this.#timeline.length === 0) return;
    if (this.#time >= this.#timeline.end) this.#moveTo(0);
    this.#follows = false;
    this.isPlaying = true;
    this.#played = this.#time;
    this.#playedAt = this.#frames.performance.now();
    this.#requestFrame();
  }

  pause(): void {
    this.isPlaying = false;
    if (this.#frame !== null) this.#frames.cancelAnimationFrame(this.#frame);
    this.#frame = null;
  }

  #requestFrame(): void {
    this.#frame = this.#frames.requestAnimationFrame(() => {
      const now = this.#frames.performance.now();
      this.#played += (now - this.#playedAt) * this.speed;
      this.#playedAt = now;
      this.#moveTo(this.#played);
      // With reduced motion, the playhead jumps from event to event instead of moving smoothly.
      if (!this.#follows && this.#isMotionReduced()) this.#time = this.#timeline.timeOf(this.#position - 1);
      if (this.#follows) this.pause();
      else this.#requestFrame();
    });
  }

  #moveTo(time: number): void {
    const { end, length } = this.#timeline;
    this.#time = Math.min(Math.max(0, time), end);
    this.#position = this.#timeline.positionAt(this.#time);
    this.#follows = this.#position === length;
  }

  #goToEnd(): void {
    this.#time = this.#timeline.end;
    this.#position = this.#timeline.length;
    this.#follows = true;
  }

  #grow(): void {
    this.#known = { timeline: this.#timeline };
    // The timeline is shorter than before if an import has replaced the stored run with a shorter copy.
    if (this.#follows || this.#position > this.#timeline.length) this.#goToEnd();
  }
}

function listedIn(events: readonly StoredEvent[], withDeltas: boolean): number[] {
  return events.flatMap((event, index) => (withDeltas || !isDelta(event) ? [index] : []));
}

/** Index of the last number below a limit, in an ascending list. −1 if the list has no such number. */
function lastBelow(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? Infinity) < limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
