/**
 * @file The index of saved runs, for searching, filtering, sorting and counting runs. The index is derived from the runs, and can
 * be rebuilt.
 */
import type { Reward } from '../run/reward';
import type { RunStatus } from '../run/state';
import type { RunSummary } from '../run/summary';
import type { Domain } from '../worker/domain';
import type { ConductorKind } from '../workflow/conductor-info';
import type { CheckCounts } from '../workflow/check-trust';
import type { Role } from '../workflow/workflow';
import type { ProgressListener } from './archive';
import type { Nearness } from './nearness';

/**
 * The shape of a workflow, according to the access lists and roles of its steps. If several shapes apply, `core/analysis/shape`
 * defines which shape counts.
 *
 * - `one step`: a single step.
 * - `chain`: each step sees the step before it.
 * - `fan-in`: the last step sees at least two steps that do not depend on each other.
 * - `plan-execute`: the first step plans, and the last step depends on this plan.
 * - `verify-refine`: a step checks the result of an earlier step, and a later step corrects this result.
 * - `debate`: at least two steps answer independently of each other. At least two later steps see all these
 *   answers, and do not depend on each other either. The last step depends on these later steps.
 * - `tree`: an earlier step combines results before the last step combines all results.
 * - `other`: anything else, such as a workflow with a step that no other step sees.
 */
export const SHAPES = [
  'one step',
  'chain',
  'fan-in',
  'plan-execute',
  'verify-refine',
  'debate',
  'tree',
  'other',
] as const;
export type Shape = (typeof SHAPES)[number];

/** A step as the index stores it: its last attempt, with the cost and tokens of all its attempts. */
export interface IndexedStep {
  readonly round: number;
  readonly step: number;
  readonly workerId: string;
  /** Name of the worker. Empty in damaged runs. */
  readonly worker: string;
  /** Host of the worker's server, or `local`, `simulated`, `recorded`, `tool`, `conductor`. Empty in damaged runs. */
  readonly provider: string;
  readonly role: Role;
  readonly outcome: 'finished' | 'failed' | 'skipped' | 'settled' | 'reused' | 'cancelled' | 'unfinished';
  /** Number of calls after the first. */
  readonly retries: number;
  readonly tokens: number;
  /** US dollars of calls of known cost. */
  readonly usd: number;
  /** Calls of unknown cost. */
  readonly unpriced: number;
  /**
   * Time in ms from the first call until the last call ended, without interruptions of the run. 0: no call was made, or the last
   * call has not ended.
   */
  readonly time: number;
  /** Time from sending the last call until the first part of its answer, ms. `null`: no part arrived. */
  readonly latency: number | null;
  /** For checks: the number of right and wrong answers that they gave each verdict. Absent: no answer whose truth is known. */
  readonly checks?: CheckCounts;
}

/** A run as the index stores it, without its texts. */
export interface IndexedRun {
  readonly summary: RunSummary;
  readonly conductorKind: ConductorKind;
  readonly domain: Domain;
  /** Shape of the first round's workflow. `null`: no plan. */
  readonly shape: Shape | null;
  /**
   * Whether a grammar forced the first plan into the form of a workflow. `null`: no model wrote the first
   * plan.
   */
  readonly grammar: boolean | null;
  /** Cost of the calls for plans, US dollars. Includes candidates, retries and plans that were replaced. */
  readonly planUsd: number;
  /** Cost of calls after the run, US dollars: comparisons of answers, and the answer of one worker alone. Part of `summary.usd`. */
  readonly laterUsd: number;
  /** Cost of calls to judges, US dollars. `summary.usd` does not include this cost. */
  readonly judgeUsd: number;
  /** Number of calls to judges with unknown cost. `summary.unpriced` does not include these calls. */
  readonly judgeUnpriced: number;
  readonly parentId: string | null;
  readonly dataset: string | null;
  readonly method: string | null;
  readonly gradedBy: 'person' | 'grader' | null;
  /** All steps of all rounds, except steps that only start the next round. */
  readonly steps: readonly IndexedStep[];
}

/** The searchable texts of a run. */
export interface IndexedTexts {
  readonly question: string;
  readonly answer: string;
  /** Title, note, labels, and the comment on the grade, each on its own line. */
  readonly notes: string;
  readonly subtasks: readonly string[];
  readonly outputs: readonly string[];
}

/** Numbers from `least` to `most`, both included. `null`: no limit. */
export interface NumberRange {
  readonly least: number | null;
  readonly most: number | null;
}

export const GRADES = ['right', 'wrong', 'none'] as const;
export type GradeFilter = (typeof GRADES)[number];

export const VALIDITIES = ['valid', 'invalid', 'unknown'] as const;
export type Validity = (typeof VALIDITIES)[number];

