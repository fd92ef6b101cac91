/** @file What a score draws: staves, notes, curves and the rest, placed. Lengths along the time axis are percent of the width. */
import type { PoolWorker } from '../../../core/contract';
import type { PartState, StepPlace } from './parts';

export type ScoreMode = 'time' | 'order';

/** px of a row, and of its line within it. Both belong to the drawing's own units; the style sheet's `--stave` is the same. */
export const ROW = 46;
const LINE = 32;

export interface Stave {
  readonly key: string;
  /** `null`: the Conductor. */
  readonly worker: PoolWorker | null;
  readonly name: string;
  /** 0, or 1, 2, … for further voices of the same worker. */
  readonly voice: number;
}

/** How a note is drawn. */
export type NoteLook = 'planned' | 'ghost' | 'pale' | 'live' | 'done' | 'failed' | 'halted';

export interface Note {
  readonly key: string;
  readonly place: StepPlace;
  readonly number: number;
  readonly row: number;
  readonly left: number;
  readonly width: number;
  /** Up to the next note of the row, or to the end. */
  readonly room: number;
  /** The next note of the row is its last and far to the right: on a narrow screen its words reach to the left, over this room. */
  readonly beforeLast: boolean;
  readonly state: PartState;
  readonly look: NoteLook;
  readonly colour: number;
  /** `''` where there is nothing to say. */
  readonly label: string;
  readonly detail: string;
  /** The full name: "Step 3, Verify, Cedar, finished, sees 1 and 2". */
  readonly name: string;
  /** Percent of the note's own width from where it is full; `null`: not yet. */
  readonly fullFrom: number | null;
  /** Attempts that failed, in percent of the note's own width. */
  readonly lost: readonly { readonly left: number; readonly width: number }[];
}

export interface PlanBar {
  readonly key: string;
  readonly left: number;
  readonly width: number;
  readonly label: string;
  readonly detail: string;
  readonly state: 'writing' | 'finished' | 'failed' | 'stopped';
}

/** The Conductor tells a worker its part: a dot on its stave and a drop to the worker's. */
export interface Cue {
  readonly key: string;
  readonly left: number;
  readonly row: number;
  /** Where the step begins, if it first waits. */
  readonly waitsTo: number | null;
}

/** Who sees what, as an SVG path in a drawing 100 wide and `height` high. */
export interface Curve {
  readonly key: string;
  readonly path: string;
  readonly colour: number;
  readonly ghost: boolean;
}

export interface Tick {
  readonly left: number;
  readonly label: string;
}

export interface ScoreView {
  readonly mode: ScoreMode;
  readonly staves: readonly Stave[];
  /** Of the drawing, in its own units. */
  readonly height: number;
  readonly plans: readonly PlanBar[];
  readonly notes: readonly Note[];
  /** Steps behind those that are not drawn. */
  readonly omitted: number;
  readonly cues: readonly Cue[];
  readonly curves: readonly Curve[];
  /** So many curves that each is drawn thinner. */
  readonly dense: boolean;
  readonly roundEnds: readonly { readonly round: number; readonly left: number }[];
  readonly ticks: readonly Tick[];
  readonly playhead: Tick | null;
  /** Percent of the width that stand for the whole run so far: a slider under the score is this wide. */
  readonly played: number;
}

/** The y of a row's line in the drawing. */
export function lineOf(row: number): number {
  return row * ROW + LINE;
}
