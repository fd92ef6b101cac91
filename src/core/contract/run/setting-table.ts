/**
 * @file The settings that the user chooses for runs and plans, one entry for each setting. The types, defaults and schemas of
 * preferences and of recorded runs are derived from these entries. Their words are in `app/shared/setting-words.ts`.
 */
import type { Bounds } from '../worker/worker-sampling';
import { EFFORTS } from './effort';

interface EntryOf<Value> {
  /** The value until the user chooses another one. */
  readonly default: Value;
  /** The value of a run that was recorded before the setting existed. Absent: such a run is invalid, or has no value. */
  readonly older?: Value;
  /** The direction in which a backup may change the setting without the user's confirmation. Absent: both directions. */
  readonly restores?: 'lower' | 'higher';
  /** Whether the setting only affects plans by language models. Then other runs don't record it. */
  readonly modelsOnly?: boolean;
}

/** A setting with a few values. They are sorted in ascending order. */
export interface ChoiceEntry extends EntryOf<string | boolean> {
  readonly options: readonly (string | boolean)[];
}

/** A setting with a number as its value. */
export interface NumberEntry extends EntryOf<number | null>, Bounds {
  readonly least: number;
  readonly most: number;
  /** Whether the setting may be empty (`null`). A run then lacks it. */
  readonly optional?: boolean;
  /** The range in stored preferences and in pool files, if it is wider. */
  readonly stored?: Bounds;
  /** The range in recorded runs, if it is wider. */
  readonly recorded?: Bounds;
}

export type SettingEntry = ChoiceEntry | NumberEntry;
export type SettingTable = Readonly<Record<string, SettingEntry>>;

const SWITCH = [false, true] as const;

/** The largest seed. Seeds are 32-bit, so that every engine accepts them. */
export const MOST_SEED = 2 ** 32 - 1;

/** The settings that a run records and that a Conductor gets with the request for a plan. */
export const PLAN_SETTINGS = {
  /** Limits the size of a plan. See `EFFORT_LEVELS`. */
  effort: { options: EFFORTS, default: 'balanced', older: 'thorough', restores: 'lower' },
  /**
   * Which earlier steps a step may see (arXiv 2512.04388). `binary`: either no step or all earlier steps. This is
   * the paper's main scheme. `fine`: any selection of earlier steps, as in the paper's appendix B.8.
   */
  access: { options: ['binary', 'fine'], default: 'fine', older: 'fine' },
  /** Number of candidate workflows that the Conductor writes per round. One of them is executed. */
  candidates: { least: 1, most: 5, whole: true, default: 1, older: 1, recorded: {}, restores: 'lower' },
  /**
   * Who chooses among several candidate plans. `person`: the user. `vote`: Podium chooses the plan that the trained policy ranks
   * first. Without a ranking, Podium chooses a plan with the most common skeleton. A skeleton is the workers and the access of
   * all steps.
   */
  choice: { options: ['vote', 'person'], default: 'vote', older: 'vote' },
  /**
   * Sampling temperature of Conductors that are language models. Empty: the Conductor's default. The default is
   * higher if the Conductor writes several candidate plans, because these plans should differ.
   */
  planTemperature: {
    least: 0,
    most: 2,
    optional: true,
    default: null,
    stored: {},
    recorded: {},
    modelsOnly: true,
  },
  /**
   * Maximum number of retries after a model on a server writes an invalid plan. In Table 11 of the paper (arXiv 2512.04388),
   * retries are unlimited.
   */
  planRetries: { least: 0, most: 5, whole: true, default: 1, older: 1, restores: 'lower' },
  /** Time limit for a language model to write a plan, in seconds. Empty: no limit. */
  planSeconds: { least: 5, most: 3600, whole: true, optional: true, default: 300, modelsOnly: true },
} as const satisfies SettingTable;

/** The settings that a run records, in addition to `PLAN_SETTINGS`. */
const EXECUTION_SETTINGS = {
  /** Whether the Conductor may name itself as the worker of the last step, to request another round. */
  recursion: { options: SWITCH, default: false, restores: 'lower' },
  /**
   * What starts another round. `self`: the Conductor names itself as the worker of the last step. `rounds`: as `self`, but the
   * Conductor is asked for rounds of one or two steps, so that it sees their outputs before it plans the next ones. `always`: a second round always
   * follows the first round, and steps of the second round may see the first round. The published code of arXiv 2512.04388 works
   * like `always`. In a run with `always`, the Conductor does not need to name itself, so `recursion` is false.
   */
  recursionMode: { options: ['self', 'rounds', 'always'], default: 'self', older: 'self', restores: 'lower' },
  /** Whether a plan that calls a worker waits for the user's approval. */
  approval: { options: SWITCH, default: false, older: false, restores: 'higher' },
} as const satisfies SettingTable;

