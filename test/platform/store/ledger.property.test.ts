/**
 * @file Tests the ledger, which records the money reserved and spent on each day. Invalid amounts in files or in the database
 * must neither lower today's spending nor raise the daily budget.
 */
import 'fake-indexeddb/auto';
import * as fc from 'fast-check';
import { deleteDB } from 'idb';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dayOf, type RestoreMode } from '../../../src/core/contract';
import { createArchive } from '../../../src/platform/store/archive';
import { createFileReader } from '../../../src/platform/store/file-reader';
import { createDatabase } from '../../../src/platform/store/database';
import { createPreferencesStore } from '../../../src/platform/store/preferences';
import { createRunStore } from '../../../src/platform/store/run-store';
import { createSpending } from '../../../src/platform/store/spending';
import { FakeClock } from '../../fixtures/fake-clock';
import { MemoryLocks } from '../../fixtures/memory-locks';

const NOW = new Date(2026, 10, 21, 12).getTime();
const TODAY = dayOf(NOW);
const WORKERS = ['ash', 'birch', 'cedar'];
let counter = 0;

function browser() {
  const name = `ledger-${++counter}`;
  const database = createDatabase({ name });
  const store = createRunStore(database);
  const locks = new MemoryLocks().tab();
  const parts = { database, store, locks, clock: { now: () => NOW } };
  const archive = createArchive({ ...parts, app: '9.9.9', reader: createFileReader(parts) });
  let ids = 0;
  const spending = createSpending(database, new FakeClock('auto', NOW), () => `hold-${++ids}`);
  onTestFinished(async () => {
    database.close();
    await deleteDB(name);
  });
  return { database, archive, spending };
}
type Browser = ReturnType<typeof browser>;

function row(workerId: string, usd: unknown, more: object = {}) {
  return { day: TODAY, workerId, name: workerId, calls: 1, tokens: 10, usd, billed: 0, unpriced: 0, ...more };
}

/** Returns a backup with these spending records, as if the file had been edited by hand. */
function backupOf(rows: readonly unknown[]): File {
  const head = {
    format: 'podium-backup',
    version: 1,
    app: '1',
    madeAt: NOW,
    sections: [{ name: 'spending', lines: rows.length }],
  };
  const lines = [head, ...rows.map((value) => ({ section: 'spending', value }))];
  return new File([lines.map((line) => `${JSON.stringify(line)}\n`).join('')], 'edited.jsonl');
}

async function restore({ archive }: Browser, rows: readonly unknown[], mode: RestoreMode) {
  let damage: readonly string[] = [];
  for await (const progress of archive.restore(backupOf(rows), { mode, isOwn: true }, new AbortController().signal))
    damage = progress.damage;
  return damage;
}

const usdToday = async ({ spending }: Browser) => (await spending.totals()).today.usd;

describe('a spending record with an invalid amount or day', () => {
  it.each([
    ['negative', -1e6],
    ['larger than any bill', 1e300],
    ['a text', '5'],
    ['missing', undefined],
  ])('is not restored: %s', async (_what, usd) => {
    const page = browser();
    expect(await restore(page, [row('ash', usd)], 'merge')).toContainEqual(
      expect.stringContaining('1 of 1 spending record is damaged'),
    );
    expect(await usdToday(page)).toBe(0);
  });

  it.each([
    ['negative', -1e6],
    ['infinite', -Infinity],
    ['no number', NaN],
  ])('counts as 0 if it is already stored in this browser: %s', async (_what, usd) => {
    const page = browser();
    await page.database.transact(['spending'], 'readwrite', (transaction) =>
      transaction.objectStore('spending').put(row('ash', usd), [TODAY, 'ash']),
    );
    await createPreferencesStore(page.database).write({ dayUsd: 1 });
    const call = { runId: 'run', workerId: 'ash', name: 'Ash', usd: 0.6 };
    const held = await page.spending.hold(call);
    expect(held.type).toBe('held');
    await page.spending.settle(held.type === 'held' ? held.id : '', { usd: 0.6, billed: true, tokens: 5 });
    expect(await usdToday(page)).toBe(0.6);
    expect(await page.spending.hold(call)).toMatchObject({ type: 'refused', fault: { code: 'cap-reached' } });
  });

  it('does not use up today’s budget if its day is in the future', async () => {
    const page = browser();
    await restore(page, [row('ash', 5, { day: '2999-01-01' })], 'merge');
    await createPreferencesStore(page.database).write({ dayUsd: 1 });
    const call = { runId: 'run', workerId: 'ash', name: 'Ash', usd: 0.6 };
    expect((await page.spending.hold(call)).type).toBe('held');
  });
});

