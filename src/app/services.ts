/**
 * @file The interfaces that the page gets from the composition root. The app knows no implementation.
 */
import { getContext, setContext } from 'svelte';
import type {
  AddressCheck,
  LostRuns,
  ModelFolders,
  StorageEstimate,
  StorageUse,
  BackupContents,
  BackupOptions,
  ImportProgress,
  ProgressHeard,
  RestoreOptions,
  RestoreProgress,
  RunFileOptions,
  RunSize,
  ConductorInfo,
  FitVerdict,
  ImageFile,
  ImageStore,
  KeptPolicies,
  KeySource,
  KnownModel,
  KnownPrice,
  KeyVault,
  MachineProbe,
  ModelCache,
  ModelHost,
  ModelManifest,
  OwnModels,
  PolicyFile,
  PoolWorker,
  PreferencesStore,
  ProviderPreset,
  RunStore,
  SentenceModels,
  SignIn,
  Spending,
  WorkerSetup,
  WorkerSetups,
  WorkerTester,
  ChangeNotices,
  Conductor,
} from '../core/contract';
import type { ContinueQuestion, Runs } from '../core/runs';
import type { TrainingDesk } from '../core/training/orders';

/** A Conductor that can be chosen now, or why it cannot. */
/**
 * Where the menu lists a Conductor. `worker`: a worker writes the plan. `policy`: a model and the trained policy together.
 * `paper`: a baseline of arXiv 2512.04388. `podium`: a template of ours.
 */
export type ConductorGroup = 'built-in' | 'local' | 'worker' | 'policy' | 'paper' | 'podium';

export interface ConductorChoice {
  readonly info: ConductorInfo;
  /** One plain sentence. */
  readonly description: string;
  /** Whether it plans at once and without a call, so that its plan can stand there before Run. */
  readonly instant: boolean;
  /** As the list shows it. Default: the Conductor's own name. */
  readonly name?: string;
  /** Absent: above all groups. */
  readonly group?: ConductorGroup;
  /** Whether one worker does it all, so that the user may choose which: see `withWorker`. */
  readonly takesWorker?: boolean;
  /** Writes at least so many workflows to choose from, whatever the preferences say. Default 1. */
  readonly fewestCandidates?: number;
  /** Why it cannot conduct now; absent where it can. */
  readonly missing?: string;
}

/** A local model as it can be chosen, whether or not it is loaded. */
export interface OfferedModel {
  readonly manifest: ModelManifest;
  readonly phase: 'absent' | 'loading' | 'loaded';
  /** Where it runs; `null` unless it is loaded. */
  readonly device: 'webgpu' | 'wasm' | null;
}

/** What is known of models and of this machine. Comes late: it brings the manifests and their cache. */
export interface ModelDesk {
  readonly builtIn: readonly ModelManifest[];
  /** Id of the model that Podium is built around. */
  readonly favourite: string;
  /** Asks the browser what this machine has. */
  probe(): Promise<MachineProbe>;
  /** @param cached bytes of it that need not be fetched */
  fit(manifest: ModelManifest, machine: MachineProbe, all: readonly ModelManifest[], cached?: number): FitVerdict;
  readonly cache: ModelCache;
}

export interface ModelServices {
  readonly host: ModelHost;
  readonly own: OwnModels;
  readonly folders: ModelFolders<File>;
  readonly desk: () => Promise<ModelDesk>;
}

/** Training of the policy, and what came of it. */
export interface TrainingServices {
  readonly desk: TrainingDesk;
  readonly kept: KeptPolicies;
  /** The policy that comes with Podium. */
  shipped(): Promise<PolicyFile>;
  /** A file's content as a policy; `null` where it is none of this version. */
  read(file: unknown): PolicyFile | null;
}

/** Reads and writes the files. Streams are written as they are read, so that memory holds a page of them at most. */
export interface Archive {
  /** Everything but models' weights, gzipped. */
  backup(options: BackupOptions): ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Reads the whole file and changes nothing. Throws a `FaultError` if it is no backup, or of a later version. */
  inspect(file: Blob, signal: AbortSignal, heard?: ProgressHeard): Promise<BackupContents>;
  /**
   * Takes a backup in, each run whole or not at all. Left early or aborted, what has come so far stays, and what was to be
   * replaced is still there: what the file does not hold goes last. Throws as `inspect` does, or if storage refuses.
   */
  restore(file: Blob, options: RestoreOptions, signal: AbortSignal): AsyncIterable<RestoreProgress>;
  /** Runs as `*.podium.jsonl`. */
  exportRuns(options: RunFileOptions): ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Adds the runs of such a file, gzipped or not, or of a backup. Bad lines are reported and passed over. */
  importRuns(file: Blob, signal: AbortSignal): AsyncIterable<ImportProgress>;
  /** The runs that take the most room, largest first. */
  largestRuns(most: number, signal: AbortSignal, heard?: ProgressHeard): Promise<readonly RunSize[]>;
}

