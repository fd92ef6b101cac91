/**
 * @file The services that the pages need from the composition root, with one interface for each concern. A state class or
 * component takes only the interfaces that it uses. The app imports no implementation.
 */
import { getContext, setContext } from 'svelte';
import type {
  AddressCheck,
  AppInstall,
  AppUpdates,
  BatchRunner,
  BatchStore,
  DatasetImporter,
  DatasetStore,
  EvaluationRemoval,
  LostRuns,
  ModelFolders,
  StorageEstimate,
  StorageUse,
  BackupContents,
  BackupOptions,
  ImportProgress,
  ProgressListener,
  RestoreOptions,
  RestoreProgress,
  RunExport,
  RunExportOptions,
  ReplayFileWriter,
  RunFileOptions,
  RunSize,
  ConductorInfo,
  ConductorPrompt,
  FitVerdict,
  ImageFile,
  ImageStore,
  KeptPolicies,
  KeySource,
  KnownModel,
  KnownPrice,
  LocalEngine,
  KeyVault,
  MachineProbe,
  ModelCache,
  ModelHost,
  ModelManifest,
  OwnModels,
  PolicyFile,
  PoolFile,
  PoolWorker,
  PreferencesStore,
  ProviderPreset,
  RunIndex,
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
import type { RecordedImporter } from '../core/evaluation/recorded/recorded-import';
import type { ContinueQuestion, Runs } from '../core/runs';
import type { TrainingDesk } from '../core/training/orders';

/**
 * Where the menu lists a Conductor. `worker`: a worker writes the plan. `policy`: a model and the trained policy together.
 * `paper`: a baseline of arXiv 2512.04388. `podium`: one of Podium's own templates.
 */
export type ConductorGroup = 'built-in' | 'local' | 'worker' | 'policy' | 'paper' | 'podium';

/** A Conductor that the user can choose, as the list shows it. */
export interface ConductorChoice {
  readonly info: ConductorInfo;
  /** Describes the Conductor in one sentence. */
  readonly description: string;
  /** Whether the Conductor plans immediately and without a call, so that its plan can be shown before Run. */
  readonly instant: boolean;
  /** Its name in the list. Default: the Conductor's own name. */
  readonly name?: string;
  /** The group in the menu. Absent: the Conductor is listed above all groups. */
  readonly group?: ConductorGroup;
  /** Whether one worker does all steps, so that the user may choose this worker. See `withWorker`. */
  readonly acceptsWorker?: boolean;
  /** The parts of the prompt that the Conductor's model was trained with. Absent: none. */
  readonly trained?: ConductorPrompt;
  /** Why the Conductor cannot plan now. Absent if it can plan. */
  readonly missing?: string;
}

/** A local model that can be chosen, whether or not it is loaded. */
export interface OfferedModel {
  readonly manifest: ModelManifest;
  readonly phase: 'absent' | 'loading' | 'loaded';
  /** The device that the model runs on. `null`: the model is not loaded, or its device is unknown. */
  readonly device: LocalEngine['device'] | null;
}

/** Known models, their cache, and what this machine can run. The desk is lazy-loaded, because it includes the manifests. */
export interface ModelDesk {
  readonly builtIn: readonly ModelManifest[];
  /** Id of the default model. The Models page recommends it if it fits and no model was loaded before. */
  readonly favourite: string;
  /** Asks the browser about the GPU, the memory and the storage of this machine. */
  probe(): Promise<MachineProbe>;
  /** Checks whether a model fits the machine. @param cached bytes of the model that need not be downloaded */
  fit(manifest: ModelManifest, machine: MachineProbe, all: readonly ModelManifest[], cached?: number): FitVerdict;
  readonly cache: ModelCache;
}

/** Local models: the host that loads them, the user's own models, and the folders that the user picked for weights. */
export interface LocalModels {
  readonly host: ModelHost;
  readonly own: OwnModels;
  readonly folders: ModelFolders<File>;
  readonly desk: () => Promise<ModelDesk>;
}

/** Training of the policy, the user's own policies, and the shipped policy. */
export interface PolicyTraining {
  readonly desk: TrainingDesk;
  readonly kept: KeptPolicies;
  /** The policy that comes with Podium. */
  shipped(): Promise<PolicyFile>;
  /** Parses a file's content. `null` if it is no policy of this version. */
  read(file: unknown): PolicyFile | null;
}

/** Reads and writes files. Content is produced while a stream is read, so only a few runs are in memory at a time. */
export interface Archive {
  /** A gzipped backup of everything except models' weights, keys in memory, and the parts that the options leave out. */
  backup(options: BackupOptions): ReadableStream<Uint8Array<ArrayBuffer>>;
  /**
   * Reads the whole file without changing anything. Rejects with a `FaultError` if the file is no backup, or if a later version of
   * Podium wrote it.
   */
  inspect(file: Blob, signal: AbortSignal, onprogress?: ProgressListener): Promise<BackupContents>;
  /**
   * Restores a backup. Each run is restored completely or not at all. If the caller leaves the loop early or aborts, everything
   * restored so far stays. In the mode `replace`, stored data that is not in the file is deleted last, so an early end loses no
   * data. Throws a `FaultError` if the file can't be read or storage fails.
   */
  restore(file: Blob, options: RestoreOptions, signal: AbortSignal): AsyncIterable<RestoreProgress>;
  /** Runs as `*.podium.jsonl`, written by a Web Worker. */
  exportRuns(options: RunFileOptions): ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Runs in a format of other tools, written by a Web Worker. */
  exportAs(what: RunExport, options: RunExportOptions): ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Imports the runs of a run file, gzipped or not, or of a backup. Unreadable lines are reported and skipped. */
  importRuns(file: Blob, signal: AbortSignal): AsyncIterable<ImportProgress>;
  /** The runs that use the most storage, largest first. */
  largestRuns(most: number, signal: AbortSignal, onprogress?: ProgressListener): Promise<readonly RunSize[]>;
}

/** Questions that the user answers before a run makes calls. */
export interface Confirmations {
  /** @param answer shows the question, and resolves with whether the user agrees @returns a function that removes `answer` */
  answerWith(answer: (question: ContinueQuestion) => Promise<boolean>): () => void;
}

/** Starting, resuming, forking, grading and deleting runs. */
export interface RunServices {
  readonly runs: Runs;
  readonly confirmations: Confirmations;
  /** Loads what the first run needs. Call it when the page is ready for use. */
  readonly preloadExecutor: () => void;
}

/** The list of Conductors, and the Conductor of a run. */
export interface ConductorServices {
  /** The Conductors to choose from, including each worker at an endpoint and each offered local model. */
  readonly conductors: (workers: readonly PoolWorker[], models: readonly OfferedModel[]) => readonly ConductorChoice[];
  /** The Conductor of a run. Throws a `FaultError` (`worker-missing`) if its worker was removed or is not confirmed. */
  readonly conductor: (info: ConductorInfo) => Conductor;
}

/** Workers: the built-in workers, the user's own workers, and what is needed to set up a worker. */
export interface WorkerServices {
  /** The simulated workers. They always exist. */
  readonly simulated: readonly PoolWorker[];
  /** Workers that are not models, such as Python. They always exist, and join the pool only if the user chooses them. */
  readonly tools: readonly PoolWorker[];
  readonly setups: WorkerSetups;
  /** Every known provider, in the order of the menu. The last entry stands for any other server. */
  readonly providers: readonly ProviderPreset[];
  /** The provider that a worker was set up with, or else the provider that its address belongs to. */
  readonly providerOf: (worker: Pick<WorkerSetup, 'provider' | 'baseUrl'>) => ProviderPreset;
  readonly checkAddress: (typed: string) => AddressCheck;
  /** Tests workers and lists models. It is lazy-loaded, because it includes the HTTP client. */
  readonly tester: () => Promise<WorkerTester>;
  /** Published facts about models, from `models/known/`. The facts are lazy-loaded. */
  readonly knownModels: () => Promise<readonly KnownModel[]>;
  /** The price of a model at a provider, from the table that comes with Podium. The table is lazy-loaded. `null`: unknown. */
  readonly knownPrice: (provider: string, model: string) => Promise<KnownPrice | null>;
  /** The text of a file with the pool, without keys. */
  readonly poolFile: (pool: PoolFile) => Promise<string>;
  /** The cost of calls today and this month. */
  readonly spending: Pick<Spending, 'totals'>;
}

/** API keys: the keys in memory, the encrypted vault, and the sign-in at OpenRouter. */
export interface KeyServices {
  readonly keys: KeySource;
  readonly vault: KeyVault;
  readonly signIn: SignIn;
}

/** Models that run on this machine. */
export interface ModelServices {
  readonly models: LocalModels;
  /** Sentence models. They are lazy-loaded, because the first plan of a first visit needs none. */
  readonly sentenceModels: () => Promise<SentenceModels>;
}

export interface TrainingServices {
  /** Lazy-loads the training services. */
  readonly training: () => Promise<PolicyTraining>;
}

/**
 * Evaluation: the stored datasets and batches, and the services that run, delete and import them. The datasets always include the
 * practice set.
 */
export interface EvaluationDesk {
  readonly datasets: DatasetStore;
  readonly batches: BatchStore;
  readonly runner: BatchRunner;
  readonly removal: EvaluationRemoval;
  readonly importer: DatasetImporter<File>;
  /** Imports tables of recorded outcomes. */
  readonly recorded: RecordedImporter<File>;
}

export interface EvaluationServices {
  /** Lazy-loads the evaluation services. */
  readonly evaluation: () => Promise<EvaluationDesk>;
}

export interface RunIndexServices {
  /** Searches, filters, sorts and counts saved runs. The first call loads the index into a Web Worker, where it stays. */
  readonly runIndex: () => Promise<RunIndex>;
}

/** Images that are attached to questions. */
export interface ImageServices {
  readonly images: ImageStore;
  /** Scales and re-encodes an image file. Rejects with a `FaultError`. The code is lazy-loaded. */
  readonly prepareImage: (file: Blob) => Promise<ImageFile>;
}

/** Files that replay runs in any browser. */
export interface ReplayServices {
  /** Lazy-loads the writer of replay files. */
  readonly replayFiles: () => Promise<ReplayFileWriter<Blob>>;
}

/** Storage in the browser, and notifications of changes in other tabs. */
export interface StorageServices {
  readonly store: RunStore;
  readonly preferences: PreferencesStore;
  readonly notices: ChangeNotices;
  /** Lazy-loads the archive. */
  readonly archive: () => Promise<Archive>;
  readonly storage: {
    /** The storage that is used and available. `null` if the browser does not report it. */
    readonly estimate: () => Promise<StorageEstimate | null>;
    /** Asks the browser not to evict stored data, and resolves with its answer. `null` if the browser has no such request. */
    readonly persist: () => Promise<boolean | null>;
    /** Storage used, by kind. `null` if the browser does not report it. */
    readonly use: () => Promise<StorageUse | null>;
    /** Whether the browser answers `persist` without prompting the user. */
    readonly persistsSilently: () => boolean;
  };
  /** Runs that the browser has cleared: they were stored here, and the user did not delete them. */
  readonly lostRuns: {
    readonly find: () => Promise<LostRuns | null>;
    /** Call when the user has dismissed the warning. */
    readonly dismiss: () => Promise<void>;
  };
}

/** Podium as an app of this browser: its version, its installation and its updates. */
export interface AppServices {
  readonly app: {
    readonly version: string;
    /** Lazy-loads the installation of Podium as an app. */
    readonly install: () => Promise<AppInstall>;
    /** Lazy-loads the updates of Podium. Call when the page has loaded. */
    readonly updates: () => Promise<AppUpdates>;
  };
}

/** All services together. Only code that provides or composes services takes this type. */
export interface Services
  extends
    RunServices,
    ConductorServices,
    WorkerServices,
    KeyServices,
    ModelServices,
    TrainingServices,
    EvaluationServices,
    RunIndexServices,
    ImageServices,
    ReplayServices,
    StorageServices,
    AppServices {}

const KEY = Symbol('services');

export function provideServices(services: Services): void {
  setContext(KEY, services);
}

/** Returns the services. Call it while a component initializes. */
export function useServices(): Services {
  return getContext<Services>(KEY);
}