/** What a run spent money on. `discarded`: calls of steps whose plan was later replaced. `later`: calls after the run. */
export const PURPOSES = ['steps', 'plans', 'judges', 'discarded', 'later'] as const;
export type Purpose = (typeof PURPOSES)[number];

/** Conditions on one step of a run. A condition that is `null`, an empty list or `false` matches every step. */
export interface StepFilter {
  /** Name of the step's worker. An empty name matches steps of damaged runs, whose worker is unknown. */
  readonly worker: string | null;
  /** The step's worker must have none of these names. */
  readonly otherThan: readonly string[];
  readonly provider: string | null;
  readonly role: Role | null;
  /** Whether the step must have finished. */
  readonly isFinished: boolean;
  /** Whether the step's last call must have returned at least a part of an answer. */
  readonly hasContent: boolean;
}

/** Matches every step. */
export const ANY_STEP: StepFilter = {
  worker: null,
  otherThan: [],
  provider: null,
  role: null,
  isFinished: false,
  hasContent: false,
};

/**
 * Conditions on runs. All conditions must hold. A condition that is `null`, an empty list or a range without limits matches every
 * run. `workers`, `providers` and `roles` are conditions on steps. All three must hold for the same step.
 */
export interface RunFilter {
  /** Every word and every "quoted phrase" must occur in a text of the run. Case is ignored. */
  readonly words: string;
  /** Whether to search by meaning. If so, the run's question must be similar to `words`, but need not contain the words. */
  readonly byMeaning: boolean;
  /** Labels of Conductors. */
  readonly conductors: readonly string[];
  /** Names of workers. The worker of at least one step has one of these names. */
  readonly workers: readonly string[];
  readonly providers: readonly string[];
  readonly shapes: readonly Shape[];
  /** At least one step has one of these roles. */
  readonly roles: readonly Role[];
  /** Each condition must hold for some step, not necessarily the same step. */
  readonly steps: readonly StepFilter[];
  readonly domains: readonly Domain[];
  readonly grades: readonly GradeFilter[];
  readonly rewards: readonly Reward[];
  readonly validities: readonly Validity[];
  readonly statuses: readonly RunStatus[];
  /** The run has one of these labels. */
  readonly labels: readonly string[];
  /** Ids of batches. */
  readonly batches: readonly string[];
  /**
   * Whether a grammar forced the first plan into the form of a workflow. A run whose first plan was not
   * written by a model matches neither `true` nor `false`.
   */
  readonly grammar: boolean | null;
  /**
   * Whether the Conductor decided the plan and its workers. `false`: the plan is from a template or written by hand, or the run
   * has no steps.
   */
  readonly decided: boolean | null;
  /** Whether the cost of all calls is known, including calls to judges. */
  readonly priced: boolean | null;
  /** The run spent money on each of these purposes. */
  readonly spentOn: readonly Purpose[];
  readonly simulated: boolean | null;
  readonly imported: boolean | null;
  readonly starred: boolean | null;
  /** US dollars. For a run with calls of unknown cost, the known part of the cost counts. */
  readonly usd: NumberRange;
  /** Duration of the run without interruptions, ms. */
  readonly time: NumberRange;
  readonly rounds: NumberRange;
  /** Wall clock, ms since the epoch. */
  readonly startedAt: NumberRange;
  /** Cosine similarity with the words of a search by meaning. Other searches ignore this condition. */
  readonly similarity: NumberRange;
  /** Ids of runs to leave out, such as runs about to be deleted. */
  readonly without: readonly string[];
}

const ANY_NUMBER: NumberRange = { least: null, most: null };

/** Matches every run. */
export const ALL_RUNS: RunFilter = {
  words: '',
  byMeaning: false,
  conductors: [],
  workers: [],
  providers: [],
  shapes: [],
  roles: [],
  steps: [],
  domains: [],
  grades: [],
  rewards: [],
  validities: [],
  statuses: [],
  labels: [],
  batches: [],
  grammar: null,
  decided: null,
  priced: null,
  spentOn: [],
  simulated: null,
  imported: null,
  starred: null,
  usd: ANY_NUMBER,
  time: ANY_NUMBER,
  rounds: ANY_NUMBER,
  startedAt: ANY_NUMBER,
  similarity: ANY_NUMBER,
  without: [],
};

export const SORT_KEYS = [
  'startedAt',
  'question',
  'conductor',
  'shape',
  'steps',
  'time',
  'tokens',
  'usd',
  'grade',
  'reward',
  /** By similarity to the words of a search by meaning. In other searches, runs have no similarity. */
  'similarity',
] as const;
export type SortKey = (typeof SORT_KEYS)[number];

/** The order of runs. Runs with equal keys are sorted newest first. */
export interface RunSort {
  readonly by: SortKey;
  readonly descending: boolean;
}

