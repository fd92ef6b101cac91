/**
 * @file What the user has set up: workers they added, and a few preferences. Kept by platform/store, edited by the app.
 */
import type { Fault } from '../fault';
import { SETTING_DEFAULTS, type RunSettings } from '../run/settings';
import type { EngineSpeed } from '../model/engine';
import type { ModelManifest } from '../model/local-engine';
import type { ReasoningLevel } from './provider';
import type { PublishedRecord } from '../model/known-model';
import type { Role } from '../workflow/workflow';
import type { Domain } from './domain';
import type { PoolWorker, Price } from './worker';

/**
 * What the user says of a provider's limits; `null`: learnt. Counted over all calls with the same key there, whichever
 * worker makes them.
 */
export interface RateLimits {
  /** Calls under way at once. */
  readonly concurrent: number | null;
  readonly requestsPerMinute: number | null;
  /** Of prompts and answers together. */
  readonly tokensPerMinute: number | null;
}

/** Nothing is said: all is learnt. */
export const LEARNT_LIMITS: RateLimits = { concurrent: null, requestsPerMinute: null, tokensPerMinute: null };

/**
 * Where a price comes from, and of which day it is (`2026-11-21`).
 * - `person`: entered by the user, which counts more than anything else
 * - `provider`: from the provider's own list of models
 * - `table`: from the table that comes with Podium
 */
export interface PriceOrigin {
  readonly by: 'person' | 'provider' | 'table';
  readonly date: string;
  /** The page that states it. */
  readonly source?: string;
}

/** A price from the table that comes with Podium. */
export interface KnownPrice {
  readonly price: Price;
  readonly date: string;
  readonly source: string;
  /** What it holds for, where it does not hold for all. */
  readonly note?: string;
}

/** A model that an address offers. */
export interface ListedModel {
  readonly id: string;
  /** As the provider lists it. */
  readonly price?: Price;
  /** The provider says that it takes images. Absent: it does not say. */
  readonly canSee?: true;
}

/** A worker that the user added: any OpenAI-compatible endpoint. */
export interface WorkerSetup {
  readonly id: string;
  readonly name: string;
  readonly mark: string;
  readonly colour: number;
  /** e.g. `http://localhost:11434/v1`, without a trailing slash. */
  readonly baseUrl: string;
  readonly model: string;
  readonly price: Price | null;
  /** Where the price comes from. Absent: not known any more, or there is none. */
  readonly priced?: PriceOrigin;
  readonly description: string;
  /** Whether calls carry a key. Local servers need none. */
  readonly needsKey: boolean;
  /** Id of the provider's preset. Absent: told by the address. */
  readonly provider?: string;
  /** How much the model is asked to think. Absent or `null`: as it does by itself. */
  readonly reasoning?: ReasoningLevel | null;
  /** Absent: all is learnt. */
  readonly limits?: RateLimits;
  /** Whether the model can see, so that it is sent the images of a question. Absent: no. */
  readonly canSee?: boolean;
  /** The family in `models/known/` that the user says the model is; `null`: none. Absent: matched by the model's id. */
  readonly knownAs?: string | null;
  /** Declared strength for each domain, 0 to 1. */
  readonly domains?: Partial<Record<Domain, number>>;
  /** Declared strength for each role, 0 to 1. */
  readonly strengths?: Partial<Record<Role, number>>;
  /**
   * A file brought it, and the user has not confirmed it yet: it is not called, not in the pool, and does not conduct. Absent:
   * the user set it up or confirmed it.
   */
  readonly unconfirmed?: boolean;
}

/** Ids of workers that are built in, and names under which keys are kept before they belong to a worker. */
const RESERVED_IDS =
  /^((python|policy|heuristic|by-hand|conductor)$|(sim|local|template|provider|endpoint|conductor):|(policy|ranked)\+)/;

/** Whether an id can never be that of a worker that a user added. */
export function isReservedWorkerId(id: string): boolean {
  return RESERVED_IDS.test(id);
}

/**
 * As a run snapshots it. Throws nothing: an address that is no URL has the origin `''`.
 * @param published what is published of its model, see `publishedRecord`. Default: nothing
 */
export function toPoolWorker(setup: WorkerSetup, published: PublishedRecord | null = null): PoolWorker {
  const { id, name, mark, colour, model, price, strengths, domains } = setup;
  const description = setup.description === '' ? {} : { description: setup.description };
  const sight = setup.canSee ? { canSee: true } : {};
  return {
    id,
    name,
    mark,
    colour,
    kind: 'endpoint',
    model,
    origin: originOf(setup.baseUrl),
    price,
    ...description,
    ...sight,
    ...(strengths ? { strengths } : {}),
    ...(domains ? { domains } : {}),
    ...(published ? { published } : {}),
  };
}

/** The origin of an address, or `''` if it is no URL. */
export function originOf(address: string): string {
  try {
    return new URL(address).origin;
  } catch {
    return '';
  }
}

/** A worker that was removed keeps its place in saved runs, which hold their own snapshot. */
export interface WorkerSetups {
  list(): Promise<readonly WorkerSetup[]>;
  put(setup: WorkerSetup): Promise<void>;
  delete(id: string): Promise<void>;
}

