/**
 * @file The one place on this machine for a local model: what it is doing, how it is loaded, and how the model in it is asked.
 * Implemented by platform/engine.
 */
import type { ConductorInfo } from '../workflow/conductor-info';
import type { Fault } from '../fault';
import type { EngineSpeed } from './engine';
import type { LoadProgress, LocalEngine, ModelManifest } from './local-engine';
import type { PoolWorker, WorkerClient } from '../worker/worker';

export type ModelState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'loading'; readonly manifest: ModelManifest; readonly progress: LoadProgress | null }
  | {
      readonly kind: 'ready';
      readonly manifest: ModelManifest;
      readonly device: LocalEngine['device'];
      /** Of the newest answer; `null` before the first. */
      readonly speed: EngineSpeed | null;
    }
  /** It could not be loaded, or was lost again as soon as it had been. */
  | { readonly kind: 'failed'; readonly manifest: ModelManifest; readonly fault: Fault }
  /** It was ready, and its device or its worker went away. The next use loads it again, once. */
  | { readonly kind: 'lost'; readonly manifest: ModelManifest; readonly fault: Fault };

/** Holds at most one model. Calls to it queue; plans come before workers' calls. */
export interface ModelHost {
  readonly state: ModelState;
  /** Called at once for each new state. @returns how to stop listening */
  subscribe(listener: (state: ModelState) => void): () => void;
  /**
   * Loads a model in place of the one that is there or on its way; resolves when it is ready. Throws a `FaultError`, or an
   * `AbortError` when it is cancelled or another model is wanted instead.
   */
  load(manifest: ModelManifest): Promise<void>;
  /** Ends a load under way. What has been downloaded is kept. */
  cancel(): Promise<void>;
  /** Lets go of the model and of what it holds. A call under way fails with a fault that says so. */
  unload(): Promise<void>;
  /**
   * A model as an engine for plans. It may be asked for before it is loaded; `generate` then fails with a fault that says
   * where to load it, and never loads by itself a model that was not.
   */
  engineFor(manifest: ModelManifest): Pick<LocalEngine, 'info' | 'generate'>;
  /** The loaded model as a worker. */
  client(): WorkerClient;
}

/** Whether this model can be asked now: it is there, or was lost and is loaded again by the next use. */
export function isLoaded(state: ModelState, manifestId: string): boolean {
  return (state.kind === 'ready' || state.kind === 'lost') && state.manifest.id === manifestId;
}

/** What a run remembers of a local model that conducts. */
export function localConductorInfo({ id, label, engine }: ModelManifest): ConductorInfo {
  return { id: `local:${id}`, label, kind: engine, model: label, origin: null };
}

/** The last colour and the model's first letters: workers that are added take the first that are free. */
const COLOUR = 9;

/** A local model as a worker of the pool. Nothing leaves the page when it is called. */
export function localWorker({ id, label, context }: ModelManifest): PoolWorker {
  return {
    id: `local:${id}`,
    name: label,
    mark: label.slice(0, 2),
    colour: COLOUR,
    kind: 'local',
    model: label,
    origin: null,
    price: { input: 0, output: 0 },
    description: 'A small language model on this machine.',
    contextWindow: context,
  };
}
