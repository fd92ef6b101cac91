import type { Locator, Page } from '@playwright/test';
import {
  backupText,
  falseService,
  openSettings,
  selfConfirmed,
  type BackupSections,
} from '../fixtures/hostile/backups';
import type { OpenAiServer } from '../fixtures/openai-server';
import { expect, test, type Podium } from './podium';

const KEY = 'sk-canary-0123456789abcdefghijklmnop';

async function restore(page: Page, sections: BackupSections, how: 'Add missing items' | 'Replace everything') {
  await page.goto('/#/settings');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Restore a backup' }).click();
  const buffer = Buffer.from(backupText(sections));
  await (await chooser).setFiles({ name: 'gift.podium-backup.jsonl', mimeType: 'application/json', buffer });
  await page.getByRole('button', { name: how }).click();
  if (how === 'Replace everything') await page.getByRole('dialog').getByRole('button', { name: how }).click();
  await expect(page.getByText('Restored.', { exact: true })).toBeVisible();
}

const edit = (page: Page) => page.getByRole('button', { name: /^Edit the connection / }).click();
const toWorkers = (page: Page) => page.getByRole('link', { name: 'Workers', exact: true }).click();

/**
 * Connects to the server, and removes the connection again. This loads the code that sends requests. Without it, a forbidden
 * request could wait for this code, and be sent only after the test has looked for it.
 */
async function loadRequestCode(page: Page, podium: Podium, server: OpenAiServer): Promise<void> {
  await podium.connect({ address: server.url });
  await expect(podium.modelPicker.getByText(/models, read today/)).toBeVisible();
  await podium.modelPicker.getByRole('button', { name: 'Close' }).click();
  const remove = page.getByRole('button', { name: /^Remove the connection / });
  await remove.first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(remove).toHaveCount(1);
}

/** Records the requests that the page sends to the server from now on. */
function watchRequests(page: Page, server: OpenAiServer): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().startsWith(server.url)) sent.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  return sent;
}

/** Confirms the address. Checks that the page has sent nothing before, and that it then sends only the request for the models. */
async function acceptAddress(form: Locator, server: OpenAiServer, sent: readonly string[]): Promise<void> {
  const before = server.requests.length;
  expect(sent, 'the page sends nothing before the user confirms the address').toEqual([]);
  await form.getByRole('button', { name: 'Use this address' }).click();
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toBeHidden();
  expect(sent).toEqual(['GET /v1/models']);
  expect(server.requests.slice(before)).toMatchObject([
    { method: 'GET', path: '/v1/models', headers: { authorization: `Bearer ${KEY}` } },
  ]);
}

test('a worker that imitates a service gets no key before the user accepts its address, even if an older version stored it', async ({
  page,
  podium,
  server,
}) => {
  const { host } = new URL(server.url);
  await page.clock.install();
  await podium.open('/#/settings');
  await restore(page, { workers: [falseService(server.url)] }, 'Add missing items');
  await toWorkers(page);
  await loadRequestCode(page, podium, server);
  const sent = watchRequests(page, server);
  await edit(page);
  const form = page.getByRole('form', { name: 'Edit the connection' });
  await expect(form.getByLabel('Provider')).toHaveValue('custom');
  await expect(form.getByLabel('Address')).toHaveValue(server.url);
  const key = form.getByLabel('Key', { exact: true });
  await expect(key).toHaveAccessibleDescription(new RegExp(`sent to ${host.replaceAll('.', '\\.')} only`));
  await key.pressSequentially(KEY);
  await page.clock.runFor(10_000);
  await key.blur();
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByText(/^This address came from a file\. Check it/)).toBeVisible();
  await page.clock.runFor(10_000);
  await acceptAddress(form, server, sent);

  await page.getByRole('button', { name: /^Remove the connection / }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('button', { name: /^Remove the connection / })).toHaveCount(0);
  await page.evaluate(
    async (worker) => {
      const done = <T>(request: IDBRequest<T>) =>
        new Promise<T>((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(new Error('no answer'));
        });
      const database = await done(indexedDB.open('podium'));
      await done(database.transaction('setups', 'readwrite').objectStore('setups').put(worker, worker.id));
      database.close();
    },
    falseService(server.url) as { id: string },
  );
  await page.reload();
  const later = watchRequests(page, server);
  await edit(page);
  await expect(form.getByLabel('Provider')).toHaveValue('custom');
  await expect(form.getByLabel('Address')).toHaveValue(server.url);
  await key.pressSequentially(KEY);
  await page.clock.runFor(10_000);
  await key.blur();
  await page.clock.runFor(10_000);
  await acceptAddress(form, server, later);
});

