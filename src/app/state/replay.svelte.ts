/**
 * @file The playhead of a run: a moment that can be moved by hand, played at a speed, or kept at the end of a run that goes
 * on. What the page shows is the run as it stood at that moment.
 */
import { isDelta, type Run, type StoredEvent } from '../../core/contract';
import type { Frames } from './live-run.svelte';
import type { Timeline } from './timeline';

export const SPEEDS = [1, 4, 16] as const;
export type Speed = (typeof SPEEDS)[number];

export class Replay {
  /** Replaced whenever the timeline has grown, which is not itself reactive. */
  #known: { readonly timeline: Timeline };
  readonly #frames: Frames;
  readonly #isMotionReduced: () => boolean;
  #position = $state(0);
  #time = $state(0);
  /** Stays at the end, whatever comes. */
  #follows = $state(true);
  #frame: number | null = null;
  /** Where time has come to while it runs, and when that was by the frames' clock. */
  #played = 0;
  #playedAt = 0;

  /** Whether time runs. */
  isPlaying = $state(false);
  speed: Speed = $state(1);
  /** Whether steps from event to event stop at each piece of text. */
  withDeltas = $state(false);

  /** The whole run, as far as it is known. */
  readonly whole: Run | null = $derived.by(() => this.#known.timeline.run);
  /** The run as it stood at the moment shown. */
  readonly run: Run | null = $derived.by(() => this.#known.timeline.runAt(this.#position));
  /** Active time at the end, ms. */
  readonly end: number = $derived.by(() => this.#known.timeline.end);
  /** Indexes of the events that are listed. */
  readonly listed: readonly number[] = $derived.by(() => listedIn(this.#known.timeline.events, this.withDeltas));
  /** The newest listed event that has happened, as an index into `listed`; −1 before the first. */
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

  /** Every event so far, in order, with its text. */
  get events(): readonly StoredEvent[] {
    return this.#known.timeline.events;
  }
  /** How many events have happened by the moment shown. */
  get position(): number {
    return this.#position;
  }
  /** The moment shown, ms of active time. */
  get time(): number {
    return this.#time;
  }
  /** Whether what comes is shown as it comes. */
  get follows(): boolean {
    return this.#follows;
  }

  get #timeline(): Timeline {
    return this.#known.timeline;
  }

  /** Active time of an event by its index, ms. */
  timeOf(index: number): number {
    return this.#known.timeline.timeOf(index);
  }

  /** Takes in events of a run that goes on. */
  append(events: Iterable<StoredEvent>): void {
    if (this.#timeline.append(events)) this.#grow();
  }

  /** Takes in what a newer reading of the run holds beyond what is here. */
  catchUp(events: readonly StoredEvent[]): void {
    if (this.#timeline.catchUp(events)) this.#grow();
  }

  /** Goes to a moment, ms of active time. The end is followed from there on. */
  seek(time: number): void {
    this.pause();
    this.#moveTo(time);
  }

  /** Goes to where an event has just happened. */
  seekEvent(index: number): void {
    this.pause();
    const last = this.#timeline.length - 1;
    const target = Math.min(Math.max(0, index), last);
    this.#position = target + 1;
    this.#time = this.#timeline.timeOf(target);
    this.#follows = target === last;
  }

  /** Goes to the next or the previous listed event. */
  step(by: 1 | -1): void {
    const target = this.listed[Math.min(Math.max(0, this.current + by), this.listed.length - 1)];
    const isPastLast = by === 1 && this.current === this.listed.length - 1;
    if (isPastLast) this.seek(this.#timeline.end);
    else if (target !== undefined) this.seekEvent(target);
  }

  /** Lets time run from here, or from the beginning if this is the end. */
  play(): void {
    if (this.isPlaying || this.#timeline.length === 0) return;
    if (this.#time >= this.#timeline.end) this.#moveTo(0);
    this.#follows = false;
    this.isPlaying = true;
    this.#played = this.#time;
    this.#playedAt = this.#frames.performance.now();
    this.#askForFrame();
  }

  pause(): void {
    this.isPlaying = false;
    if (this.#frame !== null) this.#frames.cancelAnimationFrame(this.#frame);
    this.#frame = null;
  }

  #askForFrame(): void {
    this.#frame = this.#frames.requestAnimationFrame(() => {
      const now = this.#frames.performance.now();
      this.#played += (now - this.#playedAt) * this.speed;
      this.#playedAt = now;
      this.#moveTo(this.#played);
      // Under reduced motion nothing glides: the playhead goes from event to event, each at its time.
      if (!this.#follows && this.#isMotionReduced()) this.#time = this.#timeline.timeOf(this.#position - 1);
      if (this.#follows) this.pause();
      else this.#askForFrame();
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
    // A run that took another's place may be shorter.
    if (this.#follows || this.#position > this.#timeline.length) this.#goToEnd();
  }
}

function listedIn(events: readonly StoredEvent[], withDeltas: boolean): number[] {
  return events.flatMap((event, index) => (withDeltas || !isDelta(event) ? [index] : []));
}

/** Index of the last of the ascending numbers that is below a limit; −1 if none is. */
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
