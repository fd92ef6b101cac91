/**
 * @file Tests that databases, backups and run files of an earlier version open without losses. The files in
 * test/fixtures/stored were saved with version 0.1.0 on 2026-11-28 and must never be renewed. They have a run of the
 * simulated workers, runs with one worker (graded, failed and interrupted), a dataset, recorded outcomes, two finished
 * batches and a vault with the worker's key.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, Podium, test } from './podium';
import { importText } from './run-files';
import { readStoredRun } from './stored-run';

const FOLDER = join(import.meta.dirname, '../fixtures/stored');
const PASSPHRASE = 'a phrase of four words';
const KEY = 'sk-stored-0123456789';
const RUNS = 14;

/** Answers calls of the stored worker. @returns the headers `Authorization` of the calls so far */
async function answerCalls(page: Page): Promise<readonly (string | undefined)[]> {
  const keys: (string | undefined)[] = [];
  await page.route('https://models.example/**', async (route) => {
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
    if (route.request().method() === 'OPTIONS') return route.fulfill({ status: 204, headers });
    keys.push(route.request().headers().authorization);
    const chunks = [
      { choices: [{ index: 0, delta: { content: 'It was resumed.' }, finish_reason: 'stop' }] },
      { choices: [], usage: { prompt_tokens: 20, completion_tokens: 5 } },
    ];
    const body = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]']
      .map((data) => `data: ${data}\n\n`)
      .join('');
    return route.fulfill({ body, headers: { ...headers, 'content-type': 'text/event-stream' } });
  });
  return keys;
}

/** Writes the stored database into the browser, before any code of Podium runs. */
async function restoreDatabase(page: Page): Promise<void> {
  await page.goto('/icon.svg');
  await page.evaluate(
    async (text) => {
      interface Store {
        readonly keyPath: string | null;
        readonly indexes: readonly { name: string; keyPath: string | string[]; unique: boolean; multiEntry: boolean }[];
        readonly records: readonly (readonly [IDBValidKey, unknown])[];
      }
      interface Stored {
        readonly databases: readonly { name: string; version: number; stores: Record<string, Store> }[];
        readonly localStorage: Record<string, string>;
      }
      const stored: Stored = JSON.parse(text);
      const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const revive = (value: unknown): unknown => {
        if (Array.isArray(value)) return value.map(revive);
        if (typeof value !== 'object' || value === null) return value;
        if ('$' in value) {
          const bytes = 'bytes' in value && typeof value.bytes === 'string' ? bytesOf(value.bytes) : null;
          if (value.$ === 'undefined') return undefined;
          if (value.$ === 'Uint8Array' && bytes) return bytes;
          if (value.$ === 'ArrayBuffer' && bytes) return bytes.buffer;
          throw new Error(`The fixture has a value of the unknown type ${String(value.$)}.`);
        }
        return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, revive(each)]));
      };
      for (const { name, version, stores } of stored.databases) {
        await new Promise<void>((resolve, reject) => {
          const request = indexedDB.open(name, version);
          request.onerror = () => reject(new Error('The database could not be opened.'));
          request.onupgradeneeded = () => {
            for (const [store, { keyPath, indexes, records }] of Object.entries(stores)) {
              const created = request.result.createObjectStore(store, { keyPath });
              for (const index of indexes) created.createIndex(index.name, index.keyPath, index);
              for (const [key, value] of records) created.put(revive(value), keyPath === null ? key : undefined);
            }
          };
          request.onsuccess = () => {
            request.result.close();
            resolve();
          };
        });
      }
      for (const [name, value] of Object.entries(stored.localStorage)) localStorage.setItem(name, value);
    },
    await readFile(join(FOLDER, 'database.json'), 'utf8'),
  );
}

async function unlock(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Unlock' }).click();
  await page.getByLabel('Passphrase').fill(PASSPHRASE);
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(page.getByText('Saved here, unlocked')).toBeVisible();
}

test('a database of an earlier version keeps its runs, worker, key, datasets and batches', async ({ page, podium }) => {
  const keys = await answerCalls(page);
  await restoreDatabase(page);
  await podium.open('/#/runs');
  await expect(page.getByText(`${RUNS} stored in this browser`)).toBeVisible();
  await expect(page.getByText('6 right, 5 wrong, 3 not graded')).toBeVisible();

  await page.goto('/#/evaluate');
  const datasets = page.getByRole('region', { name: 'Datasets' });
  await expect(datasets.getByText(/^4 tasks · recorded scores · 2 recorded workers/)).toBeVisible();
  await expect(datasets.getByText(/^2 tasks/)).toBeVisible();
  await expect(page.getByRole('row', { name: /4 tasks × 2 methods.*Finished/ })).toBeVisible();
  await page
    .getByRole('link', { name: /MATH-500/ })
    .first()
    .click();
  const results = page.getByRole('region', { name: 'Results, table' });
  await expect(results.getByRole('row', { name: /^Desk/ })).toContainText('50.0');

  await page.goto('/#/runs');
  await page.getByRole('link', { name: 'Which run is interrupted?' }).click();
  await page.goto('/#/settings');
  await unlock(page);
  await page.goBack();
  await page.getByRole('button', { name: 'Resume' }).first().click();
  await expect(page.getByRole('main')).toContainText('It was resumed.');
  expect(keys).toEqual([`Bearer ${KEY}`]);
  await expect.poll(() => readStoredRun(page)).toMatchObject({ problems: [], run: { status: 'finished' } });
});

test('a backup of an earlier version restores everything, and its run file adds only missing runs', async ({
  page,
}) => {
  const podium = new Podium(page);
  await podium.open('/#/settings');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Restore a backup' }).click();
  await (await chooser).setFiles(join(FOLDER, 'all.podium-backup.jsonl.gz'));
  const panel = page.getByRole('region', { name: 'all.podium-backup.jsonl.gz' });
  await expect(
    panel.getByText(/1 key vault, 6 tasks of datasets, 2 datasets, 2 batches, 10 results of batches and 14 runs\.$/),
  ).toBeVisible();
  await panel.getByRole('button', { name: 'Add missing items' }).click();
  await expect(page.getByText(`${RUNS} runs added.`)).toBeVisible();
  await unlock(page);

  await page.goto('/#/runs');
  await expect(page.getByText(`${RUNS} stored in this browser`)).toBeVisible();
  await importText(page, await readFile(join(FOLDER, 'runs.podium.jsonl'), 'utf8'));
  await expect(page.getByText(`${RUNS} runs were already here.`)).toBeVisible();
  await expect(page.getByText(`${RUNS} stored in this browser`)).toBeVisible();
});
