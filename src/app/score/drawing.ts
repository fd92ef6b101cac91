/**
 * @file Types of a score's view model: staves (lines, one or more for each worker), notes (steps) and curves.
 * Horizontal positions and widths are in percent of the score's width, unless noted.
 */
import type { PoolWorker } from '../../core/contract';
import type { PartState, StepPlace } from './parts';

export type ScoreMode = 'time' | 'order';

/** Height of a row in px. One px is one unit of the SVG's `viewBox`. Must equal `--stave` in `tokens.css`. */
export const ROW = 46;
/** Distance from the top of a row to its line, in px. */
const LINE = 32;

export interface Stave {
  readonly key: string;
  /** The mark of the worker. `null`: the Conductor. */
  readonly worker: Pick<PoolWorker, 'mark' | 'colour'> | null;
  readonly name: string;
  /** Number of this stave among the staves of its worker, from 0. A worker has several staves if its steps overlap. */
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
  /** Space from `left` to the next note of the row, or to the right edge. */
  readonly room: number;
  /**
   * Whether the next note in the row is the last one and far to the right. On a narrow screen, that note's label then extends to
   * the left, so this note has less space.
   */
  readonly beforeLast: boolean;
  readonly state: PartState;
  readonly look: NoteLook;
  readonly colour: number;
  /** `''`: no label. */
  readonly label: string;
  readonly detail: string;
  /** Accessible name: "Step 3, Verify, Cedar, finished, sees 1 and 2". */
  readonly name: string;
  /** Where the solid part of the note starts, in percent of the note's width. `null`: no solid part. */
  readonly fullFrom: number | null;
  /** Failed attempts, in percent of the note's width. */
  readonly failures: readonly { readonly left: number; readonly width: number }[];
  /** Pauses within the note, e.g. before a retry, in percent of the note's width. */
  readonly pauses: readonly { readonly left: number; readonly width: number }[];
}

/** A pause before a step's first call was sent, drawn to the left of its note. */
export interface WaitBar {
  readonly key: string;
  readonly row: number;
  readonly left: number;
  readonly width: number;
}

/** The bracket above the staves for one round. */
export interface RoundBracket {
  readonly round: number;
  readonly left: number;
  readonly width: number;
  readonly label: string;
  /** Accessible name: "Round 1, 3 steps, 8.2 s, handed over". */
  readonly name: string;
}

export interface PlanBar {
  readonly key: string;
  readonly left: number;
  readonly width: number;
  readonly label: string;
  readonly detail: string;
  readonly state: 'writing' | 'finished' | 'failed' | 'stopped';
}

/** A step's assignment to a worker: a dot on the Conductor's stave, and a line down to the worker's stave. */
export interface Cue {
  readonly key: string;
  readonly left: number;
  readonly row: number;
  /** Where the step starts, if it had to wait. `null`: the step started at once. */
  readonly waitsTo: number | null;
}

/** A curve from a step to a later step that sees its output. `path` uses a `viewBox` of 100 × `ScoreView.height`. */
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
  /** Height of the score's lines, in px. */
  readonly height: number;
  readonly plans: readonly PlanBar[];
  readonly notes: readonly Note[];
  /** Number of steps that aren't drawn, because there are too many. */
  readonly omitted: number;
  readonly cues: readonly Cue[];
  readonly waits: readonly WaitBar[];
  /** Empty if the run has a single round. */
  readonly rounds: readonly RoundBracket[];
  readonly curves: readonly Curve[];
  /** Whether curves are drawn thinner, because there are many. */
  readonly dense: boolean;
  readonly roundEnds: readonly { readonly round: number; readonly left: number }[];
  readonly ticks: readonly Tick[];
  readonly playhead: Tick | null;
  /** Width of the time axis, as in `Placing`. 100 if positions don't follow time. */
  readonly played: number;
}

/** Distance from the top of the score to a row's line, in px. */
export function lineOf(row: number): number {
  return row * ROW + LINE;
}
