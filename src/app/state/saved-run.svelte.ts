/**
 * @file One run as its page shows it: read from storage or followed while it lives here, and what a person can do with it.
 */
import { isAbort, toFault, type Fault, type StoredEvent } from '../../core/contract';
import { createPuzzleGrader } from '../../core/graders';
import type { ForkPoint, LiveRun } from '../../core/runs';
import type { Services } from '../services';
import { forgetPlan } from './held-plan-memory';
import { LiveRunView, type Frames } from './live-run.svelte';
import { Replay } from './replay.svelte';
import { Timeline } from './timeline';

export class SavedRun {
  readonly id: string;
  /** `null` until it has been read, and where there is none. */
  replay: Replay | null = $state.raw(null);
  /** Set while the run is at work in this tab, and after that until the page is left. */
  live: LiveRunView | null = $state.raw(null);
  isMissing = $state(false);
  /** Why it could not be read, or why what was asked for was refused. */
  fault: Fault | null = $state.raw(null);
  /** A verb is on its way. */
  isBusy = $state(false);

  readonly isRunning: boolean = $derived.by(() => this.replay?.whole?.status === 'running');
  /** The last moment there is, ms of active time: a run at work moves on between its events. */
  readonly end: number = $derived.by(() => Math.max(this.replay?.end ?? 0, this.isRunning ? (this.live?.now ?? 0) : 0));

  readonly #services: Pick<Services, 'runs' | 'notices'>;
  readonly #frames: Frames;
  #leave: (() => void)[] = [];
  #leaveLive: () => void = () => undefined;
  /** Events that came since the last frame. */
  #heard: StoredEvent[] = [];
  #frame: number | null = null;
  /** Readings under way. Until they are done, what was heard may lack what came before it. */
  #readings = 0;
  readonly #closing = new AbortController();
  #isClosed = false;

  constructor(services: Pick<Services, 'runs' | 'notices'>, id: string, frames: Frames = window) {
    this.#services = services;
    this.#frames = frames;
    this.id = id;
  }

  /** Reads the run, and hears of it from then on. Call once. */
  async load(): Promise<void> {
    const { notices, runs } = this.#services;
    const heard = (runId: string) => {
      if (runId === this.id) void this.#read();
    };
    this.#leave.push(
      notices.listen(heard),
      notices.listenAll(() => void this.#read()),
      runs.listen(heard),
    );
    const live = this.#services.runs.live(this.id);
    if (live) this.#watch(live);
    await this.#read();
  }

  /** Lets go of everything; a run at work goes on. */
  close(): void {
    this.#isClosed = true;
    this.#closing.abort();
    for (const leave of this.#leave) leave();
    this.#leaveLive();
    this.replay?.pause();
    if (this.#frame !== null) this.#frames.cancelAnimationFrame(this.#frame);
  }

  stop(): void {
    this.live?.stop();
  }

  /**
   * Goes on with the run, here.
   * @param before what is to be done first, e.g. keeping the key that was missing
   */
  resume(before: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    return this.#do(async () => {
      await before();
      this.#watch(await this.#services.runs.resume(this.id));
      await this.#read();
    });
  }

  /** Starts a new run from a step of this one. @returns its id, or `null` where that was refused */
  async fork(point: ForkPoint): Promise<string | null> {
    let id: string | null = null;
    await this.#do(async () => {
      id = (await this.#services.runs.fork(this.id, point)).id;
    });
    return id;
  }

  /** Grades the run; the grade that stands already is taken back. */
  grade(correct: boolean): Promise<void> {
    const { grade } = this.replay?.whole ?? {};
    // One that came with a file is not the user's own, so the same grade confirms it.
    const isSame = grade?.by === 'person' && !grade.imported && grade.correct === correct;
    return this.#do(async () => {
      await this.#services.runs.grade(this.id, isSame ? null : correct);
      await this.#read();
    });
  }

  /** Has the answer checked, exactly, from the question's own text. */
  check(): Promise<void> {
    return this.#do(async () => {
      await this.#services.runs.gradeBy(this.id, createPuzzleGrader(), this.#closing.signal);
      await this.#read();
    });
  }

  /** @returns whether it is gone */
  async delete(): Promise<boolean> {
    let isGone = false;
    await this.#do(async () => {
      await this.#services.runs.delete(this.id);
      forgetPlan(this.id);
      isGone = true;
    });
    return isGone;
  }

  async #do(verb: () => Promise<void>): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    this.fault = null;
    try {
      await verb();
    } catch (thrown) {
      // The user declined: nothing was asked for after all.
      if (!isAbort(thrown)) this.fault = toFault(thrown);
    } finally {
      this.isBusy = false;
    }
  }

  async #read(): Promise<void> {
    this.#readings += 1;
    try {
      const opened = await this.#services.runs.open(this.id);
      if (this.#isClosed) return;
      this.isMissing = opened === null;
      if (!opened) return;
      if (this.replay) this.replay.catchUp(opened.events);
      else this.replay = new Replay(new Timeline(opened.events), this.#frames);
    } catch (thrown) {
      this.fault = toFault(thrown);
    } finally {
      this.#readings -= 1;
    }
  }

  /** Follows a run at work. Its events wait for the next frame, so that text never comes faster than it can be drawn. */
  #watch(live: LiveRun): void {
    if (this.#isClosed) return;
    this.#leaveLive();
    const view = new LiveRunView(live, this.#frames);
    const leave = live.subscribe((_run, event) => {
      this.#heard.push(event);
      this.#frame ??= this.#frames.requestAnimationFrame(() => this.#takeIn());
    });
    this.live = view;
    this.#leaveLive = () => {
      leave();
      view.close();
    };
  }

  #takeIn(): void {
    if (!this.replay || this.#readings > 0) {
      this.#frame = this.#frames.requestAnimationFrame(() => this.#takeIn());
      return;
    }
    this.#frame = null;
    const heard = this.#heard;
    this.#heard = [];
    this.replay.append(heard);
  }
}
