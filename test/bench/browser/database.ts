/** @file A temporary Podium database for benchmarks, and the workers of its runs. */
import { deleteDB } from 'idb';
import type { PoolWorker } from '../../../src/core/contract';
import { createDatabase, type Database } from '../../../src/platform/store/database';

export async function withDatabase(work: (database: Database, name: string) => Promise<void>): Promise<void> {
  const name = `podium-bench-${crypto.randomUUID()}`;
  const database = createDatabase({ name });
  try {
    await work(database, name);
  } finally {
    database.close();
    await deleteDB(name);
  }
}

export function benchPool(count: number): PoolWorker[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `bench:${index}`,
    name: `Worker ${index}`,
    mark: 'Wo',
    colour: 1,
    kind: 'local',
    model: 'bench',
    origin: null,
    price: { input: 0, output: 0 },
  }));
}
