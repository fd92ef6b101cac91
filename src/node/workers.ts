/**
 * @file Creates the clients with which the command line calls workers. The command line supports only endpoints (workers on
 * servers) and simulated workers.
 */
import {
  fault,
  FaultError,
  type Clock,
  type ImageStore,
  type KeySource,
  type WorkerClient,
  type WorkerDirectory,
  type WorkerSetup,
} from '../core/contract';
import { createSimulatedWorkers } from '../core/simulation/client';
import { createOpenAiWorkers } from '../platform/workers/openai-client';
import type { Fetch } from '../platform/workers/guarded-fetch';

export interface Workers {
  readonly endpoints: WorkerClient;
  /** Finds the client of a worker. Throws a `FaultError` (`worker-missing`) if the worker can't be called here. */
  readonly directory: WorkerDirectory;
}

export function createWorkers(
  setups: ReadonlyMap<string, WorkerSetup>,
  {
    keys,
    clock,
    images,
  }: { readonly keys: KeySource; readonly clock: Clock; readonly images: Pick<ImageStore, 'get'> },
): Workers {
  // Unlike a browser, Node does not limit the connections to a server.
  const places = Number.POSITIVE_INFINITY;
  const fetch = createPatientFetch();
  const endpoints = createOpenAiWorkers({ setup: (id) => setups.get(id), keys, images, clock, places, fetch });
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

// The `fetch` with which the command line calls workers. Node gives up after five minutes without headers or data, but a
// worker may think for longer. Podium has time limits of its own.

/** Where Node keeps the agent that carries out its requests. Node does not export the agent’s class. */
const AGENT = Symbol.for('undici.globalDispatcher.1');
const NO_LIMITS = { headersTimeout: 0, bodyTimeout: 0 };

/** If Node's agent is not found, its time limits stay in place. */
export function createPatientFetch(): Fetch {
  let agent: Promise<object | null> | null = null;
  return async (url, init) => {
    agent ??= createAgent();
    const dispatcher = await agent;
    return fetch(url, dispatcher ? Object.assign({ dispatcher }, init) : init);
  };
}

async function createAgent(): Promise<object | null> {
  // Node creates its agent for the first request.
  await fetch('data:,');
  const present: unknown = Reflect.get(globalThis, AGENT);
  if (typeof present !== 'object' || present === null) return null;
  const created: unknown = Reflect.construct(present.constructor, [NO_LIMITS]);
  return typeof created === 'object' ? created : null;
}
