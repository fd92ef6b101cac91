/**
 * @file The state of a run's page, and the user's actions on the run. Reads the run from storage. While
 * the run is executed in this tab (*live*), also follows its events.
 */
import { isAbort, isOwnGrade, toFault, type Annotation, type Fault, type StoredEvent } from '../../core/contract';
import { createPuzzleGrader } from '../../core/graders/puzzle';
import type { ForkPoint } from '../../core/runs/fork';
import type { LiveRun } from '../../core/runs/live-run';
import type { RunServices, StorageServices } from '../services';
import { forgetPlan } from '../state/held-plan-memory';
import { LiveRunView } from '../state/live-run.svelte';
import { Redraw, type Frames } from '../state/redraw';
import { Replay } from './replay.svelte';
import { Timeline } from './timeline';
import type { ResumeOptions } from '../state/recovery-actions';

type Needed = Pick<RunServices, 'runs'> & Pick<StorageServices, 'notices'>;

export class SavedRun {
  readonly id: string;
  /** The replay of the run. `null`: the run has not been read, or there is no such run. */
  replay: Replay | null = $state.raw(null);
  /** The live run. Stays set after the run has ended. `null`: the run was never live while this page was open. */
  live: LiveRunView | null = $state.raw(null);
  isMissing = $state(false);
  /** Why the run could not be read, or why the last action failed. */
  fault: Fault | null = $state.raw(null);
  /** Whether an action is in progress. */
  isBusy = $state(false);

  readonly isRunning: boolean = $derived.by(() => this.replay?.whole?.status === 'running');
  /** Active time of the run so far, ms. While the run is live, this value also grows between events. */
  readonly end: number = $derived.by(() => Math.max(this.replay?.end ?? 0, this.isRunning ? (this.live?.now ?? 0) : 0));

  readonly #services: Needed;
  readonly #frames: Frames;
  #leave: (() => void)[] = [];
  #leaveLive: () => void = () => undefined;
  /** Live events that have not been added to `replay` yet. */
  #received: StoredEvent[] = [];
  readonly #redraw: Redraw;
  /** Number of reads in progress. During a read, `replay` may lack events that precede those in `#received`. */
  #readings = 0;
  readonly #closing = new AbortController();
  #isClosed = false;

  constructor(services: Needed, id: string, frames: Frames = window) {
    this.#services = services;
    this.#frames = frames;
    this.#redraw = new Redraw(frames, () => this.#applyReceived());
    this.id = id;
  }

  /** Reads the run, and subscribes to its changes. Call once. */
  async load(): Promise<void> {
    const { notices, runs } = this.#services;
    const onNotice = (runId: string) => {
      if (runId === this.id) void this.#read();
    };
    this.#leave.push(
      notices.listen(onNotice),
      notices.listenAll(() => void this.#read()),
      runs.listen(onNotice),
    );
    const live = this.#services.runs.live(this.id);
    if (live) this.#watch(live);
    await this.#read();
  }

  /** Reads the run again, after other code has changed it. */
  refresh(): Promise<void> {
    return this.#read();
  }

  /** Unsubscribes from everything. A live run continues. */
  close(): void {
    this.#isClosed = true;
    this.#closing.abort();
    for (const leave of this.#leave) leave();
    this.#leaveLive();
    this.replay?.pause();
    this.#redraw.close();
  }

  stop(): void {
    this.live?.stop();
  }

  /**
   * Resumes the run in this tab.
   * @param before is called first, e.g. to store a missing key. If this call fails, the run is not resumed
   * @param raised caps to raise for this run
   */
  async resume({ before, raised }: ResumeOptions = {}): Promise<void> {
    await this.#do(async () => {
      await before?.();
      this.#watch(await this.#services.runs.resume(this.id, raised));
      await this.#read();
    });
  }

  /**
   * Starts a new run from a step of this run.
   * @returns the id of the new run. `null`: the new run did not start
   */
  async fork(point: ForkPoint): Promise<string | null> {
    let id: string | null = null;
    await this.#do(async () => {
      id = (await this.#services.runs.fork(this.id, point)).id;
    });
    return id;
  }

  /** Grades the run. If the user has already given this grade, removes the grade. */
  async grade(correct: boolean): Promise<void> {
    const { grade } = this.replay?.whole ?? {};
    // Only the user's own grade is removed. A grade by a check, a judge or an import is replaced by the
    // user's grade.
    const isSame = isOwnGrade(grade) && grade?.correct === correct;
    await this.#do(async () => {
      await this.#services.runs.grade(this.id, isSame ? null : correct);
      await this.#read();
    });
  }

  /**
   * Changes the comment on the user's own grade. An empty text removes the comment.
   * @returns whether the change was stored
   */
  comment(text: string): Promise<boolean> {
    const correct = this.replay?.whole?.grade?.correct ?? null;
    return this.#do(async () => {
      await this.#services.runs.grade(this.id, correct, 'person', text);
      await this.#read();
    });
  }

  /** Changes the title, the note or the star. @returns whether the change was stored */
  annotate(change: Partial<Annotation>): Promise<boolean> {
    return this.#do(async () => {
      await this.#services.runs.annotate(this.id, change);
      await this.#read();
    });
  }

  /** Adds a tag if `on` is true, else removes the tag. @returns whether the change was stored */
  tag(label: string, on: boolean): Promise<boolean> {
    return this.#do(async () => {
      await this.#services.runs.label(this.id, label, on);
      await this.#read();
    });
  }

  /** Checks the answer and grades the run. Sets `fault` if the question is not a puzzle. */
  async check(): Promise<void> {
    await this.#do(async () => {
      await this.#services.runs.gradeBy(this.id, createPuzzleGrader(), this.#closing.signal);
      await this.#read();
    });
  }

  /** Deletes the run. @returns whether the run was deleted */
  delete(): Promise<boolean> {
    return this.#do(async () => {
      await this.#services.runs.delete(this.id);
      forgetPlan(this.id);
    });
  }

  /** Carries out an action, unless another action is in progress. @returns whether the action succeeded */
  async #do(verb: () => Promise<void>): Promise<boolean> {
    if (this.isBusy) return false;
    this.isBusy = true;
    this.fault = null;
    try {
      await verb();
      return true;
    } catch (thrown) {
      // An abort means that the user declined to continue the run or left the page. This is not a fault.
      if (!isAbort(thrown)) this.fault = toFault(thrown);
      return false;
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

  #watch(live: LiveRun): void {
    if (this.#isClosed) return;
    this.#leaveLive();
    const view = new LiveRunView(live, this.#frames);
    const leave = live.subscribe((_run, event) => {
      this.#received.push(event);
      this.#redraw.request();
    });
    this.live = view;
    this.#leaveLive = () => {
      leave();
      view.close();
    };
  }

  #applyReceived(): void {
    if (!this.replay || this.#readings > 0) {
      this.#redraw.request();
      return;
    }
    const received = this.#received;
    this.#received = [];
    this.replay.append(received);
  }
}
