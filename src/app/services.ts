/**
 * @file Interfaces of the services that the composition root provides to the app, one for each concern. The app imports no
 * implementation. A state class or component takes only the interfaces that it uses.
 */
import { getContext, setContext } from 'svelte';
import type {
  CheckObservation,
  AddressCheck,
  AppInstall,
  AppUpdates,
  BatchRunner,
  BatchStore,
  ConfidentialityCheck,
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
  Connections,
  KeySource,
  ModelLists,
  KnownModel,
  KnownPrice,
  LocalEngine,
  KeyVault,
  Passkeys,
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
  QuestionFile,
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
import type { MeasurementEvent } from '../core/contract/measurement/measurement';
import type { EventLogs } from '../core/contract/storage/event-logs';
import type { RecordedImporter } from '../core/evaluation/recorded/recorded-import';
import type { Searches } from '../core/lessons/searches';
import type { TaskSources } from '../core/lessons/tasks/task-sources';
import type { Measurer } from '../core/measurement/session/measurer';
import type { OfferedDataset } from '../core/measurement/session/dataset-tasks';
import type { MeasuringTasks } from '../core/measurement/session/tasks';
import type { ContinueQuestion } from '../core/runs/continuation';
import type { Runs } from '../core/runs/runs';
import type { AnswerAnalyst } from '../core/runs/compare-answers';
import type { PairDesk } from '../core/runs/pairs/pair-desk';
import type { TrainingDesk } from '../core/training/orders';

/**
 * The menu group of a Conductor. `worker`: a worker writes the plan. `policy`: a model and the trained policy plan together.
 * `paper`: a baseline of arXiv 2512.04388. `podium`: one of Podium's own templates.
 */
export type ConductorGroup = 'built-in' | 'local' | 'worker' | 'policy' | 'paper' | 'podium';

/** An entry in the menu of Conductors. */
export interface ConductorChoice {
  readonly info: ConductorInfo;
  /** One sentence about the Conductor. */
  readonly description: string;
  /** Whether the Conductor plans immediately and without a call, so that the plan can be previewed. */
  readonly instant: boolean;
  /** Name in the menu. Default: the Conductor's own name. */
  readonly name?: string;
  /** Absent: the Conductor is listed above all groups. */
  readonly group?: ConductorGroup;
  /** Whether one worker does all steps, and the user can choose this worker. See `withWorker`. */
  readonly acceptsWorker?: boolean;
  /** Parts of the prompt with which the Conductor's model was trained. Absent: none. */
  readonly trained?: ConductorPrompt;
  /** Why the Conductor cannot plan now. Absent if it can plan. */
  readonly missing?: string;
}

/** A local model that the user can choose, loaded or not. */
export interface OfferedModel {
  readonly manifest: ModelManifest;
  readonly phase: 'absent' | 'loading' | 'loaded';
  /** The device that runs the model. `null` if the model is not loaded or the device is unknown. */
  readonly device: LocalEngine['device'] | null;
}

/** Known models, their cache, and what this machine can run. Lazy-loaded, because it includes all manifests. */
export interface ModelDesk {
  readonly builtIn: readonly ModelManifest[];
  /** Id of the default model. The Models page recommends this model if it fits and no model was loaded before. */
  readonly favourite: string;
  /** Asks the browser about the GPU, the memory and the storage of this machine. */
  probe(): Promise<MachineProbe>;
  /** Checks whether a model fits the machine. @param cached bytes of the model that need not be downloaded */
  fit(manifest: ModelManifest, machine: MachineProbe, all: readonly ModelManifest[], cached?: number): FitVerdict;
  readonly cache: ModelCache;
}

/** Local models: the host that loads them, the user's own models, and the user's folders with model weights. */
export interface LocalModels {
  readonly host: ModelHost;
  readonly own: OwnModels;
  readonly folders: ModelFolders<File>;
  readonly desk: () => Promise<ModelDesk>;
}

/** Training of policies, the user's own policies, and the policy that comes with Podium. */
export interface PolicyTraining {
  readonly desk: TrainingDesk;
  readonly kept: KeptPolicies;
  /** Loads the policy that comes with Podium. */
  shipped(): Promise<PolicyFile>;
  /** Validates the parsed JSON of a file. `null` if it is not a policy that this version supports. */
  read(file: unknown): PolicyFile | null;
}

/** Backups, exports and imports. Files are streamed, so only a few runs are in memory at a time. */
export interface Archive {
  /** A gzipped backup of everything except model weights, keys in memory, and the parts that `options` exclude. */
  backup(options: BackupOptions): ReadableStream<Uint8Array<ArrayBuffer>>;
  /**
   * Reads a whole backup without restoring it. Rejects with a `FaultError` if the file is no backup, or if a later version of
   * Podium wrote it.
   */
  inspect(file: Blob, signal: AbortSignal, onprogress?: ProgressListener): Promise<BackupContents>;
  /**
   * Restores a backup. Each run is restored completely or not at all. If the caller aborts or stops iterating
   * early, everything restored so far stays. The mode `replace` also deletes data that is not in the file, after
   * everything in the file is restored. Throws a `FaultError` if the file can't be read or storage fails.
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

/** Confirmations that the user must give before a run makes calls. */
export interface Confirmations {
  /**
   * @param answer shows a question, and resolves with whether the user agrees
   * @returns a function that removes `answer`
   */
  answerWith(answer: (question: ContinueQuestion) => Promise<boolean>): () => void;
}

/** Starting, resuming, forking, grading and deleting runs. */
export interface RunServices {
  readonly runs: Runs;
  readonly confirmations: Confirmations;
  /** What the workers said of planted answers in measurements. Rejects if these can't be read. */
  readonly measuredChecks: (pool: readonly PoolWorker[]) => Promise<readonly CheckObservation[]>;
  /** Preloads the code for running workflows. Call it when the page is ready for use. */
  readonly preloadExecutor: () => void;
}

/** The list of Conductors, and the Conductor of a run. */
export interface ConductorServices {
  /** The Conductors to choose from, including each worker at an endpoint and each offered local model. */
  readonly conductors: (workers: readonly PoolWorker[], models: readonly OfferedModel[]) => readonly ConductorChoice[];
  /** The Conductor of a run. Throws a `FaultError` (`worker-missing`) if its worker was removed or is not confirmed. */
  readonly conductor: (info: ConductorInfo) => Conductor;
}

/** The built-in workers, the user's own workers, and services for setting up a worker. */
export interface AddressChecker {
  readonly checkAddress: (typed: string) => AddressCheck;
}

/** What is known of providers. */
export interface ProviderPresets {
  /** All known providers, in menu order. The last entry stands for any other server. */
  readonly providers: readonly ProviderPreset[];
  /**
   * The provider that the worker's setup names, if that provider is known and can be at the worker's address.
   * Otherwise, the provider of the address.
   */
  readonly providerOf: (worker: Pick<WorkerSetup, 'provider' | 'baseUrl'>) => ProviderPreset;
}

export interface WorkerServices {
  /** The simulated workers. The user can't remove them. */
  readonly simulated: readonly PoolWorker[];
  /** Workers that are not models, such as Python. They join the pool only if the user chooses them. */
  readonly tools: readonly PoolWorker[];
  readonly setups: WorkerSetups;
  readonly connections: Connections;
  /** The last list of models of each connection. Lazy-loaded. */
  readonly modelLists: () => Promise<ModelLists>;
  /** Lazy-loaded, because only the page *Workers* shows providers. */
  readonly presets: () => Promise<ProviderPresets>;
  /** Checks addresses that the user types. Lazy-loaded, because only the form of a worker needs it. */
  readonly addressCheck: () => Promise<AddressChecker['checkAddress']>;
  /** Tests workers and lists their models. Lazy-loaded, because it includes the HTTP client. */
  readonly tester: () => Promise<WorkerTester>;
  /** Published facts about models, from `models/known/`. Lazy-loaded. */
  readonly knownModels: () => Promise<readonly KnownModel[]>;
  /** A model's price at a provider, from Podium's lazy-loaded price table. `null`: unknown. */
  readonly knownPrice: (provider: string, model: string) => Promise<KnownPrice | null>;
  /** The content of a pool file, without keys. */
  readonly poolFile: (pool: PoolFile) => Promise<string>;
  /** Reads the text of a pool file. Rejects with a `FaultError` if the file is invalid. */
  readonly readPoolFile: (text: string) => Promise<PoolFile>;
  /** The cost of calls today and this month. */
  readonly spending: Pick<Spending, 'totals'>;
}

/** API keys: the keys in memory, the encrypted vault, and the sign-in at OpenRouter. */
export interface KeyServices {
  readonly keys: KeySource;
  readonly vault: KeyVault;
  /** Lazy-loaded. */
  readonly passkeys: () => Promise<Passkeys>;
  readonly signIn: SignIn;
  /**
   * Moves keys that older versions stored for workers to their connections. Call it when the vault was unlocked.
   * @returns whether workers or connections have changed
   */
  readonly adoptKeys: () => Promise<boolean>;
}

/** Models that run on this machine. */
export interface ModelServices {
  readonly models: LocalModels;
  /** Sentence models. Lazy-loaded, because the first plan of a first visit needs none. */
  readonly sentenceModels: () => Promise<SentenceModels>;
}

export interface TrainingServices {
  /** Lazy-loads the training services. */
  readonly training: () => Promise<PolicyTraining>;
}

/** Datasets and batches: their stores, and the services that run, delete and import them. */
export interface EvaluationDesk {
  /** Always includes the practice set. */
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

/** Searches for lessons, and the datasets whose tasks they use. */
export interface LearningDesk {
  readonly searches: Searches;
  /** Also has the practice set, generated tasks and the user's own graded questions. */
  readonly datasets: TaskSources;
  /** Opens the check whether a run must not leave this browser. */
  readonly confidentiality: () => Promise<ConfidentialityCheck>;
}

export interface LearningServices {
  /** Lazy-loads the services of searches for lessons. */
  readonly learning: () => Promise<LearningDesk>;
}

export interface RunIndexServices {
  /** Searches, filters, sorts and counts saved runs. The first call loads the index into a Web Worker. */
  readonly runIndex: () => Promise<RunIndex>;
}

/** Images and files attached to questions. */
export interface ImageServices {
  readonly images: ImageStore;
  /** Scales and re-encodes an image file. Lazy-loaded. Rejects with a `FaultError`. */
  readonly prepareImage: (file: Blob) => Promise<ImageFile>;
  /** Reads the text of a file in a Web Worker. Lazy-loaded. Rejects with a `FaultError`, or an `AbortError`. */
  readonly readFile: (file: File, signal: AbortSignal) => Promise<QuestionFile>;
}

/** Files that replay runs in any browser. */
export interface ReplayServices {
  /** Lazy-loads the writer of replay files. */
  readonly replayFiles: () => Promise<ReplayFileWriter<Blob>>;
}

/** Workers that compare answers. */
export interface AnalystServices {
  /** Lazy-loads the service that compares answers. */
  readonly analyst: () => Promise<AnswerAnalyst>;
}

/** Pairs of answers that the user compares without knowing who wrote which. */
export interface PairServices {
  /** Lazy-loads the service that gets second answers. */
  readonly pairs: () => Promise<PairDesk>;
}

/** Measurements of workers: the stored ones, and the ones that run in this tab. */
export interface MeasuringDesk {
  readonly measurer: Measurer;
  readonly logs: Pick<EventLogs<MeasurementEvent>, 'list' | 'remove'>;
  readonly tasks: Pick<MeasuringTasks, 'revision' | 'families'>;
  /** The imported datasets that can take part. */
  readonly datasets: () => Promise<readonly OfferedDataset[]>;
}

export interface MeasuringServices {
  /** Lazy-loads the measurement of workers. */
  readonly measuring: () => Promise<MeasuringDesk>;
}

/** Storage in the browser, and notifications of changes in other tabs. */
export interface StorageServices {
  readonly store: RunStore;
  readonly preferences: PreferencesStore;
  readonly notices: ChangeNotices;
  /** Lazy-loads the archive. */
  readonly archive: () => Promise<Archive>;
  readonly storage: {
    /** Used and available storage. `null` if the browser does not report it. */
    readonly estimate: () => Promise<StorageEstimate | null>;
    /** Asks the browser not to evict stored data. Resolves with its answer, or `null` if it doesn't support this. */
    readonly persist: () => Promise<boolean | null>;
    /** Used storage by kind of data. `null` if the browser does not report it. */
    readonly use: () => Promise<StorageUse | null>;
    /** Whether the browser answers `persist` without prompting the user. */
    readonly persistsSilently: () => boolean;
  };
  /** Runs that the browser has cleared, although the user did not delete them. */
  readonly lostRuns: {
    readonly find: () => Promise<LostRuns | null>;
    /** Call when the user has dismissed the warning. */
    readonly dismiss: () => Promise<void>;
  };
}

/** Podium's version, installation and updates. */
export interface AppServices {
  readonly app: {
    readonly version: string;
    /** Lazy-loads the service that installs Podium as an app. */
    readonly install: () => Promise<AppInstall>;
    /** Lazy-loads the service that updates Podium. Call it when the page has loaded. */
    readonly updates: () => Promise<AppUpdates>;
  };
}

/** All services together. Only code that provides services or passes them on takes this type. */
export interface Services
  extends
    RunServices,
    ConductorServices,
    WorkerServices,
    KeyServices,
    ModelServices,
    TrainingServices,
    EvaluationServices,
    LearningServices,
    RunIndexServices,
    ImageServices,
    ReplayServices,
    AnalystServices,
    PairServices,
    MeasuringServices,
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
