/** @file Makes the clients of workers on the command line. Only endpoints and simulated workers can be called there. */
import {
  fault,
  FaultError,
  type Clock,
  type KeySource,
  type WorkerClient,
  type WorkerDirectory,
  type WorkerSetup,
} from '../core/contract';
import { createSimulatedWorkers } from '../core/simulation';
import { createOpenAiWorkers } from '../platform/workers/openai-client';

export interface Workers {
  /** Calls endpoints. */
  readonly endpoints: WorkerClient;
  /** Finds the client of a worker. Throws a `FaultError` (`worker-missing`) if the worker can't be called here. */
  readonly directory: WorkerDirectory;
}

export function createWorkers(
  setups: ReadonlyMap<string, WorkerSetup>,
  { keys, clock }: { readonly keys: KeySource; readonly clock: Clock },
): Workers {
  // Node does not limit the connections to a server. The number of runs at a time and the client's gate limit the calls.
  const places = Number.POSITIVE_INFINITY;
  const endpoints = createOpenAiWorkers({ setup: (id) => setups.get(id), keys, clock, places });
  const simulated = createSimulatedWorkers({ clock });
  return {
    endpoints,
    directory({ kind, name }) {
      if (kind === 'endpoint') return endpoints;
      if (kind === 'simulated') return simulated;
      const message = `${name} works only in the browser. Remove it from the pool.`;
      throw new FaultError(fault('worker-missing', message));
    },
  };
}
