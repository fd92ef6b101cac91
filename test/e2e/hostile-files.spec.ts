/**
 * @file Tests imports of hostile files. Valid parts are imported, invalid parts are reported, and
 * all pages still work, also after a reload.
 */
import { writeFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import {
  HOSTILE_BACKUPS,
  HOSTILE_POLICIES,
  HOSTILE_RUN_FILES,
  STORED_RECORDS,
  type HostileFile,
} from '../fixtures/hostile/files';
import { expect, test, type Podium } from './podium';

const PAGES = ['/', '/runs', '/train', '/workers', '/models', '/settings'];
/** A long time limit (ms), because a busy machine reads large files slowly. */
const WHILE = 120_000;

/** Records the longest task of the main thread. */
async function watchTasks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const longest = { ms: 0 };
    Object.assign(window, { longest });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest.ms = Math.max(longest.ms, duration);
    }).observe({ type: 'longtask', buffered: true });
  });
}

/** @returns the longest task since the previous call, ms */
function longestTask(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { longest } = window as unknown as { longest: { ms: number } };
    const { ms } = longest;
    longest.ms = 0;
    return Math.round(ms);
  });
}

/**
 * Chooses a file with this button. The file is written to disk first, because a buffer would pass
 * through the page's main thread.
 */
async function choose(page: Page, button: string, file: HostileFile): Promise<void> {
  const path = test.info().outputPath('hostile.jsonl');
  await writeFile(path, await file.bytes());
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: button, exact: true }).click();
  await (await chooser).setFiles(path);
}

async function storedIds(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('podium');
      request.onsuccess = () => resolve(request.result);
    });
    const store = database.transaction('summaries').objectStore('summaries');
    const summaries = await new Promise<{ id: string }[]>((resolve) => {
      const request: IDBRequest<{ id: string }[]> = store.getAll();
      request.onsuccess = () => resolve(request.result);
    });
    database.close();
    return summaries.map(({ id }) => id);
  });
}

/**
 * Checks that every page shows a heading, and that no page shows an error instead of its content.
 */
async function visit(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await page.goto(`/#${path}`);
    const main = page.getByRole('main');
    await expect(main.getByRole('heading').first(), path).toBeVisible();
    await expect(page.getByRole('heading', { name: /couldn’t be shown|couldn’t load this page/i }), path).toHaveCount(
      0,
    );
  }
}

/** Shows the models that don't fit the test machine. They are hidden at first. */
async function showAllModels(page: Page): Promise<void> {
  await page.goto('/#/models');
  await page.getByRole('button', { name: /^Show .* won’t run here$/ }).click();
}

async function visitAll(podium: Podium): Promise<string[]> {
  const { page } = podium;
  const runs = (await storedIds(page)).map((id) => `/runs/${encodeURIComponent(id)}`);
  await visit(page, [...PAGES, ...runs]);
  await page.reload();
  await visit(page, [...PAGES, ...runs]);
  return runs;
}

/** Longer files are tested only in Node, in `test/platform/store/hostile-files.long.test.ts`. */
const LONGEST = 3_000_000;

/** Returns one file with a good run, the strange line of each hostile file that is not too long, and another good run. */
async function strangeRuns(): Promise<HostileFile> {
  const between: string[] = [];
  let [recovered, refused] = [2, 0];
  let good: readonly string[] = [];
  for (const file of HOSTILE_RUN_FILES) {
    if (file.refused === 'file') continue;
    const bytes = await file.bytes();
    const lines = bytes.length > LONGEST ? [] : String(bytes).trimEnd().split('\n');
    const [first, strange, last] = lines;
    if (lines.length !== 3 || first === undefined || strange === undefined || last === undefined) continue;
    good = [first, last];
    between.push(strange);
    recovered += file.recovered - 2;
    refused += file.refused;
  }
  const [first = '', last = ''] = good;
  const text = [first, ...between, last].map((line) => `${line}\n`).join('');
  return { name: 'strange runs', bytes: () => Promise.resolve(Buffer.from(text)), recovered, refused };
}

/** Hostile files that end in an error, one for each kind of limit, and an incomplete one. */
const WHOLE_FILES = [
  'half a gzipped file',
  '57 kB of gzipped objects',
  '1 MB of line breaks',
  '20,000 lines that are no runs',
];

