/** @file The user's setup: added workers and preferences. Stored by platform/store, edited by the app. */
import type { Fault } from '../fault';
import { picked } from '../picked';
import { defaultsOf, SETTINGS, type SettingName, type ValuesOf } from '../run/setting-table';
import type { Caps } from '../run/settings';
import type { EngineSpeed } from '../model/engine';
import type { ModelManifest } from '../model/local-engine';
import { MOST_THINKING, type ReasoningLevel } from './provider';
import type { PublishedRecord } from '../model/known-model';
import { NO_PROMPTS, type ConductorPrompts } from '../workflow/conductor-prompt';
import type { Role } from '../workflow/workflow';
import type { Domain } from './domain';
import type { PoolWorker, Price } from './worker';
import type { WorkerNumber, WorkerSampling } from './worker-sampling';

/**
 * A provider's limits as entered by the user. `null`: Podium learns the limit. At some providers, each model has its own limits.
 * At the others, all calls with the key share the limits.
 */
export interface RateLimits {
  /** Maximum concurrent calls. */
  readonly concurrent: number | null;
  readonly requestsPerMinute: number | null;
  /** Tokens of prompts and answers together. */
  readonly tokensPerMinute: number | null;
}

/** The limits if the user has entered none. */
export const LEARNED_LIMITS: RateLimits = { concurrent: null, requestsPerMinute: null, tokensPerMinute: null };

/**
 * The source and the date (`2026-11-21`) of a price.
 * - `person`: entered by the user. Such a price takes precedence over the other two
 * - `provider`: from the provider's own list of models
 * - `table`: from the table bundled with Podium
 */
export interface PriceOrigin {
  readonly by: 'person' | 'provider' | 'table';
  readonly date: string;
  readonly source?: string;
}

/** A price from the table bundled with Podium. */
export interface KnownPrice {
  readonly price: Price;
  readonly date: string;
  readonly source: string;
  /** The condition under which the price applies. Absent: it always applies. */
  readonly note?: string;
}

/** A model that an address offers. */
export interface ListedModel {
  readonly id: string;
  /** The price in the provider's list. */
  readonly price?: Price;
  /** Whether the model accepts images, as stated by the provider. Absent: not stated. */
  readonly canSee?: boolean;
  /** Tokens of prompt and answer together. */
  readonly contextWindow?: number;
  /** Maximum tokens of an answer. */
  readonly maxOutput?: number;
  /** Names of the request fields that the model accepts, such as `temperature`. */
  readonly parameters?: readonly string[];
  /** Whether the list shows that the model writes no text, such as an embedding model. Absent: no. */
  readonly isSilent?: boolean;
}

/** What the provider's list said of a worker's model when it was read last, beyond the worker's own fields. */
export interface ListedFacts extends Pick<ListedModel, 'maxOutput' | 'parameters'> {
  /** Whether the list no longer has the model. */
  readonly isGone?: boolean;
  /** The price before the list changed it, until the user has seen the change. */
  readonly priceBefore?: Price;
}

/** The server at an address that the user entered. */
export interface FoundServer {
  /** The address, with `/v1` if the server answers only there. */
  readonly baseUrl: string;
  readonly models: readonly ListedModel[];
  /** Why the server has no list of models. `null`: it has one. */
  readonly unlisted: Fault | null;
}

/** A server that was looked for on this computer. */
export interface LocalServer {
  /** Id of the provider's preset. */
  readonly provider: string;
  readonly baseUrl: string;
  /** `open`: the page can call it. `locked`: it needs a key. `closed`: it refuses calls from this page. */
  readonly state: 'open' | 'locked' | 'closed';
  /** Number of its models. */
  readonly models: number;
  /** What the user can do about a server that is not open. */
  readonly advice: string;
}

/** The ranges of numbers in a worker's setup, in the form and in files. Absent numbers have no value. */
export const SETUP_NUMBERS = {
  /** Maximum tokens of thinking. Replaces `reasoning` if the provider accepts a budget. Absent: no budget. */
  reasoningTokens: { least: 0, most: MOST_THINKING, whole: true },
  /** The model's context window in tokens. Absent: unknown. Stored setups may have any value from 1. */
  contextWindow: { least: 1, most: 100_000_000, whole: true, stored: { least: 1, whole: true } },
  /** Longest wait for the first text of an answer, in seconds. Absent: Podium's default. */
  firstByteSeconds: { least: 1, most: 3600, whole: true },
} as const satisfies Readonly<Record<string, WorkerNumber>>;