/** Manifests of the models that the user added. */
export interface OwnModels {
  /** By label; what cannot be read is left out. */
  list(): Promise<readonly ModelManifest[]>;
  put(manifest: ModelManifest): Promise<void>;
  delete(id: string): Promise<void>;
}

/** Keys, each bound to the origin it was given for and sent nowhere else. */
export interface KeySource {
  /** The key of a worker for that origin, or `null` if there is none or it was given for another origin. */
  get(workerId: string, origin: string): string | null;
  set(workerId: string, origin: string, key: string): void;
  forget(workerId: string): void;
  /** Whether keys lie in a vault that is locked, so that one that is not found may be there. Absent: never. */
  isLocked?(): boolean;
  /** Resolves when all that was set and forgotten is so on disk, too. Rejects with a `FaultError`. Absent: nothing is kept. */
  settled?(): Promise<void>;
}

/** What new runs start with, as the user set it. `candidates` counts for Conductors that write or draw their plans. */
type RunPreferences = Pick<RunSettings, 'caps' | 'access' | 'recursion' | 'candidates' | 'choice' | 'approval'>;

export interface Preferences extends RunPreferences {
  readonly theme: 'system' | 'light' | 'dark';
  /** Id of the Conductor chosen last. */
  readonly conductor: string;
  /** Ids of the workers in the pool; `null` until the user has chosen. */
  readonly pool: readonly string[] | null;
  /** US dollars that all calls of a day may cost together; `null`: no cap. */
  readonly dayUsd: number | null;
  /** For workers; the paper's constrained runs use 0.2 and 4096. */
  readonly temperature: number;
  readonly maxTokens: number;
  /** For Conductors that write. `null`: the Conductor's own, higher where several plans should differ. */
  readonly planTemperature: number | null;
  /** Of every run. `null`: a new one each time. */
  readonly seed: number | null;
  /** Whether grades that came with a file count for worker history, plans and training. */
  readonly importedGrades: boolean;
  /** Only workers and Conductors that stay on this machine. */
  readonly isPrivate: boolean;
  /** Whether local models write under the grammar. */
  readonly grammar: boolean;
  /** Id of the local model that was loaded last. It is offered again, never loaded by itself. */
  readonly model: string | null;
  /** Id of the sentence model in use; `null`: none. */
  readonly sentenceModel: string | null;
  /** How fast each local model wrote its newest answer on this machine, by id. */
  readonly speeds: Readonly<Record<string, EngineSpeed>>;
  /** Id of the kept policy that the trained Conductor plans by; `null`: the one that comes with Podium. */
  readonly policy: string | null;
  /** What a backup brought and the user has not confirmed yet; `null`: nothing. */
  readonly restored: RestoredSettings | null;
}

/** Settings that send more to others, spend more or trust more than those in use: see `restored-settings.ts`. */
export type RestoredSettings = Partial<
  Pick<
    Preferences,
    | 'conductor'
    | 'pool'
    | 'caps'
    | 'dayUsd'
    | 'isPrivate'
    | 'approval'
    | 'recursion'
    | 'maxTokens'
    | 'candidates'
    | 'importedGrades'
  >
>;

/** The most plans to choose from. */
export const MOST_CANDIDATES = 5;

/** The largest seed: seeds are 32-bit, so that every engine takes them. */
export const MOST_SEED = 2 ** 32 - 1;

export const DEFAULT_PREFERENCES: Preferences = {
  ...SETTING_DEFAULTS,
  theme: 'system',
  conductor: 'policy',
  pool: null,
  caps: { rounds: 2, calls: 16, tokens: null, usd: null },
  dayUsd: null,
  recursion: false,
  temperature: 0.2,
  maxTokens: 4096,
  planTemperature: null,
  seed: null,
  importedGrades: false,
  isPrivate: false,
  grammar: true,
  model: null,
  sentenceModel: null,
  speeds: {},
  policy: null,
  restored: null,
};

export interface PreferencesStore {
  /** What cannot be read falls back, field by field, to the default. */
  read(): Promise<Preferences>;
  /** Writes these fields and leaves the others as they are on disk: another tab may have changed them. */
  write(fields: Partial<Preferences>): Promise<void>;
}

/** One finding of a worker's test, in the order in which they are made. */
export interface WorkerCheck {
  readonly name: 'address' | 'key' | 'model' | 'answer' | 'streaming' | 'usage' | 'reasoning';
  readonly state: 'running' | 'passed' | 'failed' | 'unknown';
  /** What was seen, or what failed and how to mend it. */
  readonly detail: string;
  readonly fault?: Fault;
}

/** Tries a worker out before it is relied on. */
export interface WorkerTester {
  test(setup: WorkerSetup, key: string | null, signal: AbortSignal): AsyncIterable<WorkerCheck>;
  /**
   * The models that the address offers, by id. Throws a `FaultError`.
   * @param provider id of the preset; default: told by the address
   */
  models(baseUrl: string, key: string | null, signal: AbortSignal, provider?: string): Promise<readonly ListedModel[]>;
}