test('imports the valid runs of hostile files and reports the invalid lines', async ({ podium, page }) => {
  test.setTimeout(5 * 60_000);
  await watchTasks(page);
  await podium.open('/#/runs');
  const table: string[] = [];
  let longest = 0;
  const strange = await strangeRuns();
  expect(strange.recovered).toBeGreaterThan(10);
  expect(strange.refused).toBeGreaterThan(5);
  for (const file of [strange, ...HOSTILE_RUN_FILES.filter(({ name }) => WHOLE_FILES.includes(name))]) {
    const before = (await storedIds(page)).length;
    await longestTask(page);
    await choose(page, 'Import', file);
    const main = page.getByRole('main');
    const panel = main.locator('.panel[role="status"]');
    await expect(panel, file.name).toBeVisible({ timeout: WHILE });
    await expect(page.getByRole('button', { name: 'Stop', exact: true }), file.name).toHaveCount(0, { timeout: WHILE });
    const shownText = await panel.innerText();
    const faults = (await main.getByRole('alert').allInnerTexts()).join(' ');
    const lines = Number(/([\d,]+) lines? could not be read/.exec(shownText)?.[1]?.replace(',', '') ?? 0);
    const added = (await storedIds(page)).length - before;
    const ms = await longestTask(page);
    expect.soft(added, `${file.name}: runs that were added`).toBe(file.recovered);
    if (file.refused === 'file') expect.soft(faults, file.name).toMatch(/The rest was not read/);
    else expect.soft(lines, `${file.name}: lines refused, “${shownText}”`).toBe(file.refused);
    if (file.delta) expect.soft(`${shownText} ${faults}`, file.name).toMatch(file.delta);
    table.push(`${file.name}: ${added} recovered, ${file.refused === 'file' ? 'file' : lines} refused`);
    longest = Math.max(longest, ms);
    await page.getByRole('button', { name: 'Dismiss' }).click();
  }
  const runs = await visitAll(podium);
  console.log(table.join('\n'));
  console.log(
    `longest block of the page: ${longest} ms while reading, ${await longestTask(page)} ms while showing ${runs.length} runs`,
  );
});

test('restores the valid parts of every hostile backup and reports the invalid parts', async ({ podium, page }) => {
  test.setTimeout(10 * 60_000);
  await watchTasks(page);
  await podium.open('/#/settings');
  for (const file of HOSTILE_BACKUPS) {
    await choose(page, 'Restore a backup', file);
    const alert = page.getByRole('main').getByRole('alert');
    const panel = page.getByRole('region', { name: 'hostile.jsonl' });
    await expect(alert.or(panel).first(), file.name).toBeVisible({ timeout: WHILE });
    const shownText = await alert.or(panel).first().innerText();
    if (file.delta) expect.soft(shownText, file.name).toMatch(file.delta);
    if (file.refused === 'file') {
      expect.soft(await panel.count(), file.name).toBe(0);
      continue;
    }
    await panel.getByRole('button', { name: 'Add missing items' }).click();
    await expect(page.getByText('Restored.', { exact: true }), file.name).toBeVisible({ timeout: WHILE });
    const result = await page.locator('.panel[role="status"]').innerText();
    const count = (pattern: RegExp) => [...result.matchAll(pattern)].reduce((sum, [, value]) => sum + Number(value), 0);
    const recovered = count(/^(\d+) [\w ]+ added\.$/gm);
    const damaged = count(/^(\d+) of \d+ [\w ]+ (?:is|are) damaged/gm);
    expect.soft([recovered, damaged], `${file.name}: ${result}`).toEqual([file.recovered, file.refused]);
    console.log(`${file.name}: ${recovered} records recovered, ${damaged} refused`);
  }
  await visitAll(podium);
  console.log(`longest block of the page: ${await longestTask(page)} ms`);
});

test('rejects hostile policy files of any size and depth', async ({ podium, page }) => {
  await watchTasks(page);
  await podium.open('/#/train');
  for (const file of HOSTILE_POLICIES) {
    await longestTask(page);
    await choose(page, 'Import a policy', file);
    await expect(page.getByRole('alert').filter({ hasText: /not a policy/ }), file.name).toBeVisible();
    console.log(`${file.name}: refused, longest block of the page ${await longestTask(page)} ms`);
  }
  await visitAll(podium);
});

test('shows every page despite invalid records of an older version, and shows bad links as text', async ({
  podium,
  page,
}) => {
  test.setTimeout(5 * 60_000);
  await podium.open();
  await expect(podium.run).toBeVisible();
  await page.evaluate(async (records) => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('podium');
      request.onsuccess = () => resolve(request.result);
    });
    const transaction = database.transaction([...database.objectStoreNames], 'readwrite');
    for (const [store, value, key] of records) transaction.objectStore(store).put(value, key);
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error('aborted'));
    });
    database.close();
  }, STORED_RECORDS);
  await page.reload();
  const runs = await visitAll(podium);
  expect(runs).toHaveLength(5);
  // The rows appear after the heading, so `visitAll` may leave the page before they are shown.
  await page.goto('/#/runs');
  for (const id of ['stored-future', 'stored-twice', 'stored-images', 'stored-steps', 'stored-pool']) {
    await expect(page.getByRole('row').filter({ hasText: `Question of ${id}` }), id).toBeVisible();
  }

  await showAllModels(page);
  const row = page.getByRole('row').filter({ hasText: 'Model own:bad-link' });
  await expect(row).toContainText('Bad licence (javascript:alert(1))');
  await expect(row.getByRole('button', { name: 'Bad licence' })).toHaveCount(0);
  expect(await page.locator('[href^="javascript" i]').count()).toBe(0);
  await page.goto('/#/workers');
  await page.getByRole('button', { name: 'Edit Worker worker:bad-link' }).click();
  await page.getByText('Name, strengths and price').click();
  await expect(page.getByText('(javascript:alert(1))')).toBeVisible();
  expect(await page.locator('[href^="javascript" i]').count()).toBe(0);
});

