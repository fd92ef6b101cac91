/**
 * @file Defines the columns of the index of runs: the values that are stored for each run and for each step.
 * Some columns hold one-byte codes. `KINDS` and `FLAGS` list the meanings of these codes.
 */
import {
  CONDUCTOR_KINDS,
  DOMAINS,
  GRADES,
  ROLES,
  SHAPES,
  VALIDITIES,
  VERDICTS,
  type CheckCounts,
  type IndexedStep,
  type RunStatus,
} from '../../contract';
import type { Layout, Rows } from './growing';

export type RunNumber =
  | 'startedAt'
  /** Active time, ms. */
  | 'time'
  | 'tokens'
  /** Cost of all calls except judge calls, US dollars. `planUsd` is the part for plans, `laterUsd` for calls after the run. */
  | 'usd'
  | 'planUsd'
  | 'laterUsd'
  /** Cost of judges, US dollars. Not part of `usd`. */
  | 'judgeUsd'
  /** Number of judge calls of unknown cost. Not part of `unpriced`. */
  | 'judgeUnpriced'
  /** Number of calls of unknown cost, except judge calls. */
  | 'unpriced'
  | 'rounds'
  /** The run's number in its conversation. 1: the run is not a follow-up. */
  | 'turn'
  /** 0, 0.5 or 1. `NaN`: unknown. */
  | 'reward'
  /**
   * The hash of the question (`questionHashOf`). Runs with the same question have the same hash. The hash is also the
   * key of the question's vector.
   */
  | 'questionHash';

/** Columns of codes. A code is an index into a list of texts in `RunColumns.names`. */
export type RunCode = 'conductor' | 'batch' | 'dataset' | 'method' | 'parent' | 'question' | 'thread';

/**
 * Columns of one-byte codes. A code is an index into a list in `KINDS`. The exception is `flags`, a sum of
 * `FLAGS`.
 */
export type RunKind =
  'status' | 'grade' | 'validity' | 'shape' | 'domain' | 'conductorKind' | 'grammar' | 'gradedBy' | 'flags';

export type StepNumber =
  | 'tokens'
  | 'usd'
  | 'unpriced'
  /** Time from the start of the first call to the end of the last call, ms. */
  | 'time'
  /** Time from sending the last call until the first part of its answer arrived, ms. `NaN`: no part arrived. */
  | 'latency';

/**
 * `worker`, `workerId` and `provider` are codes of texts, as in `RunCode`. `checks` packs the counts of a check, see `packChecks`.
 * The other columns are plain numbers. `run` is the row of the step's run.
 */
export type StepCode = 'run' | 'worker' | 'workerId' | 'provider' | 'round' | 'step' | 'retries' | 'checks';
export type StepKind = 'role' | 'outcome';

export const RUN_LAYOUT: Layout<RunNumber, RunCode, RunKind> = {
  numbers: [
    'startedAt',
    'time',
    'tokens',
    'usd',
    'planUsd',
    'laterUsd',
    'judgeUsd',
    'judgeUnpriced',
    'unpriced',
    'rounds',
    'turn',
    'reward',
    'questionHash',
  ],
  codes: ['conductor', 'batch', 'dataset', 'method', 'parent', 'question', 'thread'],
  kinds: ['status', 'grade', 'validity', 'shape', 'domain', 'conductorKind', 'grammar', 'gradedBy', 'flags'],
};

export const STEP_LAYOUT: Layout<StepNumber, StepCode, StepKind> = {
  numbers: ['tokens', 'usd', 'unpriced', 'time', 'latency'],
  codes: ['run', 'worker', 'workerId', 'provider', 'round', 'step', 'retries', 'checks'],
  kinds: ['role', 'outcome'],
};

/**
 * The names of the dictionaries, which map codes to texts. There is one dictionary for each column of texts,
 * and one for the labels.
 */
export const NAMES = [
  'conductor',
  'batch',
  'dataset',
  'method',
  'parent',
  'question',
  'thread',
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
  'settled',
] as const satisfies readonly IndexedStep['outcome'][];

/** The values of each column of one-byte codes (`RunKind` and `StepKind`), except `flags`. */
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

export const FLAGS = { simulated: 1, imported: 2, starred: 4, recorded: 8, early: 16 } as const;

export type RunRows = Rows<RunNumber, RunCode, RunKind>;
export type StepRows = Rows<StepNumber, StepCode, StepKind>;

/** One byte for each row of `RunColumns.runs`: 1 if the run is selected, 0 if not. */
export type Selection = Uint8Array;

/**
 * The range of a run's items, which are its steps or its labels. `start` is the index of the first item. `end` is the index
 * after the last item.
 */
export interface Spans {
  start(run: number): number;
  end(run: number): number;
}

/**
 * Saved runs and their steps, stored by column. A row may hold a deleted run or an outdated version of a run, so use only
 * selected rows.
 */
export interface RunColumns {
  readonly runs: RunRows;
  readonly steps: StepRows;
  /** For each run, the range of its steps in `steps`. The steps of a run are in order. */
  readonly stepsOf: Spans;
  /** For each run, the range of its labels in `labels`. */
  readonly labelsOf: Spans;
  /** The labels of all runs, as indexes into `names.label`. */
  readonly labels: Uint32Array;
  /** The texts of each dictionary. The index of a text is its code. */
  readonly names: Readonly<Record<NameColumn, readonly string[]>>;
  /** The id of the run in each row of `runs`. */
  readonly ids: readonly string[];
}

/** Bits of each count in the column `checks`. A step of a workflow sees fewer answers than they can count. */
const COUNT_BITS = 5;
const MOST_COUNTED = 2 ** COUNT_BITS - 1;
const COUNTED = (['right', 'wrong'] as const).flatMap((side) => VERDICTS.map((verdict) => ({ side, verdict })));

/** The counts of a check as one number. 0: no answer whose truth is known. */
export function packChecks(checks: CheckCounts | undefined): number {
  if (!checks) return 0;
  return COUNTED.reduce(
    (packed, { side, verdict }, place) =>
      packed + Math.min(MOST_COUNTED, checks[side][verdict]) * 2 ** (COUNT_BITS * place),
    0,
  );
}

/** Adds the counts of a number from `packChecks` to a sum of counts. */
export function addChecks(sum: CheckCounts, packed: number): CheckCounts {
  return COUNTED.reduce((counts, { side, verdict }, place) => {
    const count = (packed >>> (COUNT_BITS * place)) & MOST_COUNTED;
    return count === 0 ? counts : { ...counts, [side]: { ...counts[side], [verdict]: counts[side][verdict] + count } };
  }, sum);
}