describe('an invalid daily budget', () => {
  it.each([
    ['negative', -1],
    ['a text', 'none'],
    ['infinite', Infinity],
  ])('allows no spending: %s', async (_what, dayUsd) => {
    const { database, spending } = browser();
    await database.transact(['preferences'], 'readwrite', (transaction) =>
      transaction.objectStore('preferences').put({ dayUsd }, 'preferences'),
    );
    const call = { runId: 'run', workerId: 'ash', name: 'Ash', usd: 0.01 };
    expect(await spending.hold(call)).toMatchObject({ type: 'refused', limit: 0 });
  });
});

describe('the ledger of the day', () => {
  it('never lowers today’s spending, whatever is reserved, settled, abandoned and restored', async () => {
    const usd = fc.oneof(
      fc.double({ min: 0, max: 3, noNaN: true }),
      fc.constantFrom(-1e6, -0.5, -Number.MIN_VALUE, -0, 0, 1e300, Infinity, -Infinity, NaN),
    );
    const worker = fc.constantFrom(...WORKERS);
    const step = fc.oneof(
      fc.record({ type: fc.constant('hold' as const), worker, usd: fc.option(usd) }),
      fc.record({
        type: fc.constant('settle' as const),
        usd: fc.option(usd),
        tokens: fc.integer({ min: -9, max: 9 }),
        leaves: fc.boolean(),
      }),
      fc.record({ type: fc.constant('abandon' as const) }),
      fc.record({
        type: fc.constant('restore' as const),
        mode: fc.constantFrom('merge' as const, 'replace' as const),
        rows: fc.array(fc.tuple(worker, usd), { maxLength: 3 }),
      }),
      fc.record({ type: fc.constant('stored row' as const), worker, usd }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const page = browser();
        const open: string[] = [];
        let spent = 0;
        for (const each of steps) {
          switch (each.type) {
            case 'hold': {
              const held = await page.spending.hold({
                runId: 'run',
                workerId: each.worker,
                name: each.worker,
                usd: each.usd,
              });
              if (held.type === 'held') open.push(held.id);
              break;
            }
            case 'settle':
              await page.spending.settle(
                open.shift() ?? '',
                each.leaves ? { usd: each.usd, billed: true, tokens: each.tokens } : null,
              );
              break;
            case 'abandon':
              await page.spending.abandon('run');
              break;
            case 'restore':
              await restore(
                page,
                each.rows.map(([id, amount]) => row(id, amount)),
                each.mode,
              );
              break;
            case 'stored row': {
              // Adds the row only if there is none yet, because only the ledger may overwrite a row.
              await page.database.transact(['spending'], 'readwrite', async (transaction) => {
                const rows = transaction.objectStore('spending');
                if (!(await rows.get([TODAY, each.worker])))
                  await rows.put(row(each.worker, each.usd), [TODAY, each.worker]);
              });
              break;
            }
            default:
              each satisfies never;
          }
          const { usd: now, billed } = (await page.spending.totals()).today;
          expect(Number.isFinite(now)).toBe(true);
          expect(billed).toBeGreaterThanOrEqual(0);
          expect(now).toBeGreaterThanOrEqual(spent);
          spent = now;
        }
      }),
      { numRuns: 60 },
    );
  });
});
