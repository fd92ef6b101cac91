/**
 * @file Moves keys that older versions stored for single workers to the connections of these workers. Only an unlocked vault shows
 * which workers have the same key, so this happens after each unlock. Each step leaves every key stored under one of its ids, and
 * another call completes what an interrupted call has begun.
 */
import {
  originOf,
  type Connection,
  type Connections,
  type KeyVault,
  type WorkerSetup,
  type WorkerSetups,
} from '../../core/contract';
import { firstConnectionId } from '../../core/contract/worker/connect-workers';

interface Stores {
  readonly vault: KeyVault;
  readonly setups: WorkerSetups;
  readonly connections: Connections;
}

/** A key that an older version's sign-in at a provider stored. It belongs to no worker. */
export interface SignInKey {
  readonly id: string;
  readonly baseUrl: string;
}

/**
 * A connection gets the key of its workers. If its workers have different keys, the most common key stays, and the workers with
 * another key get a connection of their own. A key that was entered for another origin stays where it is, unused.
 * @returns whether workers or connections have changed
 */
export async function adoptKeys(stores: Stores, signIn: SignInKey): Promise<boolean> {
  const { vault, setups, connections } = stores;
  let isChanged = false;
  const workers = (await setups.list()).filter(({ id }) => vault.holds(id));
  for (const connection of await connections.list()) {
    const origin = originOf(connection.baseUrl);
    const byKey = new Map<string, WorkerSetup[]>();
    for (const worker of workers.filter((each) => each.connection === connection.id)) {
      const key = vault.get(worker.id, origin);
      if (key !== null) byKey.set(key, [...(byKey.get(key) ?? []), worker]);
    }
    const most = [...byKey].toSorted(([, one], [, other]) => other.length - one.length)[0]?.[0] ?? null;
    const own = vault.get(connection.id, origin) ?? most;
    for (const [key, group] of byKey) {
      const isOwn = key === own;
      await giveKey(vault, isOwn ? connection : await split(stores, connection, group), key);
      for (const { id } of group) await vault.remove(id);
      if (!isOwn) isChanged = true;
    }
  }
  return (await adoptSignIn(stores, signIn)) || isChanged;
}

/** Moves workers to a new connection to the same server. */
async function split({ connections }: Stores, from: Connection, workers: readonly WorkerSetup[]): Promise<Connection> {
  const taken = new Set((await connections.list()).map(({ id }) => id));
  const free = workers.map(firstConnectionId).find((id) => !taken.has(id));
  const connection = { ...from, id: free ?? `connection:${crypto.randomUUID()}` };
  await connections.put(
    connection,
    workers.map(({ id }) => id),
  );
  return connection;
}

async function giveKey(vault: KeyVault, { id, baseUrl }: Connection, key: string): Promise<void> {
  const origin = originOf(baseUrl);
  if (vault.get(id, origin) !== key) await vault.put(id, origin, key);
}

async function adoptSignIn({ vault, connections }: Stores, { id, baseUrl }: SignInKey): Promise<boolean> {
  const origin = originOf(baseUrl);
  const key = vault.get(id, origin);
  if (key === null) return false;
  const same = (await connections.list()).filter((connection) => connection.baseUrl === baseUrl);
  const keyOf = (connection: Connection) => vault.get(connection.id, origin);
  const found = same.find((connection) => keyOf(connection) === key) ?? same.find((each) => keyOf(each) === null);
  const connection = found ?? { id: `connection:${id}`, baseUrl, needsKey: true };
  if (!found) await connections.put(connection);
  await giveKey(vault, connection, key);
  await vault.remove(id);
  return !found;
}