/** The values of `SETUP_NUMBERS`. */
export type SetupNumbers = { readonly [Name in keyof typeof SETUP_NUMBERS]?: number };

export const SETUP_NUMBER_NAMES = Object.keys(SETUP_NUMBERS) as readonly (keyof SetupNumbers)[];

/** A worker added by the user: any OpenAI-compatible endpoint. */
export interface WorkerSetup extends SetupNumbers {
  readonly id: string;
  readonly name: string;
  readonly mark: string;
  readonly colour: number;
  /** Id of the worker’s connection, whose key, address and limits apply. Absent only in pool files. */
  readonly connection?: string;
  /** The address without a trailing slash, such as `http://localhost:11434/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly price: Price | null;
  /** The source of the price. Absent: unknown, or there is no price. */
  readonly priced?: PriceOrigin;
  readonly description: string;
  readonly needsKey: boolean;
  /** Id of the provider's preset. Absent: detected from the address. */
  readonly provider?: string;
  /** See `Connection`. */
  readonly extraNames?: readonly string[];
  /** How much the model should think. Absent or `null`: the model's default. */
  readonly reasoning?: ReasoningLevel | null;
  /** The worker's own sampling settings. For absent fields, the run's settings apply. */
  readonly sampling?: WorkerSampling;
  /** The system message of the worker's steps. It is not sent when the worker plans or judges. Absent: none. */
  readonly system?: string;
  /** Fields that every call to the worker contains in addition. See `extra-fields.ts`. Absent: none. */
  readonly extraFields?: Readonly<Record<string, unknown>>;
  /** Maximum cost of a call in US dollars beyond its tokens, because of these fields. Absent: none. */
  readonly extraUsd?: number;
  /** The provider's limits. Absent: Podium learns all limits. */
  readonly limits?: RateLimits;
  /** Absent: the provider's list has not been read. */
  readonly listed?: ListedFacts;
  /** Whether the worker receives the images of a question. Absent: no. */
  readonly canSee?: boolean;
  /**
   * The family in `models/known/` that the user assigned to the model. `null`: no family. Absent: matched by the model's id.
   */
  readonly knownAs?: string | null;
  /** Declared strength for each domain, 0 to 1. */
  readonly domains?: Partial<Record<Domain, number>>;
  /** Declared strength for each role, 0 to 1. */
  readonly strengths?: Partial<Record<Role, number>>;
  /**
   * Whether the worker came from a file and the user has not confirmed it yet. Such a worker is not called, is not in the pool,
   * and is not used as the Conductor. Absent: the user entered or confirmed the worker.
   */
  readonly unconfirmed?: boolean;
}

/** Ids of built-in workers and Conductors, and ids of keys that do not belong to a worker yet. */
const RESERVED_IDS =
  /^((python|policy|heuristic|by-hand|conductor)$|(sim|local|template|provider|endpoint|recorded|conductor):|(policy|ranked)\+)/;

/** Whether an id is reserved, so that an added worker can never have it. */
export function isReservedWorkerId(id: string): boolean {
  return RESERVED_IDS.test(id);
}

/**
 * The worker as a run records it. Does not throw: an invalid address has the origin `''`.
 * @param published the published facts about the worker's model, see `publishedRecord`. Default: no facts
 */
export function toPoolWorker(setup: WorkerSetup, published: PublishedRecord | null = null): PoolWorker {
  return {
    ...picked(setup, RECORDED_FIELDS),
    kind: 'endpoint',
    origin: originOf(setup.baseUrl),
    ...(setup.description === '' ? {} : { description: setup.description }),
    ...(setup.canSee ? { canSee: true } : {}),
    ...(reachesWeb(setup) ? { web: true } : {}),
    price: chargedPrice(setup),
    ...thinkingOf(setup),
    ...(published ? { published } : {}),
  };
}

