/** @file The state that the parts of a run's page share: the run, the moment of the playhead, and what the user selected. */
import { getContext, setContext } from 'svelte';
import { readPuzzle } from '../../core/tasks';
import type { Run } from '../../core/contract';
import type { ForkPoint } from '../../core/runs/fork';
import { scoreOf, type ScoreMode, type ScoreView } from '../score/view';
import type { StepPlace } from '../score/parts';
import type { Services } from '../services';
import { RunFiles } from '../state/run-files.svelte';
import type { Replay } from './replay.svelte';
import { SavedRun } from './saved-run.svelte';
import { defaultSelection, selectedPlace, selectionFrom, selectionOf, type Selection } from './selection';

export class RunView {
  readonly saved: SavedRun;
  readonly files: RunFiles;
  /** What the user selected. `null`: what `defaultSelection` selects. */
  chosen: Selection | null = $state.raw(null);
  mode: ScoreMode = $state('time');
  isDeleting = $state(false);
  /** The fork that awaits the user's confirmation. */
  forking: ForkPoint | null = $state.raw(null);

  readonly replay: Replay | null = $derived.by(() => this.saved.replay);
  /** The run with all its events, whatever the moment of the playhead. */
  readonly whole: Run | null = $derived.by(() => this.replay?.whole ?? null);
  /** The run at the moment of the playhead, or `null` before its first event. */
  readonly run: Run | null = $derived.by(() => this.replay?.run ?? null);
  readonly isLive: boolean = $derived.by(() => this.saved.isRunning && this.replay?.follows === true);
  readonly end: number = $derived.by(() => (this.isLive ? this.saved.end : (this.replay?.end ?? 0)));
  readonly time: number = $derived.by(() => (this.isLive ? this.saved.end : (this.replay?.time ?? 0)));
  readonly score: ScoreView | null = $derived.by(() => {
    const { whole, mode, isLive, time } = this;
    return whole && scoreOf(whole, { mode, ...(isLive ? { now: time } : { upTo: time }) });
  });
  readonly selection: Selection | null = $derived.by(
    () => this.chosen ?? (this.run ? defaultSelection(this.run) : null),
  );
  /** The selected step. A copied link to the run leads to it. */
  readonly place: StepPlace | null = $derived.by(() => selectedPlace(this.selection));
  /** The step to fork from, or `null` if forking isn't possible. */
  readonly forkPlace: StepPlace | null = $derived.by(() => {
    const { whole, selection } = this;
    if (!selection || !whole?.rounds[selection.round]?.plan?.workflow) return null;
    return { round: selection.round, step: selection.kind === 'step' ? selection.step : 0 };
  });
  /** Whether the answer can be checked automatically. */
  readonly isPuzzle: boolean = $derived.by(() => this.whole !== null && readPuzzle(this.whole.question.text) !== null);

  /** @param query the query of the page's address, which may name a step */
  constructor(services: Services, id: string, query: string | undefined) {
    this.saved = new SavedRun(services, id);
    this.files = new RunFiles(services);
    this.chosen = selectionFrom(query);
  }

  /** Moves the playhead to an event, and selects what the event is about. */
  goTo(index: number): void {
    this.replay?.seekEvent(index);
    this.#selectEvent(index);
  }

  /** Moves the playhead to the next or the previous event. */
  step(by: 1 | -1): void {
    const { replay } = this;
    replay?.step(by);
    const index = replay?.listed[replay.current];
    if (index !== undefined) this.#selectEvent(index);
  }

  playOrPause(): void {
    if (this.replay?.isPlaying) return this.replay.pause();
    this.chosen = null;
    this.replay?.play();
  }

  #selectEvent(index: number): void {
    const event = this.replay?.events[index];
    this.chosen = (event && selectionOf(event)) ?? this.chosen;
  }
}

const KEY = Symbol('run view');

export function provideRunView(view: RunView): RunView {
  return setContext(KEY, view);
}

/** Returns the state of the run's page. Call it while a component initializes. */
export function useRunView(): RunView {
  return getContext<RunView>(KEY);
}
