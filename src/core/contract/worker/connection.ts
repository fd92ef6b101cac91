/**
 * @file A connection: a provider or server with its address, one key and its limits. The workers of a connection are its models.
 * Each stored worker keeps a copy of its connection's address, so that pool files, backups and older databases, which have no
 * connections, are read the same way.
 */
import type { ListedModel, RateLimits, WorkerSetup } from './setup';

export interface Connection {
  readonly id: string;
  /** The user's name for the connection. Absent: the name of its provider or host. */
  readonly name?: string;
  /** Id of the provider's preset. Absent: detected from the address. */
  readonly provider?: string;
  /** The address without a trailing slash, such as `http://localhost:11434/v1`. */
  readonly baseUrl: string;
  readonly needsKey: boolean;
  /** The provider's limits. Absent: Podium learns all limits. */
  readonly limits?: RateLimits;
  /** Whether the connection came from a file and the user has not confirmed it yet. See `WorkerSetup`. */
  readonly unconfirmed?: boolean;
}

/** The list of models that a connection's server returned last. */
export interface ModelList {
  readonly connection: string;
  /** When the list was read, ms since the epoch. */
  readonly at: number;
  readonly models: readonly ListedModel[];
}

/** Storage for the lists of models. */
export interface ModelLists {
  /** The list of a connection. `null`: none was stored. */
  read(connection: string): Promise<ModelList | null>;
  put(list: ModelList): Promise<void>;
}

/** Storage for the user's connections. */
export interface Connections {
  list(): Promise<readonly Connection[]>;
  /**
   * Stores a connection, and its address and limits with each of its workers, in one transaction.
   * @param joining ids of workers that move to this connection. Default: none
   */
  put(connection: Connection, joining?: readonly string[]): Promise<void>;
  /** Deletes a connection with its workers and its list of models. */
  delete(id: string): Promise<void>;
}

/** The id of a worker's key. A worker of a pool file has no connection, so its key has the worker's id. */
export function keyIdOf({ id, connection }: Pick<WorkerSetup, 'id' | 'connection'>): string {
  return connection ?? id;
}

type Server = Pick<WorkerSetup, 'baseUrl' | 'provider' | 'needsKey'>;

/** Whether two workers or connections can share a key: same address, same provider, and both or neither need a key. */
export function isSameServer(one: Server, other: Server): boolean {
  return one.baseUrl === other.baseUrl && one.provider === other.provider && one.needsKey === other.needsKey;
}

/** The worker with the address and limits of its connection. */
export function withConnection(setup: WorkerSetup, connection: Connection): WorkerSetup {
  const { provider: _provider, limits: _limits, unconfirmed, ...own } = setup;
  const { id, baseUrl, needsKey, provider, limits } = connection;
  return {
    ...own,
    connection: id,
    baseUrl,
    needsKey,
    ...(provider === undefined ? {} : { provider }),
    ...(limits === undefined ? {} : { limits }),
    ...(unconfirmed || connection.unconfirmed ? { unconfirmed: true } : {}),
  };
}

/**
 * Gives each worker a connection. A worker without one joins a connection to the same server, or else gets a new connection.
 * @returns all workers with the addresses of their connections, and the new connections
 */
export function connectWorkers(
  setups: readonly WorkerSetup[],
  connections: readonly Connection[],
): { readonly setups: readonly WorkerSetup[]; readonly created: readonly Connection[] } {
  const known = new Map(connections.map((connection) => [connection.id, connection]));
  const created = new Set<string>();
  const ids = setups.map((setup) => {
    const named = connections.find(({ id }) => id === setup.connection);
    const found = named ?? [...known.values()].find((connection) => isSameServer(connection, setup));
    if (found && !created.has(found.id)) return found.id;
    let id = found?.id ?? setup.connection ?? firstConnectionId(setup);
    while (!found && known.has(id)) id += '+';
    created.add(id);
    known.set(id, found ? merged(found, setup) : connectionOf(setup, id));
    return id;
  });
  const connected = setups.map((setup, index) => {
    const connection = known.get(ids[index] ?? '');
    return connection ? withConnection(setup, connection) : setup;
  });
  return { setups: connected, created: [...created].flatMap((id) => known.get(id) ?? []) };
}

/** The id of the connection that is made for a worker. Two tabs that do this at the same time choose the same id. */
export function firstConnectionId({ id }: Pick<WorkerSetup, 'id'>): string {
  return `connection:${id}`;
}

function connectionOf({ baseUrl, needsKey, provider, limits, unconfirmed }: WorkerSetup, id: string): Connection {
  return {
    id,
    baseUrl,
    needsKey,
    ...(provider === undefined ? {} : { provider }),
    ...(limits === undefined ? {} : { limits }),
    ...(unconfirmed ? { unconfirmed } : {}),
  };
}

/** A new connection with one more worker: the strictest limits, and confirmed if the user has confirmed one of its workers. */
function merged({ unconfirmed, ...connection }: Connection, setup: WorkerSetup): Connection {
  const limits = strictest(connection.limits, setup.limits);
  return {
    ...connection,
    ...(limits === undefined ? {} : { limits }),
    ...(unconfirmed && setup.unconfirmed ? { unconfirmed } : {}),
  };
}

function strictest(one: RateLimits | undefined, other: RateLimits | undefined): RateLimits | undefined {
  if (!one || !other) return one ?? other;
  const least = (name: keyof RateLimits) => {
    const set = [one[name], other[name]].filter((limit) => limit !== null);
    return set.length === 0 ? null : Math.min(...set);
  };
  return {
    concurrent: least('concurrent'),
    requestsPerMinute: least('requestsPerMinute'),
    tokensPerMinute: least('tokensPerMinute'),
  };
}
