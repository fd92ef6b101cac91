/**
 * @file A connection: a provider or server with its address, one key and its limits. The workers of a connection are its models.
 * Each stored worker keeps a copy of its connection's address, so that pool files, backups and older databases, which have no
 * connections, are read the same way.
 */
import { picked } from '../picked';
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
  /** Names of its extra headers, and of its query parameters with a `?` before them. Absent: none. See `connection-extras.ts`. */
  readonly extraNames?: readonly string[];
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

/** The id under which the extras of a connection are kept beside its key, as JSON. @param id see `keyIdOf` */
export function extrasIdOf(id: string): string {
  return `extras:${id}`;
}

type Server = Pick<WorkerSetup, 'baseUrl' | 'provider' | 'needsKey'>;

/** Whether two workers or connections can share a key: same address, same provider, and both or neither need a key. */
export function isSameServer(one: Server, other: Server): boolean {
  return one.baseUrl === other.baseUrl && one.provider === other.provider && one.needsKey === other.needsKey;
}

/** The fields that a worker has from its connection. */
export const SERVER_FIELDS = ['baseUrl', 'needsKey', 'provider', 'limits', 'extraNames'] as const;

/** The worker with the address and limits of its connection. */
export function withConnection(setup: WorkerSetup, connection: Connection): WorkerSetup {
  const { provider: _provider, limits: _limits, extraNames: _names, unconfirmed, ...own } = setup;
  return {
    ...own,
    connection: connection.id,
    ...picked(connection, SERVER_FIELDS),
    ...(unconfirmed || connection.unconfirmed ? { unconfirmed: true } : {}),
  };
}
