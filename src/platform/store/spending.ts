/**
 * @file Stores the daily ledger in IndexedDB: the cost of each worker's calls on each day. One transaction
 * checks the daily cap and reserves the money for a call. IndexedDB runs write transactions on the same
 * stores one after another, so the cap holds across tabs without a lock.
 */
import * as z from 'zod/mini';
import {
  addSums,
  dayOf,
  judgeDay,
  NOTHING_SPENT_YET,
  sumOf,
  totalsOf,
  type Clock,
  type DaySpent,
  type PaidBill,
  type Spending,
} from '../../core/contract';
import { parsePreferences } from '../../core/contract/storage/setup-schema';
import { usd } from '../../core/contract/storage/schema-parts';
import type { Database, Transaction } from './database';

z.config({ jitless: true });

const count = z.number().check(z.gte(0), z.lte(Number.MAX_SAFE_INTEGER));
/** The cost of one worker's calls on one day. */
export const daySpent = z.object({
  day: z.iso.date(),
  workerId: z.string(),
  name: z.string(),
  calls: count,
  tokens: count,
  usd,
  billed: usd,
  unpriced: count,
});
/** `daySpent` as it is read from the database. Invalid amounts, for example from a restored file, are read as 0. */
const storedDay = z.object({
  ...daySpent.shape,
  calls: z.catch(count, 0),
  tokens: z.catch(count, 0),
  usd: z.catch(usd, 0),
  billed: z.catch(usd, 0),
  unpriced: z.catch(count, 0),
});
/** Money reserved for a call in progress. The money counts for the day of the reservation. */
const heldMoney = z.object({
  runId: z.string(),
  workerId: z.string(),
  name: z.string(),
  day: z.string(),
  usd: z.catch(z.nullable(usd), null),
  call: z.optional(z.object({ round: count, step: z.nullable(count), attempt: count })),
});
type HeldMoney = z.infer<typeof heldMoney>;

type Writing = Transaction<('spending' | 'holds' | 'preferences')[], 'readwrite'>;

/** @param newId creates ids of reservations */
export function createSpending(database: Database, clock: Clock, newId: () => string): Spending {
  return {
    hold: (call) =>
      database.transact(
        ['spending', 'holds', 'preferences'],
        'readwrite',
        async (transaction) => {
          const day = dayOf(clock.now());
          const [rows, holds, preferences] = await Promise.all([
            transaction.objectStore('spending').getAll(rowsFrom(day)),
            transaction.objectStore('holds').getAll(),
            transaction.objectStore('preferences').get('preferences'),
          ]);
          const { dayUsd } = parsePreferences(preferences);
          const spent = readRows(rows).reduce((sum, row) => sum + (row.day === day ? row.usd : 0), 0);
          const held = holds
            .flatMap(readHold)
            .reduce((sum, { day: its, usd }) => sum + (its === day ? (usd ?? 0) : 0), 0);
          const refusal = judgeDay(call, dayUsd, { spent, held });
          if (refusal) return refusal;
          const id = newId();
          await transaction.objectStore('holds').put({ ...call, day } satisfies HeldMoney, id);
          return { type: 'held', id };
        },
        'strict',
      ),

    async settle(id, bill) {
      await database.transact(['spending', 'holds', 'preferences'], 'readwrite', async (transaction) => {
        const [hold] = readHold(await transaction.objectStore('holds').get(id));
        if (hold && bill) await book(transaction, id, hold, bill);
        else if (hold) await transaction.objectStore('holds').delete(id);
      });
    },

    async abandon(runId, neverLeft = () => false) {
      await database.transact(['spending', 'holds', 'preferences'], 'readwrite', async (transaction) => {
        const store = transaction.objectStore('holds');
        const [ids, values] = await Promise.all([store.getAllKeys(), store.getAll()]);
        for (const [index, id] of ids.entries()) {
          const [hold] = readHold(values[index]);
          if (hold?.runId !== runId) continue;
          if (hold.call && neverLeft(hold.call)) await store.delete(id);
          else await book(transaction, id, hold, UNKNOWN);
        }
      });
    },

    async holders() {
      const holds = await database.transact(['holds'], 'readonly', (transaction) =>
        transaction.objectStore('holds').getAll(),
      );
      return [...new Set(holds.flatMap(readHold).map(({ runId }) => runId))];
    },

    async totals() {
      const today = dayOf(clock.now());
      const rows = await database.transact(['spending'], 'readonly', (transaction) =>
        transaction.objectStore('spending').getAll(rowsFrom(`${today.slice(0, 8)}01`)),
      );
      return totalsOf(readRows(rows), today);
    },
  };
}

const UNKNOWN: PaidBill = { usd: null, billed: false, tokens: 0 };

/** Releases a reservation, and adds the cost to the day of the reservation. An unknown cost counts as the reserved amount. */
async function book(transaction: Writing, id: string, hold: HeldMoney, bill: PaidBill): Promise<void> {
  const { day, workerId, name } = hold;
  const spending = transaction.objectStore('spending');
  const [before] = readRows([await spending.get([day, workerId])]);
  const sum = addSums(before ?? NOTHING_SPENT_YET, sumOf(bill, hold.usd));
  await Promise.all([
    spending.put({ day, workerId, name, ...sum } satisfies DaySpent, [day, workerId]),
    transaction.objectStore('holds').delete(id),
  ]);
}

/** The range of keys that begin with `day` (YYYY-MM-DD) or a later day. */
function rowsFrom(day: string): IDBKeyRange {
  return IDBKeyRange.lowerBound([day, '']);
}

function readRows(values: readonly unknown[]): DaySpent[] {
  return values.flatMap((value) => {
    const parsed = storedDay.safeParse(value);
    return parsed.success ? [parsed.data] : [];
  });
}

function readHold(value: unknown): HeldMoney[] {
  const parsed = heldMoney.safeParse(value);
  return parsed.success ? [parsed.data] : [];
}