/** The price of a worker's calls, with the extra cost of its fields. */
export function chargedPrice({ price, extraUsd }: Pick<WorkerSetup, 'price' | 'extraUsd'>): Price | null {
  return price && extraUsd ? { ...price, perCall: extraUsd } : price;
}

/** The extra fields with which a provider searches the web. */
export const WEB_FIELDS = ['plugins', 'web_search_options', 'search_parameters', 'search_settings', 'compound_custom'];

/** Whether calls to a worker may search the web: because of a field, or because of the suffix that OpenRouter has for this. */
export function reachesWeb({ extraFields = {}, model }: Pick<WorkerSetup, 'extraFields' | 'model'>): boolean {
  return WEB_FIELDS.some((field) => field in extraFields) || model.endsWith(':online');
}

/** The fields that a run records unchanged. */
const RECORDED_FIELDS = [
  'id',
  'name',
  'mark',
  'colour',
  'model',
  'strengths',
  'domains',
  'contextWindow',
  'sampling',
  'system',
] as const satisfies readonly (keyof WorkerSetup & keyof PoolWorker)[];

function thinkingOf({ reasoning = null, reasoningTokens }: WorkerSetup): Pick<PoolWorker, 'thinks'> {
  if (reasoningTokens !== undefined) return { thinks: reasoningTokens > 0 };
  return reasoning === null ? {} : { thinks: reasoning !== 'off' };
}

/** The origin of an address, or `''` if the address is not a URL. */
export function originOf(address: string): string {
  try {
    return new URL(address).origin;
  } catch {
    return '';
  }
}

/** Storage for the user's workers. */
export interface WorkerSetups {
  list(): Promise<readonly WorkerSetup[]>;
  put(setup: WorkerSetup): Promise<void>;
  delete(id: string): Promise<void>;
}

/** Manifests of models added by the user. */
export interface OwnModels {
  /** The manifests sorted by label, without unreadable manifests. */
  list(): Promise<readonly ModelManifest[]>;
  put(manifest: ModelManifest): Promise<void>;
  delete(id: string): Promise<void>;
}

/**
 * Headers that are sent with every request of a connection, by name. A name that begins with `?` is a query parameter. The values
 * are secrets, like the key.
 */
export type Extras = Readonly<Record<string, string>>;

/** Keys of connections, by `keyIdOf`. Each key is sent only to the origin for which it was entered. */
export interface KeySource {
  /** The key for an origin. `null` if there is no key, or if the key was entered for another origin. */
  get(id: string, origin: string): string | null;
  set(id: string, origin: string, key: string): void;
  forget(id: string): void;
  /**
   * Whether the vault is locked. If it is, a key that `get` doesn't find may be in the vault. Absent: there
   * is no vault.
   */
  isLocked?(): boolean;
  /** Resolves when all changes are on disk. On failure, rejects with a `FaultError`. Absent: keys are never stored. */
  settled?(): Promise<void>;
}

/** The user's settings. The defaults of new runs are among them. */
export interface Preferences extends ValuesOf<typeof SETTINGS> {
  readonly theme: 'system' | 'light' | 'dark';
  /** Id of the Conductor that the user chose. `null`: automatic, see `core/conductor/default-conductor.ts`. */
  readonly conductor: string | null;
  /** Ids of the workers in the pool. `null` until the user has chosen. */
  readonly pool: readonly string[] | null;
  /**
   * The pool that the Practice switch restores. While the practice pool is in use, this is the real pool.
   * Otherwise, this is the practice pool. `null`: the switch selects default workers.
   */
  readonly otherPool: readonly string[] | null;
  /** Id of the worker that also answers alone. `null`: the worker with the highest known ability. See `aloneShare`. */
  readonly aloneWorker: string | null;
  readonly caps: Caps;
  readonly prompts: ConductorPrompts;
  /** Whether *Private* is on: no server may be called. */
  readonly isPrivate: boolean;
  /** Whether a grammar forces the plans of local models into the form of a workflow. */
  readonly grammar: boolean;
  /** Id of the last loaded local model. The page offers it again, but never loads it automatically. */
  readonly model: string | null;
  /** Id of the sentence model in use. `null`: no model is in use. */
  readonly sentenceModel: string | null;
  /** Speed of each local model's newest answer on this machine, by the model's id. */
  readonly speeds: Readonly<Record<string, EngineSpeed>>;
  /** Id of the saved policy that the trained Conductor uses. `null`: the bundled policy. */
  readonly policy: string | null;
  /** The user's saved filters of runs, in the order in which they were saved. */
  readonly runFilters: readonly SavedRunFilter[];
  /** The user's saved pools, in the order in which they were saved. */
  readonly savedPools: readonly SavedPool[];
  /** Settings from a backup that the user has not confirmed yet. `null`: there are no such settings. */
  readonly restored: RestoredSettings | null;
}

