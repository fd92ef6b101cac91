/**
 * @file The interface to the local model: the model's state, how to load it, and how to call it. platform/engine implements the
 * interface.
 */
import type { ConductorInfo } from '../workflow/conductor-info';
import type { Fault } from '../fault';
import type { EngineSpeed, TextEngine } from './engine';
import type { LoadProgress, LocalEngine, ModelManifest, PromptProgress } from './local-engine';
import type { PoolWorker, WorkerClient } from '../worker/worker';

export type ModelState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'loading'; readonly manifest: ModelManifest; readonly progress: LoadProgress | null }
  | {
      readonly kind: 'ready';
      readonly manifest: ModelManifest;
      readonly device: LocalEngine['device'];
      /** Speed of the newest answer. `null` before the first. */
      readonly speed: EngineSpeed | null;
      /** How much of the newest prompt the model has read. Absent or `null`: unknown. */
      readonly reading?: PromptProgress | null;
    }
  /**
   * The model could not be loaded. Or the model was lost, reloaded automatically, and lost again before it
   * answered.
   */
  | { readonly kind: 'failed'; readonly manifest: ModelManifest; readonly fault: Fault }
  /** The model was ready, but its device or its Web Worker was lost. The next use reloads the model once. */
  | { readonly kind: 'lost'; readonly manifest: ModelManifest; readonly fault: Fault };

/** Holds at most one model. Calls to the model are queued. Calls for plans come before calls for steps. */
export interface ModelHost {
  readonly state: ModelState;
  /**
   * Calls the listener synchronously for each new state, but not for the current one.
   * @returns a function that unsubscribes
   */
  subscribe(listener: (state: ModelState) => void): () => void;
  /**
   * Loads a model and replaces the loaded or loading model. Resolves when the new model is ready. Rejects with a `FaultError`, or
   * with an `AbortError` when the load is cancelled or replaced by another load.
   */
  load(manifest: ModelManifest): Promise<void>;
  /** Cancels a load in progress. Downloaded data is kept. */
  cancel(): Promise<void>;
  /** Unloads the model and frees its resources. A call in progress fails with a fault that says that the model was unloaded. */
  unload(): Promise<void>;
  /**
   * Returns an engine that writes plans with this model. `generate` reloads a lost model first. If the model
   * is neither loaded nor lost, `generate` fails, and the fault says where to load the model.
   */
  engineFor(manifest: ModelManifest): TextEngine;
  /** The client that calls the loaded model as a worker. */
  client(): WorkerClient;
}

/** Whether this model can be called now: it is loaded, or it was lost and reloads on the next use. */
export function isLoaded(state: ModelState, manifestId: string): boolean {
  return (state.kind === 'ready' || state.kind === 'lost') && state.manifest.id === manifestId;
}

/** The information that a run records about its Conductor, if the Conductor is a local model. */
export function localConductorInfo({ id, label, engine }: ModelManifest): ConductorInfo {
  return { id: `local:${id}`, label, kind: engine, model: label, origin: null };
}

/**
 * The last of the nine colors. Workers that the user adds get the first free colors, so they rarely have the
 * same color as the local model.
 */
const COLOUR = 9;

/** A local model as a worker of the pool. A call to it sends nothing to any server. */
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
