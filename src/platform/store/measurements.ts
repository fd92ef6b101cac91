/** @file Stores measurements of workers, one record for each event. */
import * as z from 'zod/mini';
import type { MeasurementEvent, MeasurementStore } from '../../core/contract/measurement/measurement';
import { measurementSchema } from '../../core/contract/measurement/measurement-schema';
import type { Database } from './database';
import { keysUnder } from './pages';

export function createMeasurementStore(database: Database): MeasurementStore {
  return {
    async list() {
      const first = await database.transact(['measurements'], 'readonly', async (transaction) => {
        const events = transaction.objectStore('measurements');
        const keys = await events.getAllKeys();
        return Promise.all(keys.filter(([, seq]) => seq === 0).map((key) => events.get(key)));
      });
      const heads = first.flatMap(readEvent).map(({ id, at }) => ({ id, startedAt: at }));
      return heads.toSorted((one, other) => other.startedAt - one.startedAt || (one.id < other.id ? -1 : 1));
    },
    async read(id) {
      const values = await database.transact(['measurements'], 'readonly', (transaction) =>
        transaction.objectStore('measurements').getAll(keysUnder(id)),
      );
      return values.flatMap(readEvent);
    },
    async append(event) {
      await database.transact(
        ['measurements'],
        'readwrite',
        (transaction) => transaction.objectStore('measurements').put(event, [event.id, event.seq]),
        'strict',
      );
    },
    async remove(id) {
      await database.transact(['measurements'], 'readwrite', (transaction) =>
        transaction.objectStore('measurements').delete(keysUnder(id)),
      );
    },
  };
}

/** Leaves out an event that is damaged, or that a later version of Podium wrote. */
function readEvent(value: unknown): MeasurementEvent[] {
  const parsed = z.safeParse(measurementSchema, value);
  return parsed.success ? [parsed.data] : [];
}