test('shows an error if a page can’t be rendered, and recovers after a reload', async ({ podium, page }) => {
  const [good] = HOSTILE_RUN_FILES;
  if (!good) throw new Error('There is no file.');
  await podium.open('/#/runs');
  await choose(page, 'Import', good);
  await expect(page.getByText('2 runs added.')).toBeVisible();
  await page.goto('/#/');
  await expect(podium.run).toBeVisible();
  await page.evaluate(() => {
    Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
      configurable: true,
      get: () => () => {
        throw new RangeError('Invalid time value sk-canary-1234567890abcdefghij');
      },
    });
  });
  await page.goto('/#/runs');
  const failed = page.getByRole('heading', { name: 'This page couldn’t be shown' });
  await expect(failed).toBeVisible();
  await page.getByText('Details for a report').click();
  const report = await page.getByRole('alert').locator('pre').innerText();
  expect(report).toMatch(/^Podium [\d.]+, page \/runs\nRangeError: Invalid time value …\n {2}at [\w-]+\.js:\d+:\d+/);
  await page.getByRole('link', { name: 'Open Settings to back up or delete' }).click();
  await expect(page.getByRole('heading', { name: 'Settings', exact: true })).toBeVisible();
  await expect(failed).toHaveCount(0);
  await page.goto('/#/runs');
  await expect(failed).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Runs', exact: true })).toBeVisible();
  await expect(failed).toHaveCount(0);
});

test('shows the address of an imported link first, and opens nothing if the user declines', async ({
  podium,
  page,
  context,
}) => {
  await podium.open('/#/settings');
  const backup = HOSTILE_BACKUPS.at(-1);
  if (!backup) throw new Error('There is no backup.');
  await choose(page, 'Restore a backup', backup);
  await page.getByRole('button', { name: 'Add missing items' }).click();
  await expect(page.getByText('Restored.', { exact: true })).toBeVisible({ timeout: WHILE });
  await showAllModels(page);
  const row = page.getByRole('row').filter({ hasText: 'Model own:good' });
  await row.getByRole('button', { name: 'Its licence' }).click();
  const dialog = page.getByRole('dialog', { name: 'Open this address?' });
  await expect(dialog).toContainText('https://example.org/licence');
  await dialog.getByRole('button', { name: 'Stay here' }).click();
  await expect(dialog).toBeHidden();
  expect(context.pages()).toHaveLength(1);
});

test('lists each model of a server once, even if the server repeats it', async ({ podium, page }) => {
  await page.route('http://127.0.0.1:9/v1/models', (route) => {
    const data = ['twice', 'twice', 'once', '__proto__', 'twice', 'x'.repeat(100_000)].map((id) => ({ id }));
    return route.fulfill({ json: { object: 'list', data }, headers: { 'access-control-allow-origin': '*' } });
  });
  await podium.connect({ address: 'http://127.0.0.1:9/v1' });
  await expect(podium.modelPicker.getByText('3 models, read today')).toBeVisible();
  await expect(podium.modelPicker.getByRole('checkbox')).toHaveCount(3);
  await visit(page, PAGES);
});

test('keeps every completely imported run when an import is stopped', async ({ podium, page }) => {
  test.setTimeout(5 * 60_000);
  await podium.open('/#/runs');
  const good = HOSTILE_RUN_FILES.find(({ name }) => name === 'lone surrogates');
  const text = String(await good?.bytes());
  const lines = text.trimEnd().split('\n');
  const many = Array.from({ length: 6000 }, (_, index) =>
    (lines[0] ?? '').replaceAll(/hostile-\d+/g, `many-${index}`),
  ).join('\n');
  await choose(page, 'Import', {
    name: 'many',
    bytes: () => Promise.resolve(Buffer.from(many)),
    recovered: 0,
    refused: 0,
  });
  await expect.poll(async () => (await storedIds(page)).length, { timeout: WHILE }).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(page.getByText('Stopped. Runs imported so far are kept, and each is complete.')).toBeVisible();
  const ids = await storedIds(page);
  expect(ids.length).toBeLessThan(6000);
  await page.waitForFunction(() => document.querySelectorAll('a[href^="#/runs/many-"]').length > 0);
  expect(await storedIds(page), 'nothing is imported after Stop').toHaveLength(ids.length);
});
