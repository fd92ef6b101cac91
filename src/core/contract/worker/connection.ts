/**
 * @file A connection: a provider or server with its address, one key and its limits. The workers of a connection are its models.
 * Each stored worker keeps a copy of its connection's address, so that pool files, backups and older databases, which have no
 * connections, are read the same way.
 */
import type { Fault } from '../fault';
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
  /** The address from which the list was read. Absent in lists of older versions. */
  readonly baseUrl?: string;
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

/** The result of checking an address that the user typed. */
export type AddressCheck =
  | {
      readonly ok: true;
      /** The normalized address: starts with http or https, and has no trailing slash and no query. */
      readonly baseUrl: string;
      /** A warning or a tip about the address, for example that it is not encrypted. `null`: none. */
      readonly hint: string | null;
    }
  | { readonly ok: false; readonly fault: Fault };

export type SignInOutcome = { readonly ok: true } | { readonly ok: false; readonly fault: Fault };

/** Signs in with a provider to get an API key. */
export interface SignIn {
  /** Redirects to the provider's page. Rejects with a `FaultError` if sign-in is not possible. */
  start(): Promise<void>;
  /**
   * The result of a sign-in, after the provider has redirected back to this page. `null`: the page was
   * opened in another way. Never rejects.
   */
  readonly outcome: Promise<SignInOutcome | null>;
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