/** What runs ask the user before they call anyone. */
export interface Confirmations {
  /** @param answer shows the question and resolves with whether the user agrees @returns how to stop answering */
  answerWith(answer: (question: ContinueQuestion) => Promise<boolean>): () => void;
}

export interface Services {
  readonly runs: Runs;
  readonly confirmations: Confirmations;
  /** Call when the page can be used: fetches what the first run needs. */
  readonly prepare: () => void;
  readonly store: RunStore;
  /** What calls cost, day by day. */
  readonly spending: Pick<Spending, 'totals'>;
  readonly notices: ChangeNotices;
  readonly setups: WorkerSetups;
  readonly keys: KeySource;
  readonly vault: KeyVault;
  /** Signing in at OpenRouter. */
  readonly signIn: SignIn;
  /** Every provider that is known, as they are offered; the last is for any other server. */
  readonly providers: readonly ProviderPreset[];
  /** The provider that a worker was set up with, else the one of its address. */
  readonly providerOf: (worker: Pick<WorkerSetup, 'provider' | 'baseUrl'>) => ProviderPreset;
  readonly preferences: PreferencesStore;
  /** The images of questions. */
  readonly images: ImageStore;
  /** Makes of a file what is kept of it. Throws a `FaultError`. Loaded late. */
  readonly prepareImage: (file: Blob) => Promise<ImageFile>;
  /** Loaded late: it brings the HTTP client. */
  readonly tester: () => Promise<WorkerTester>;
  /** What is published of models, from `models/known/`. Loaded late. */
  readonly knownModels: () => Promise<readonly KnownModel[]>;
  /** What a model costs at a provider, from the table that comes with Podium. Loaded late. */
  readonly knownPrice: (provider: string, model: string) => Promise<KnownPrice | null>;
  readonly checkAddress: (typed: string) => AddressCheck;
  /** Loaded late: what trains the policy, and the policies of the user's own. */
  readonly training: () => Promise<TrainingServices>;
  /** Loaded late: nobody reads or writes a file at once. */
  readonly archive: () => Promise<Archive>;
  readonly storage: {
    /** `null` where the browser does not tell. */
    readonly estimate: () => Promise<StorageEstimate | null>;
    /** Asks the browser to keep what is stored. `null` where it cannot be asked. */
    readonly persist: () => Promise<boolean | null>;
    /** What takes the room; `null` where the browser does not tell. */
    readonly use: () => Promise<StorageUse | null>;
    /** Whether the browser decides by itself when it is asked to keep what is stored, and asks nobody. */
    readonly decidesAlone: () => boolean;
  };
  /** Runs that were kept here and are gone, though nobody deleted them. */
  readonly kept: {
    readonly lost: () => Promise<LostRuns | null>;
    /** The user has taken note. */
    readonly dismiss: () => Promise<void>;
  };
  /** The simulated workers, always there. */
  readonly simulated: readonly PoolWorker[];
  /** Workers that are no models, such as Python. Always there, in the pool only once they are chosen. */
  readonly tools: readonly PoolWorker[];
  readonly models: ModelServices;
  /** Loaded late: nobody needs one for the first plan of a first visit. */
  readonly sentenceModels: () => Promise<SentenceModels>;
  /** Conductors to choose from, given the workers that exist (each endpoint can conduct, too) and the models on offer. */
  readonly conductors: (workers: readonly PoolWorker[], models: readonly OfferedModel[]) => readonly ConductorChoice[];
  /** The Conductor of a choice; for `by-hand` see core/conductor. */
  readonly conductor: (info: ConductorInfo) => Conductor;
}

const KEY = Symbol('services');

export function provideServices(services: Services): void {
  setContext(KEY, services);
}

/** Call while a component initialises. */
export function useServices(): Services {
  return getContext<Services>(KEY);
}