/** The text of the workers and Conductors that the page Conduct offers. */
async function offered(podium: Podium): Promise<string> {
  await podium.page.getByRole('link', { name: 'Conduct', exact: true }).click();
  await expect(podium.run).toBeVisible();
  return `${await podium.workers.innerText()} ${await podium.conductor.innerText()}`;
}

for (const how of ['Add missing items', 'Replace everything'] as const) {
  test(`“${how}” restores workers and settings, which then wait for confirmation`, async ({ page, podium, server }) => {
    await podium.open('/#/settings');
    const model = `ok@${how}`;
    const workers = [falseService(server.url, { model, needsKey: false }), selfConfirmed(server.url)];
    await restore(page, { preferences: [openSettings('w-false')], workers }, how);
    const panel = page.getByRole('region', { name: 'From a backup' });
    await expect(panel.getByText(server.url)).toBeVisible();
    await expect(panel.getByText('Conductor: GPT-5')).toBeVisible();
    await expect(panel.getByText('Recursion: on')).toBeVisible();
    await expect(panel.getByText('Max output tokens: 200,000')).toBeVisible();
    expect(await offered(podium)).not.toMatch(/GPT-5|Confirmed/);
    await page.reload();
    await podium.question.fill('What is 2 + 2?');
    await podium.run.click();
    await podium.ended();
    // When a run has ended, the page has also loaded the stored workers.
    expect(await offered(podium)).not.toMatch(/GPT-5|Confirmed/);
    expect(server.calls(model)).toEqual([]);

    await toWorkers(page);
    const confirmations = page.getByRole('button', { name: /^Confirm / });
    await expect(confirmations).toHaveCount(2);
    await page.getByRole('button', { name: 'Confirm GPT-5' }).click();
    await expect(confirmations).toHaveCount(1);
    await page.getByRole('button', { name: 'Use these workers and settings' }).click();
    await expect(panel).toBeHidden();
    await page.getByRole('link', { name: 'Conduct', exact: true }).click();
    for (const name of ['GPT-5', 'Confirmed']) await expect(podium.workers).toContainText(name);
    await expect(podium.conductor).toHaveValue('endpoint:w-false');
    await podium.runWithOnly('GPT-5');
    await podium.ended();
    expect(server.calls(model)).toHaveLength(1);
    await page.reload();
    await toWorkers(page);
    await expect(page.getByRole('button', { name: 'Edit GPT-5' })).toBeVisible();
    await expect(page.getByText('not confirmed')).toHaveCount(0);
  });
}

test('restored settings that are discarded change nothing', async ({ page, podium }) => {
  await podium.open('/#/settings');
  await restore(page, { preferences: [openSettings('w-false')] }, 'Replace everything');
  // Changed settings are stored with a delay.
  const stored = async () => JSON.stringify(await page.context().storageState({ indexedDB: true }));
  await expect.poll(stored).toContain('w-false');
  await page.getByRole('button', { name: 'Discard the settings' }).click();
  await expect(page.getByRole('region', { name: 'From a backup' })).toBeHidden();
  await expect.poll(stored).not.toContain('w-false');
  await page.reload();
  await expect(page.getByLabel('Calls', { exact: true })).toHaveValue('16');
  await expect(page.getByRole('button', { name: 'Use these settings' })).toBeHidden();
});
