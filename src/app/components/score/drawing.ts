/**
 * @file The view model of a score: staves (the lines of the workers), notes (the steps) and curves, with their positions. Lengths
 * along the time axis are in percent of the width.
 */
import type { PoolWorker } from '../../../core/contract';
import type { PartState, StepPlace } from './parts';

export type ScoreMode = 'time' | 'order';

/** Height of a row, in px and in drawing units. `--stave` in the style sheet has the same value. */
export const ROW = 46;
/** Distance of a row's line from the top of the row, in the same units. */
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
   * Whether the next note is the last of the row and far to the right. On a narrow screen, the label of that note extends to the
   * left, into the space of this note.
   */
  readonly beforeLast: boolean;
  readonly state: PartState;
  readonly look: NoteLook;
  readonly colour: number;
  /** `''` for no label. */
  readonly label: string;
  readonly detail: string;
  /** The full name: "Step 3, Verify, Cedar, finished, sees 1 and 2". */
  readonly name: string;
  /** Where the solid part of the note starts, in percent of its width. `null`: it has no solid part yet. */
  readonly fullFrom: number | null;
  /** Failed attempts, in percent of the note's width. */
  readonly failures: readonly { readonly left: number; readonly width: number }[];
  /** Pauses within the note, before a retry or for a limit, in percent of the note's width. */
  readonly pauses: readonly { readonly left: number; readonly width: number }[];
}

/** A pause before a step's first call was sent, drawn to the left of its note. */
export interface WaitBar {
  readonly key: string;
  readonly row: number;
  readonly left: number;
  readonly width: number;
}

/** A round as a bracket above the staves. */
export interface RoundBracket {
  readonly round: number;
  readonly left: number;
  readonly width: number;
  readonly label: string;
  /** The full name: "Round 1, 3 steps, 8.2 s, handed over". */
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

/** A step's assignment by the Conductor: a dot on the Conductor's stave, and a line down to the worker's stave. */
export interface Cue {
  readonly key: string;
  readonly left: number;
  readonly row: number;
  /** Position of the step's start, if the step had to wait. `null`: it started at once. */
  readonly waitsTo: number | null;
}

/** A curve from a step to a step that sees its output, as an SVG path in a drawing 100 wide and `height` high. */
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
  /** Height of the drawing, in its own units. */
  readonly height: number;
  readonly plans: readonly PlanBar[];
  readonly notes: readonly Note[];
  /** Number of further steps that aren't drawn. */
  readonly omitted: number;
  readonly cues: readonly Cue[];
  readonly waits: readonly WaitBar[];
  /** Empty for a single round. */
  readonly rounds: readonly RoundBracket[];
  readonly curves: readonly Curve[];
  /** Whether there are so many curves that each is drawn thinner. */
  readonly dense: boolean;
  readonly roundEnds: readonly { readonly round: number; readonly left: number }[];
  readonly ticks: readonly Tick[];
  readonly playhead: Tick | null;
  /** Width of the part of the run that has happened so far, in percent. The slider under the score has this width. */
  readonly played: number;
}

/** The y of a row's line in the drawing. */
export function lineOf(row: number): number {
  return row * ROW + LINE;
}
