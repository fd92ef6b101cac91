/**
 * @file Defines the columns of the index of runs: the values that are stored for each run and for each step. Also lists
 * the values of the columns that store small codes (`kinds`).
 */
import {
  CONDUCTOR_KINDS,
  DOMAINS,
  GRADES,
  ROLES,
  SHAPES,
  VALIDITIES,
  type IndexedStep,
  type RunStatus,
} from '../../contract';
import type { Layout, Rows } from './growing';

export type RunNumber =
  | 'startedAt'
  /** Active time, ms. */
  | 'time'
  | 'tokens'
  /** Cost of all calls except judge calls, US dollars. `planUsd` is the part that was spent on plans. */
  | 'usd'
  | 'planUsd'
  /** Cost of judges, US dollars. Not part of `usd`. */
  | 'judgeUsd'
  /** Number of judge calls of unknown cost. Not part of `unpriced`. */
  | 'judgeUnpriced'
  /** Number of calls of unknown cost, except judge calls. */
  | 'unpriced'
  | 'rounds'
  /** 0, 0.5 or 1. `NaN`: unknown. */
  | 'reward'
  /**
   * The hash of the question (`questionHashOf`). Runs with the same question have the same hash. The question's vector is also
   * found by this hash.
   */
  | 'questionHash';

/** Columns of codes. A code is an index into a list of texts in `RunColumns.names`. */
export type RunCode = 'conductor' | 'batch' | 'dataset' | 'method' | 'parent' | 'question';

/** Indexes into the lists of `KINDS`. `flags` is a sum of `FLAGS`. */
export type RunKind =
  'status' | 'grade' | 'validity' | 'shape' | 'domain' | 'conductorKind' | 'grammar' | 'gradedBy' | 'flags';

export type StepNumber =
  | 'tokens'
  | 'usd'
  | 'unpriced'
  /** From the first call until the output was complete, ms. */
  | 'time'
  /** From sending the last call until its first content, ms. `NaN`: no content came. */
  | 'latency';

/** `run` is the index of the step's run. `worker`, `workerId` and `provider` are codes of `RunColumns.names`. */
export type StepCode = 'run' | 'worker' | 'workerId' | 'provider' | 'round' | 'step' | 'retries';
export type StepKind = 'role' | 'outcome';

export const RUN_LAYOUT: Layout<RunNumber, RunCode, RunKind> = {
  numbers: [
    'startedAt',
    'time',
    'tokens',
    'usd',
    'planUsd',
    'judgeUsd',
    'judgeUnpriced',
    'unpriced',
    'rounds',
    'reward',
    'questionHash',
  ],
  codes: ['conductor', 'batch', 'dataset', 'method', 'parent', 'question'],
  kinds: ['status', 'grade', 'validity', 'shape', 'domain', 'conductorKind', 'grammar', 'gradedBy', 'flags'],
};

export const STEP_LAYOUT: Layout<StepNumber, StepCode, StepKind> = {
  numbers: ['tokens', 'usd', 'unpriced', 'time', 'latency'],
  codes: ['run', 'worker', 'workerId', 'provider', 'round', 'step', 'retries'],
  kinds: ['role', 'outcome'],
};

/** The dictionaries: one for each column whose codes stand for texts, and one for the labels. */
export const NAMES = [
  'conductor',
  'batch',
  'dataset',
  'method',
  'parent',
  'question',
  'worker',
  'workerId',
  'provider',
  'label',
] as const;
export type NameColumn = (typeof NAMES)[number];

const STATUSES = ['running', 'finished', 'failed', 'cancelled', 'interrupted'] as const satisfies readonly RunStatus[];
const OUTCOMES = [
  'finished',
  'failed',
  'skipped',
  'reused',
  'cancelled',
  'unfinished',
] as const satisfies readonly IndexedStep['outcome'][];

/**
 * The list of values for each column of small codes (`RunKind` and `StepKind`). A code is an index into the list of its column.
 */
export const KINDS = {
  status: STATUSES,
  grade: GRADES,
  validity: VALIDITIES,
  shape: SHAPES,
  domain: DOMAINS,
  conductorKind: CONDUCTOR_KINDS,
  /** Whether the first plan was generated with grammar-constrained decoding. */
  grammar: [false, true],
  gradedBy: ['person', 'grader'],
  role: ROLES,
  outcome: OUTCOMES,
} as const;

/** The code for a missing value in any column of `KINDS`, such as no shape or no grader. */
export const NO_KIND = 255;

export const FLAGS = { simulated: 1, imported: 2, starred: 4, recorded: 8 } as const;

export type RunRows = Rows<RunNumber, RunCode, RunKind>;
export type StepRows = Rows<StepNumber, StepCode, StepKind>;

/** One byte for each row of `RunColumns.runs`: 1 if the run is selected, 0 if not. */
export type Selection = Uint8Array;

/**
 * For each run, the range of its items (its steps or its labels): the index of the first item, and the index after the last
 * item.
 */
export interface Spans {
  start(run: number): number;
  end(run: number): number;
}

/**
 * Saved runs and their steps in columns, for the figures of the Analyze page. A row may contain a deleted run or an
 * outdated version of a run, so count only selected rows.
 */
export interface RunColumns {
  readonly runs: RunRows;
  readonly steps: StepRows;
  /** For each run, the range of its steps in `steps`. The steps of a run are in order. */
  readonly stepsOf: Spans;
  /** For each run, the range of its labels in `labels`. */
  readonly labelsOf: Spans;
  /** Indexes into `names.label`. */
  readonly labels: Uint32Array;
  /** Texts by code. */
  readonly names: Readonly<Record<NameColumn, readonly string[]>>;
  /** Ids of runs, by row. */
  readonly ids: readonly string[];
}
