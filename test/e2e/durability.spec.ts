import { readFile } from 'node:fs/promises';
import { expect, Podium, test } from './podium';
import { importText, saved, savedRunText, savedText, withoutPicker } from './run-files';

const PASSPHRASE = 'a phrase of four words';
const KEY = 'sk-canary-9f8e7d6c5b4a';

async function ask(podium: Podium, question: string): Promise<void> {
  await podium.choose('Birch');
  await podium.conductor.selectOption('template:best-single');
  await podium.question.fill(question);
  await podium.run.click();
  await podium.ended();
}

test('a backup restores runs, workers and encrypted keys in a fresh browser @smoke', async ({
  page,
  podium,
  browser,
  server,
}) => {
  await withoutPicker(page);
  await podium.addWorker({ address: server.url, model: 'ok@backup', key: KEY, name: 'Desk' });
  await page.goto('/#/settings');
  await page.getByRole('button', { name: 'Save with a passphrase' }).click();
  await page.getByLabel('New passphrase').fill(PASSPHRASE);
  await page.getByLabel('Confirm passphrase').fill(PASSPHRASE);
  await page.getByRole('button', { name: 'Save keys' }).click();
  await expect(page.getByText('Keys are now saved in this browser.')).toBeVisible();
  await podium.runWithOnly('Desk', 'What is six times seven?');
  await podium.ended();
  const before = await podium.storedEvents();
  expect(before.at(-1)?.type).toBe('run-finished');

  await page.goto('/#/settings');
  await page.getByRole('checkbox', { name: 'Include encrypted keys' }).check();
  const path = await saved(page, () => page.getByRole('button', { name: 'Back up' }).click());
  await expect(page.getByText(/^Backed up as podium-.*\.gz\.$/)).toBeVisible();
  const file = await readFile(path);
  expect([file[0], file[1]]).toEqual([0x1f, 0x8b]);

  const context = await browser.newContext();
  const other = new Podium(await context.newPage());
  await other.open('/#/settings');
  const chooser = other.page.waitForEvent('filechooser');
  await other.page.getByRole('button', { name: 'Restore a backup' }).click();
  await (await chooser).setFiles({ name: 'mine.podium-backup.jsonl.gz', mimeType: 'application/gzip', buffer: file });
  const panel = other.page.getByRole('region', { name: 'mine.podium-backup.jsonl.gz' });
  await expect(panel.getByText(/1 worker,.* 1 key vault and 1 run\.$/)).toBeVisible();
  expect(await other.storedEvents()).toEqual([]);
  await panel.getByRole('checkbox', { name: 'I made this backup: count its grades' }).check();
  await panel.getByRole('button', { name: 'Add missing items' }).click();
  await expect(other.page.getByText('1 run added.')).toBeVisible();
  expect(await other.storedEvents()).toEqual(before);

  await other.page.getByRole('link', { name: 'Runs' }).first().click();
  await other.page.getByRole('link', { name: 'What is six times seven?' }).click();
  const slider = other.page.getByRole('slider');
  await expect(slider).toBeVisible();
  await page.goto('/#/runs');
  await page.getByRole('link', { name: 'What is six times seven?' }).click();
  await expect(page.getByRole('slider')).toHaveAttribute('max', (await slider.getAttribute('max')) ?? '');

  await other.page.goto('/#/settings');
  await other.page.getByRole('button', { name: 'Unlock' }).click();
  await other.page.getByLabel('Passphrase').fill(PASSPHRASE);
  await other.page.getByRole('button', { name: 'Unlock' }).click();
  await expect(other.page.getByText('Saved here, unlocked')).toBeVisible();
  await expect(other.page.getByRole('region', { name: 'From a backup' }).getByText(server.url)).toBeVisible();
  await other.page.getByRole('button', { name: /^Use these workers/ }).click();
  await other.runWithOnly('Desk', 'What is six times seven, there?');
  await other.ended();
  expect(server.calls('ok@backup').at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(other.errors).toEqual([]);
  await context.close();
});

test('an import adds only missing runs, and skips only the damaged lines of a file', async ({
  page,
  podium,
  browser,
}) => {
  await withoutPicker(page);
  await podium.open();
  await ask(podium, 'What is 3 + 4 × 5?');
  await ask(podium, 'What is 2 + 2?');
  await page.goto('/#/runs');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const all = await savedText(page, () => dialog.getByRole('button', { name: 'Export' }).click());
  await dialog.getByRole('button', { name: 'Done' }).click();
  expect(all.split('\n')).toHaveLength(3);
  await page.getByRole('link', { name: 'What is 2 + 2?' }).click();
  const one = await savedRunText(page);
  expect(all).toContain(one.trim());

  const context = await browser.newContext();
  const other = new Podium(await context.newPage());
  await other.open('/#/runs');
  await importText(other.page, `${one}half a li\n`);
  await expect(other.page.getByText('1 run added.')).toBeVisible();
  await expect(other.page.getByText('Line 2. It is not valid JSON.')).toBeVisible();
  await expect(other.page.getByText('imported', { exact: true })).toBeVisible();
  await importText(other.page, all);
  await expect(other.page.getByText('1 run added. 1 run was already here.')).toBeVisible();
  await expect(other.page.getByRole('link', { name: 'What is 3 + 4 × 5?' })).toBeVisible();
  expect(other.errors).toEqual([]);
  await context.close();
});

test('a run whose tab closes is shown as interrupted in all other tabs, and only one can resume it', async ({
  page,
  context,
  podium,
  server,
}) => {
  await podium.storeWorkers({ address: server.url, model: 'slow@dead', name: 'Desk' });
  const dying = new Podium(await context.newPage());
  await dying.open();
  await dying.runWithOnly('Desk', 'Who dies?');
  await expect(dying.answer.getByText('The first words')).toBeVisible();
  await page.goto('/#/runs');
  await expect(page.getByText('in another tab')).toBeVisible();
  const third = new Podium(await context.newPage());
  await third.open('/#/runs');
  await expect(third.page.getByText('in another tab')).toBeVisible();
  await dying.page.close();

  await expect(page.getByText('interrupted', { exact: true })).toBeVisible();
  await expect(third.page.getByText('interrupted', { exact: true })).toBeVisible();
  expect((await podium.storedTypes()).filter((type) => type === 'run-interrupted')).toHaveLength(1);
  await page.getByRole('button', { name: 'Resume: Who dies?' }).click();
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
  await expect(third.page.getByText('in another tab')).toBeVisible();
  await expect(third.page.getByRole('button', { name: /^Resume/ })).toHaveCount(0);
  // `release` only affects calls that the server has already received.
  await expect.poll(() => server.calls('slow@dead')).toHaveLength(2);
  server.release();
  await expect.poll(async () => (await podium.storedTypes()).at(-1)).toBe('run-finished');
  expect(third.errors).toEqual([]);
});

test('deleting all runs in one tab also removes them from the list in the other tab', async ({
  page,
  context,
  podium,
}) => {
  await podium.open();
  await ask(podium, 'What is 2 + 2?');
  const other = new Podium(await context.newPage());
  await other.open('/#/runs');
  await expect(other.page.getByRole('link', { name: 'What is 2 + 2?' })).toBeVisible();
  await page.goto('/#/settings');
  await page.getByRole('button', { name: 'Delete all runs' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete all' }).click();
  await expect(other.page.getByText(/No runs yet/)).toBeVisible();
  expect(other.errors).toEqual([]);
});

test('Podium warns and offers Restore if the database was cleared between visits', async ({ page, podium }) => {
  await podium.open();
  await ask(podium, 'What is 2 + 2?');
  // Deletes the database like a browser that is short of space. Podium's marker in localStorage remains.
  await page.goto('about:blank');
  await page.goto('/icon.svg');
  await page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.deleteDatabase('podium');
        request.onsuccess = () => resolve();
        request.onerror = () => reject(new Error('not deleted'));
      }),
  );
  await podium.open('/#/runs');
  await expect(page.getByRole('alert')).toContainText('1 stored run is missing.');
  await page.getByRole('link', { name: 'Restore a backup' }).click();
  await expect(page.getByRole('button', { name: 'Restore a backup' })).toBeInViewport();
  await page.getByRole('button', { name: 'Not now' }).click();
  await expect(page.getByRole('alert')).toBeHidden();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Backup' })).toBeVisible();
  await expect(page.getByRole('alert')).toBeHidden();
});

test('a page lets a newer version of Podium upgrade the database, and asks the user to reload', async ({
  page,
  context,
  podium,
}) => {
  await podium.open();
  await ask(podium, 'What is 2 + 2?');
  const newer = await context.newPage();
  await newer.goto('/icon.svg');
  const upgraded = await newer.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const request = indexedDB.open('podium', 999);
        request.onblocked = () => resolve('blocked');
        request.onsuccess = () => resolve('open');
        request.onerror = () => resolve('failed');
      }),
  );
  expect(upgraded).toBe('open');
  await page.getByRole('link', { name: 'Runs' }).first().click();
  await expect(page.getByRole('alert')).toContainText('A newer version of Podium is open in this browser. Reload');
  await newer.close();
});
