/**
 * @file Gives connections to workers of older versions and of their backups. Most visits don't need this, so the contract's index
 * doesn't export this file, and the page lazy-loads it.
 */
import { picked } from '../picked';
import { isSameServer, SERVER_FIELDS, withConnection, type Connection } from './connection';
import type { RateLimits, WorkerSetup } from './setup';

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

function connectionOf(setup: WorkerSetup, id: string): Connection {
  return { id, ...picked(setup, SERVER_FIELDS), ...(setup.unconfirmed ? { unconfirmed: true } : {}) };
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
