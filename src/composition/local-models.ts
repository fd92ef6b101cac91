/**
 * @file Creates the services for local models: the host that loads a model, and the loaded model as a
 * Conductor and as a worker.
 */
import type { LocalModels, ModelDesk } from '../app/services';
import { embeddedConductor } from './conductors';
import { lateConductor } from '../core/conductor/late';
import { modelLabel, partOfPolicy } from '../core/conductor/with-policy-info';
import {
  fault,
  FaultError,
  isLoaded,
  trainedPrompt,
  type Conductor,
  type ConductorInfo,
  type EngineKind,
  type EngineLoader,
  type Locks,
  type ModelFolders,
  type ModelHost,
  type ModelManifest,
  type OwnModels,
  type PlanEvent,
  type PoolWorker,
  type WorkerClient,
} from '../core/contract';
import { systemClock } from '../platform/clock';
import { loadModelConductor } from './model-conductor';
import { createModelHost } from '../platform/engine/host';

export interface LocalModelsOptions {
  readonly own: OwnModels;
  readonly locks: Locks;
  readonly folders: ModelFolders<File>;
  readonly loaders: Record<EngineKind, () => Promise<EngineLoader>>;
  readonly desk: () => Promise<ModelDesk>;
  /** Whether a grammar restricts the output of models to plans that can be parsed. Called for each plan. */
  readonly useGrammar: () => boolean;
}

export interface LocalModelParts {
  readonly models: LocalModels;
  /**
   * Creates the Conductor of a local model, alone or together with the policy. A Conductor of the model
   * alone has the id `local:<manifest id>`. If the model is not loaded, the plan fails with a
   * `worker-missing` fault.
   */
  conductor(info: ConductorInfo): Conductor;
  /**
   * The client of a model that is loaded or loading. Throws a `FaultError` (`worker-missing`) for any other
   * worker.
   */
  workerClient(worker: PoolWorker): WorkerClient;
}

export function createLocalModels({
  own,
  locks,
  folders,
  loaders,
  desk,
  useGrammar,
}: LocalModelsOptions): LocalModelParts {
  const host = createModelHost({ loaders, locks });

  async function find(id: string): Promise<ModelManifest | undefined> {
    const [{ builtIn }, mine] = await Promise.all([desk(), own.list()]);
    return [...mine, ...builtIn].find((manifest) => manifest.id === id);
  }

  return {
    models: { host, own, folders, desk },
    conductor: (info) => ({
      info,
      async *propose(request, signal) {
        const own = partOfPolicy(info.id)?.model ?? info.id;
        const manifest = await find(own.slice('local:'.length));
        if (!manifest || !isLoaded(host.state, manifest.id)) yield* refusal(info, manifest !== undefined);
        else yield* conductorOn(host, manifest, info, useGrammar()).propose(request, signal);
      },
    }),
    workerClient(worker) {
      const { state } = host;
      const isHere = state.kind !== 'idle' && state.kind !== 'failed' && `local:${state.manifest.id}` === worker.id;
      if (isHere) return host.client();
      throw new FaultError(
        fault('worker-missing', `${worker.name} is not loaded. Load the model on Models, or remove it from the pool.`),
      );
    },
  };
}

function conductorOn(host: ModelHost, manifest: ModelManifest, info: ConductorInfo, useGrammar: boolean): Conductor {
  const { template, showWorkers } = trainedPrompt(manifest);
  return lateConductor(info, () =>
    loadModelConductor({
      info,
      engine: host.engineFor(manifest),
      clock: systemClock,
      fallback: embeddedConductor(),
      useGrammar,
      ...(showWorkers ? { showWorkers } : {}),
      ...(template ? { template } : {}),
    }),
  );
}

function* refusal(info: ConductorInfo, isKnown: boolean): Generator<PlanEvent> {
  const name = modelLabel(info);
  const message = isKnown
    ? `${name} is not loaded. Load it on Models, or choose another Conductor.`
    : `${name} is no longer available. Choose another Conductor.`;
  yield { type: 'plan-started', conductor: info, messages: [] };
  const missing = fault('worker-missing', message);
  yield { type: 'plan-failed', problem: null, fault: missing, text: '', usage: null, cost: null };
}