/** The settings that a run records. */
export const RUN_SETTINGS = { ...PLAN_SETTINGS, ...EXECUTION_SETTINGS };

/** All settings of this table. A run records the values of the last ones under other names, or not at all. */
export const SETTINGS = {
  ...RUN_SETTINGS,
  /** Sampling temperature of workers. The constrained runs of arXiv 2512.04388 use 0.2. */
  temperature: { least: 0, most: 2, default: 0.2, stored: { least: 0 } },
  /** Maximum tokens of a worker's answer. The constrained runs of arXiv 2512.04388 use 4,096. */
  maxTokens: {
    least: 16,
    most: 200_000,
    whole: true,
    default: 4096,
    stored: { least: 1, whole: true },
    restores: 'lower',
  },
  /** Daily budget for all calls together, in US dollars. Empty: no cap. */
  dayUsd: { least: 0, most: 10_000, optional: true, default: null },
  /** The seed of every run. Empty: each run draws a new seed. */
  seed: { least: 0, most: MOST_SEED, whole: true, optional: true, default: null },
  /** Whether a run skips steps whose answer a check has found right. A run with the effort `thorough` never does. */
  skipSettled: { options: SWITCH, default: true },
  /**
   * A check settles an answer only if “right” is right in at least this share of cases, in percent: the lower end of the 90 %
   * interval (`CheckTrust`). 0: each check settles.
   */
  trustBound: { least: 0, most: 99, whole: true, default: 85 },
  /**
   * Share of runs that go on after each check, in percent, so that the figures of checks stay true. Runs with only simulated
   * workers go on in `SIMULATED_GO_ON` percent, because they cost nothing.
   */
  goOnShare: { least: 0, most: 50, whole: true, default: 0, restores: 'lower' },
  /** Whether two cheap workers answer first, if the user has chosen no Conductor (`default-conductor.ts`). */
  scouts: { options: SWITCH, default: false },
  /**
   * Share of questions that one worker alone also answers, in percent. The user compares the two answers without knowing which is
   * which.
   */
  aloneShare: { least: 0, most: 100, whole: true, default: 0, restores: 'lower' },
  /** Whether the worker that answers alone answers once, or as often as the cost of the run allows. */
  aloneAnswers: { options: ['once', 'equal-cost'], default: 'once', restores: 'lower' },
  /** Whether imported grades count in worker history, plans and training. */
  importedGrades: { options: SWITCH, default: false, restores: 'lower' },
} as const satisfies SettingTable;

export type SettingName = keyof typeof SETTINGS;
export type RunSettingName = keyof typeof RUN_SETTINGS;

/** The values of an entry. */
export type ValueOf<Entry> = Entry extends { readonly options: readonly (infer Value)[] }
  ? Value
  : Entry extends { readonly optional: true }
    ? number | null
    : number;

/** The user's values of the settings in a table. */
export type ValuesOf<Table> = { readonly [Name in keyof Table]: ValueOf<Table[Name]> };

type Emptiable<Table> = { [Name in keyof Table]: null extends ValueOf<Table[Name]> ? Name : never }[keyof Table];

/** The values that a run records of the settings in a table. Absent: empty. */
export type RecordedOf<Table> = {
  readonly [Name in Exclude<keyof Table, Emptiable<Table>>]: ValueOf<Table[Name]>;
} & { readonly [Name in Emptiable<Table>]?: NonNullable<ValueOf<Table[Name]>> };

type DatedName = {
  [Name in RunSettingName]: 'older' extends keyof (typeof RUN_SETTINGS)[Name] ? Name : never;
}[RunSettingName];

/** The entries of a table with the names of its settings. */
export function entriesOf<Name extends string>(table: Readonly<Record<Name, SettingEntry>>): [Name, SettingEntry][];
export function entriesOf(table: SettingTable): [string, SettingEntry][] {
  return Object.entries(table);
}

/** The default of each setting in a table. */
export function defaultsOf<Table extends SettingTable>(table: Table): ValuesOf<Table>;
export function defaultsOf(table: SettingTable): object {
  return factsOf(table, 'default');
}

function factsOf(table: SettingTable, fact: 'default' | 'older'): object {
  return Object.fromEntries(
    Object.entries(table).flatMap(([name, entry]) => (entry[fact] === undefined ? [] : [[name, entry[fact]]])),
  );
}

/**
 * The values of settings that records of older versions and some callers omit. Marked as pure, so that the viewer of replay
 * files, which does not use it, leaves it out.
 */
export const SETTING_DEFAULTS = /* @__PURE__ */ olderValues();

function olderValues(): Pick<RecordedOf<typeof RUN_SETTINGS>, DatedName>;
function olderValues(): object {
  return factsOf(RUN_SETTINGS, 'older');
}