export const NEWEST_FIRST: RunSort = { by: 'startedAt', descending: true };
export const NEAREST_FIRST: RunSort = { by: 'similarity', descending: true };

/** The default order of matching runs. */
export function defaultSortOf({ byMeaning }: Pick<RunFilter, 'byMeaning'>): RunSort {
  return byMeaning ? NEAREST_FIRST : NEWEST_FIRST;
}

/** Whether the filter compares questions by meaning. Without words there is nothing to compare with. */
export function comparesMeaning({ byMeaning, words }: Pick<RunFilter, 'byMeaning' | 'words'>): boolean {
  return byMeaning && words.trim() !== '';
}

export interface RunQuery {
  readonly filter: RunFilter;
  readonly sort: RunSort;
}

/** Sums over all runs that match a filter. */
export interface RunTotals {
  readonly runs: number;
  readonly right: number;
  readonly wrong: number;
  /** Number of runs without a grade. */
  readonly ungraded: number;
  readonly valid: number;
  readonly invalid: number;
  /** Number of runs with a reward. */
  readonly rewarded: number;
  /** Sum of the rewards. */
  readonly rewards: number;
  /** Cost in US dollars, without calls to judges. Sum of `summary.usd`. */
  readonly usd: number;
  /** The part of `usd` that comes from sample runs, whose prices are made up. */
  readonly madeUpUsd: number;
  /** Cost of judges, US dollars. */
  readonly judgeUsd: number;
  /** Number of calls of unknown cost, including calls to judges. */
  readonly unpriced: number;
  readonly tokens: number;
  /** Duration of the runs without interruptions, ms. */
  readonly time: number;
  readonly simulated: number;
  /**
   * Number of runs that contain all words of a quoted phrase, but whose texts were not searched for the whole
   * phrase yet. The other sums do not include these runs. The number is 0 unless `EarlyAnswer.early` is set.
   */
  readonly unsearched: number;
}

/** The values by which runs can be filtered, each with its number of runs, most frequent first. */
export interface RunFacets {
  readonly conductors: readonly FacetValue[];
  readonly workers: readonly FacetValue[];
  readonly providers: readonly FacetValue[];
  readonly labels: readonly FacetValue[];
  readonly batches: readonly FacetValue[];
}

export interface FacetValue {
  readonly value: string;
  readonly runs: number;
}

/** The progress of indexing. Until all runs are indexed, results cover the runs indexed so far. */
export interface IndexState {
  readonly indexed: number;
  readonly of: number;
}

export interface EarlyAnswer {
  /**
   * Whether to return before all texts are searched for a phrase. The result leaves out the runs that are not searched yet. The
   * next query resumes the search.
   */
  readonly early?: boolean;
}

/**
 * Searches, filters, sorts and counts all saved runs. Every asynchronous method rejects with a `FaultError` if it fails, and also
 * rejects on abort.
 */
export interface RunIndex {
  /** Sums over all runs that match. */
  totals(filter: RunFilter, signal: AbortSignal, options?: EarlyAnswer): Promise<RunTotals>;
  /** The sorted matches from index `from` on, at most `most` of them. */
  rows(
    query: RunQuery,
    from: number,
    most: number,
    signal: AbortSignal,
    options?: EarlyAnswer,
  ): Promise<readonly RunSummary[]>;
  /** Ids of all matches, sorted. */
  ids(query: RunQuery, signal: AbortSignal): Promise<readonly string[]>;
  /** The values by which all saved runs can be filtered. */
  facets(signal: AbortSignal): Promise<RunFacets>;
  /** Saved runs with the same question, newest first, without the run itself. */
  sameQuestion(runId: string, most: number, signal: AbortSignal): Promise<readonly RunSummary[]>;
  /** The saved runs of a run's conversation in order of their turns, with the run itself. Empty if it has no other runs. */
  thread(runId: string, signal: AbortSignal): Promise<readonly RunSummary[]>;
  /**
   * Computes the data of a figure over all runs that match, in the Web Worker of the index. `core/analysis/figures` names the
   * figures and validates their data.
   */
  figures(name: string, filter: RunFilter, signal: AbortSignal): Promise<unknown>;
  /** The similarities of the matches in a search by meaning. `null`: no sentence model is available, so nothing matches. */
  nearness(filter: RunFilter, signal: AbortSignal): Promise<Nearness | null>;
  /**
   * Computes and stores the missing vectors of a search by meaning: see `Nearness.missing`. Vectors computed before an abort
   * stay stored.
   */
  embedMissing(filter: RunFilter, onprogress: ProgressListener, signal: AbortSignal): Promise<void>;
  state(): IndexState;
  /**
   * Calls the listener when runs have been added, changed or removed, and when `state` changes.
   * @returns a function that unsubscribes
   */
  listen(listener: () => void): () => void;
}
