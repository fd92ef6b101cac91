/** @file Tests the installation and updates of Podium, and the section *About* in *Settings*. */
import type { Page } from '@playwright/test';
import { startStaticHost, type StaticHost } from '../fixtures/static-host';
import { expect, Podium, test as base } from './podium';

const test = base.extend<{ host: StaticHost }>({
  host: async ({ browserName: _browser }, use) => {
    const host = await startStaticHost();
    await use(host);
    await host.close();
  },
  baseURL: async ({ host }, use) => use(host.url),
});

test.use({ serviceWorkers: 'allow' });

/** Resolves when the service worker handles the page's requests. */
async function keptForOffline(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (navigator.serviceWorker.controller) return;
    await new Promise((done) => navigator.serviceWorker.addEventListener('controllerchange', done, { once: true }));
  });
}

/** The names of the caches with the page's files, one for each version of Podium. */
const versionsOf = (page: Page) =>
  page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith('podium-app-')));

test('Settings can install Podium, check for updates, and show the changelog and the licenses', async ({
  page,
  podium,
}) => {
  await podium.open('/#/settings');
  await keptForOffline(page);
  const about = page.getByRole('region', { name: 'About' });
  await expect(about.getByText(/^Podium \d+\.\d+\.\d+$/)).toBeVisible();
  await expect(about.getByRole('button', { name: 'Install…' })).toHaveCount(0);
  const isPrevented = await page.evaluate(() => {
    const prompt = () => Promise.resolve({ outcome: 'accepted' });
    const offer = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt });
    window.dispatchEvent(offer);
    return offer.defaultPrevented;
  });
  expect(isPrevented, 'the browser does not show its own install prompt').toBe(true);
  await about.getByRole('button', { name: 'Install…' }).click();
  await expect(about.getByText('Podium is being installed.')).toBeVisible();
  await expect(about.getByRole('button', { name: 'Install…' })).toHaveCount(0);

  await about.getByRole('button', { name: 'Check for updates' }).click();
  await expect(about.getByText('This is the newest version.')).toBeVisible();
  await about.getByText('What’s new').click();
  await expect(about.getByRole('heading', { name: /^0\.1\.0/ })).toBeVisible();
  await about.getByText('What’s new').click();
  await about.getByText('Licences', { exact: true }).click();
  await expect(about.getByRole('listitem').filter({ hasText: 'svelte-spa-router' })).toContainText('MIT');
  const texts = await page.request.get(
    (await about.getByRole('link', { name: 'All licence texts' }).getAttribute('href')) ?? '',
  );
  expect(await texts.text()).toContain('Licence: MIT');
});

test('an update is refused during a run, and afterwards keeps the run, the draft and another tab’s files', async ({
  page,
  podium,
  context,
  server,
  host,
}) => {
  await podium.addWorker({ address: server.url, model: 'slow@update', name: 'Desk' });
  await keptForOffline(page);
  const other = new Podium(await context.newPage());
  await other.open();
  const [before] = await versionsOf(page);
  await podium.runWithOnly('Desk');
  await expect(podium.answer.getByText('The first words')).toBeVisible();

  // The new version lacks the script of *Settings*, so only the old version's files can show that page.
  host.edit = (path, content) =>
    path === '/sw.js'
      ? content.replace(/\$\{"[0-9a-f]{12}"\}/, 'next').replace(/"assets\/SettingsPage-[^"]+\.js":"[^"]+",/, '')
      : content;
  host.trouble = { files: /\/SettingsPage-[^/]*\.js$/, kind: 'portal' };
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  const notice = page.getByRole('status').filter({ hasText: 'An update is ready.' });
  const update = notice.getByRole('button', { name: 'Update' });
  await update.click();
  await expect(notice).toContainText('A run or a batch is in progress. Update when that has ended.');
  expect(await versionsOf(page)).toContain(before);
  server.release();
  await podium.ended();
  await expect(notice).toContainText('Runs and drafts are kept.');
  await podium.question.fill('A draft that stays?');

  const reloaded = page.waitForEvent('load');
  await update.click();
  await reloaded;
  await expect(podium.question).toHaveValue('A draft that stays?');
  await expect(notice).toHaveCount(0);
  expect((await podium.storedTypes()).at(-1)).toBe('run-finished');
  expect(await versionsOf(page)).toEqual(expect.arrayContaining([before, 'podium-app-next']));

  await other.page.getByRole('link', { name: 'Settings', exact: true }).click();
  await expect(other.page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  await other.page.close();
  await page.reload();
  await expect.poll(() => versionsOf(page)).toEqual(['podium-app-next']);
});
