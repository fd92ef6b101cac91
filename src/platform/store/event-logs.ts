/** @file Stores logs of events in the database, one record for each event. */
import type { EventLogs, LogStamp } from '../../core/contract/storage/event-logs';
import type { Database } from './database';
import { keysUnder } from './pages';

/**
 * @param parse `null`: the value can't be read, because it is damaged or a later version of Podium wrote it. Such events are left
 * out, and stay stored.
 */
export function createEventLogs<Event extends LogStamp>(
  database: Database,
  name: 'measurements' | 'searches',
  parse: (value: unknown) => Event | null,
): EventLogs<Event> {
  const readable = (value: unknown): Event[] => {
    const event = parse(value);
    return event === null ? [] : [event];
  };
  return {
    async list() {
      const first = await database.transact([name], 'readonly', async (transaction) => {
        const events = transaction.objectStore(name);
        const keys = await events.getAllKeys();
        return Promise.all(keys.filter(([, seq]) => seq === 0).map((key) => events.get(key)));
      });
      const heads = first.flatMap(readable).map(({ id, at }) => ({ id, startedAt: at }));
      return heads.toSorted((one, other) => other.startedAt - one.startedAt || (one.id < other.id ? -1 : 1));
    },
    async read(id) {
      const values = await database.transact([name], 'readonly', (transaction) =>
        transaction.objectStore(name).getAll(keysUnder(id)),
      );
      return values.flatMap(readable);
    },
    async append(event) {
      await database.transact(
        [name],
        'readwrite',
        (transaction) => transaction.objectStore(name).put(event, [event.id, event.seq]),
        'strict',
      );
    },
    async remove(id) {
      await database.transact([name], 'readwrite', (transaction) =>
        transaction.objectStore(name).delete(keysUnder(id)),
      );
    },
  };
}
