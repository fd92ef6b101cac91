/**
 * @file Creates the clients with which the command line calls workers. The command line supports only endpoints (workers on
 * servers) and simulated workers.
 */
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
import { createPatientFetch } from './patient-fetch';

export interface Workers {
  readonly endpoints: WorkerClient;
  /** Finds the client of a worker. Throws a `FaultError` (`worker-missing`) if the worker can't be called here. */
  readonly directory: WorkerDirectory;
}

export function createWorkers(
  setups: ReadonlyMap<string, WorkerSetup>,
  { keys, clock }: { readonly keys: KeySource; readonly clock: Clock },
): Workers {
  // Unlike a browser, Node does not limit the connections to a server.
  const places = Number.POSITIVE_INFINITY;
  const fetch = createPatientFetch();
  const endpoints = createOpenAiWorkers({ setup: (id) => setups.get(id), keys, clock, places, fetch });
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
