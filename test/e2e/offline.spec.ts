/** @file Tests that the service worker caches only correct files, even if the network replaces or damages them. */
import type { Page } from '@playwright/test';
import { startStaticHost, type StaticHost, type Trouble } from '../fixtures/static-host';
import { expect, test as base } from './podium';
import { planPython, PYTHON_PATIENCE, start } from './python-plan';

const test = base.extend<{ host: StaticHost }>({
  host: async ({ browserName: _browser }, use) => {
    const host = await startStaticHost();
    await use(host);
    await host.close();
  },
});

test.use({ serviceWorkers: 'allow' });

const TROUBLES: readonly Trouble[] = ['portal', 'disguised', 'moved', 'damaged'];
const PYTHON = /pyodide\.asm[^/]*\.wasm$/;
const LATE = 'podium-late';

/** Resolves when the service worker has cached the page's files and handles the page's requests. */
async function keptForOffline(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (navigator.serviceWorker.controller) return;
    await new Promise((done) => navigator.serviceWorker.addEventListener('controllerchange', done, { once: true }));
  });
}

declare global {
  interface Window {
    /** Resolves with the state of the page's service worker after its installation succeeded or failed. */
    installed?: Promise<ServiceWorkerState>;
  }
}

/**
 * Sets `window.installed`. Must run before the page's own code, because a service worker that failed to install can't be found
 * afterwards.
 */
function watchInstall(): void {
  const { register } = ServiceWorkerContainer.prototype;
  window.installed = new Promise((ended) => {
    ServiceWorkerContainer.prototype.register = async function (...args) {
      const registration = await register.apply(this, args);
      const worker = registration.installing;
      const look = () => {
        if (worker && worker.state !== 'installing') ended(worker.state);
      };
      worker?.addEventListener('statechange', look);
      look();
      return registration;
    };
  });
}

const cachesOf = (page: Page) => page.evaluate(() => caches.keys());
const addressOf = (page: Page, file: RegExp) =>
  page.evaluate(async (source) => {
    const script = await (await fetch('./sw.js', { cache: 'no-store' })).text();
    const path = [...script.matchAll(/"(assets\/[^"]+)"/g)]
      .map(([, name]) => name)
      .find((name) => RegExp(source).test(name ?? ''));
    return new URL(path ?? '', location.href).href;
  }, file.source);

/** Fetches a file as the page does. @returns its size in bytes (`null` if the fetch failed), and whether it is cached now */
const fetched = (page: Page, address: string) =>
  page.evaluate(
    async ({ address, late }) => {
      const size = await fetch(address)
        .then((response) => response.arrayBuffer())
        .then((bytes) => bytes.byteLength)
        .catch(() => null);
      return { size, kept: await (await caches.open(late)).match(address).then(Boolean) };
    },
    { address, late: LATE },
  );

test('caches nothing while a file of the page is wrong, and works offline once the file is correct', async ({
  page,
  host,
  context,
}) => {
  await page.addInitScript(watchInstall);
  for (const kind of TROUBLES) {
    // This file is not needed to show the page, so the first visit works.
    host.trouble = { files: /\/SettingsPage-[^/]*\.js$/, kind };
    await page.goto('about:blank');
    await page.goto(host.url);
    await page.getByRole('main').waitFor();
    expect(await page.evaluate(() => window.installed), kind).toBe('redundant');
    expect(await cachesOf(page), kind).toEqual([]);
  }

  host.trouble = null;
  await page.reload();
  await keptForOffline(page);
  await context.setOffline(true);
  await page.goto(`${host.url}/#/settings`);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
});

test('rejects wrong Python files without caching them, and replaces one that an older version of Podium cached', async ({
  page,
  host,
  context,
}) => {
  await page.goto(host.url);
  await keptForOffline(page);
  const address = await addressOf(page, PYTHON);
  for (const kind of TROUBLES) {
    host.trouble = { files: PYTHON, kind };
    expect(await fetched(page, address), kind).toEqual({ size: null, kept: false });
  }
  host.trouble = null;

  await page.evaluate(
    async ({ address, late }) =>
      (await caches.open(late)).put(
        address,
        new Response('<p>Sign in.</p>', { headers: { 'content-type': 'text/html' } }),
      ),
    { address, late: LATE },
  );
  const { size } = await fetched(page, address);
  expect(size).toBeGreaterThan(5_000_000);
  await expect
    .poll(() =>
      page.evaluate(
        async ({ address, late }) => (await (await (await caches.open(late)).match(address))?.blob())?.size,
        { address, late: LATE },
      ),
    )
    .toBe(size);
  await context.setOffline(true);
  expect((await fetched(page, address)).size).toBe(size);
});

test('an update fetches the new versions of the large files that were used before, and of no others', async ({
  page,
  host,
}) => {
  await page.goto(host.url);
  await keptForOffline(page);
  const used = await addressOf(page, /python_stdlib[^/]*\.zip$/);
  const old = used.replace(/-[^/]{8}\.zip$/, '-00000000.zip');
  host.trouble = { files: /python_stdlib[^/]*\.zip$/, kind: 'portal' };
  const late = () =>
    page.evaluate(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url), LATE);
  await page.evaluate(async ([name, address]) => (await caches.open(name)).put(address, new Response('old')), [
    LATE,
    old,
  ] as const);
  host.edit = (path, content) => (path === '/sw.js' ? `${content}\n// A newer version.` : content);
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  await expect
    .poll(() => page.evaluate(async () => (await navigator.serviceWorker.ready).waiting?.state), { timeout: 60_000 })
    .toBe('installed');
  expect(await late()).toEqual([old]);
  // The file could not be fetched. The next visit with the new version tries again.
  host.trouble = null;
  await page.goto('about:blank');
  await page.goto(host.url);
  await expect.poll(late, { timeout: 60_000 }).toEqual([used]);
});

test('Python works again after a login page took the place of Python’s files', async ({ page, podium, host }) => {
  test.setTimeout(240_000);
  await podium.open(host.url);
  await keptForOffline(page);
  host.trouble = { files: PYTHON, kind: 'portal' };
  await planPython(page, podium, host.url);
  await start(podium, 'print(6 * 7)');
  await expect(podium.answer.getByRole('alert')).toContainText('Couldn’t start Python', { timeout: PYTHON_PATIENCE });
  await podium.ended();
  host.trouble = null;
  await start(podium, 'print(7 * 8)');
  await expect(podium.answer.getByText('56').first()).toBeVisible({ timeout: PYTHON_PATIENCE });
});