/**
 * A pool that the user has named. Names are unique. It has only the ids of its workers, so a removed worker leaves every saved pool,
 * and returns to it with a backup.
 */
export interface SavedPool {
  readonly name: string;
  readonly workers: readonly string[];
}

/** Maximum number of saved pools, and maximum characters of a name. */
export const SAVED_POOL_LIMITS = { count: 50, name: 60 } as const;

/** A filter of runs that the user has named. Names are unique. */
export interface SavedRunFilter {
  readonly name: string;
  /** The filter as a URL query, such as `grade=wrong&tag=hard`. */
  readonly query: string;
}

/** Maximum number of saved filters, and maximum characters of a name and of a query. */
export const RUN_FILTER_LIMITS = { count: 50, name: 60, query: 4000 } as const;

/**
 * The settings from a backup that wait for the user's confirmation, because they would share, spend or trust
 * more than the current settings. See `restored-settings.ts`.
 */
export type RestoredSettings = Partial<
  Pick<Preferences, 'conductor' | 'pool' | 'otherPool' | 'caps' | 'isPrivate' | 'prompts' | SettingName>
>;

export const DEFAULT_PREFERENCES: Preferences = {
  ...defaultsOf(SETTINGS),
  theme: 'system',
  conductor: null,
  pool: null,
  otherPool: null,
  aloneWorker: null,
  caps: { rounds: 2, calls: 16, tokens: null, usd: null },
  prompts: NO_PROMPTS,
  isPrivate: false,
  grammar: true,
  model: null,
  sentenceModel: null,
  speeds: {},
  policy: null,
  runFilters: [],
  savedPools: [],
  restored: null,
};

export interface PreferencesStore {
  /** Reads the preferences. Fields that can't be read get the values that `parsePreferences` describes. */
  read(): Promise<Preferences>;
  /** Writes these fields. All other fields stay unchanged on disk, because another tab may have changed them. */
  write(fields: Partial<Preferences>): Promise<void>;
}

/** One result of a worker test. Results are listed in test order. */
export interface WorkerCheck {
  readonly name: 'address' | 'key' | 'model' | 'answer' | 'streaming' | 'usage' | 'sampling' | 'reasoning';
  readonly state: 'running' | 'passed' | 'failed' | 'unknown';
  /** The result, or the problem and how to fix it. */
  readonly detail: string;
  readonly fault?: Fault;
  /** A corrected address, at which the server answers. */
  readonly correction?: string;
}

/** Tests a worker before it is used. */
export interface WorkerTester {
  test(setup: WorkerSetup, key: string | null, signal: AbortSignal, extras?: Extras | null): AsyncIterable<WorkerCheck>;
  /**
   * The models that the address offers. On failure, rejects with a `FaultError`.
   * @param provider id of the preset. Default: detected from the address
   */
  models(
    baseUrl: string,
    key: string | null,
    signal: AbortSignal,
    provider?: string,
    extras?: Extras | null,
  ): Promise<readonly ListedModel[]>;
  /**
   * Checks an address and a key by listing the models. Rejects with a `FaultError` that explains what to do if the server can't be
   * called or refuses the key.
   */
  connect(
    baseUrl: string,
    key: string | null,
    signal: AbortSignal,
    provider?: string,
    extras?: Extras | null,
  ): Promise<FoundServer>;
  /** Looks for servers at the usual addresses on this computer. */
  findLocal(signal: AbortSignal): Promise<readonly LocalServer[]>;
}
