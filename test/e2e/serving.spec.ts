/** @file Tests how the page is served: its headers, missing files, embedding in frames, and Trusted Types. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SECURITY_HEADERS } from '../../scripts/hosting';
import { startStaticHost } from '../fixtures/static-host';
import { expect, test } from './podium';

test.use({ serviceWorkers: 'allow' });

test('every file of the first page has the security headers @smoke', async ({ page, request }) => {
  const files = new Set(['/', '/sw.js']);
  page.on('response', (response) => files.add(new URL(response.url()).pathname));
  await page.goto('/');
  await page.getByRole('main').waitFor();
  // Lazy-loaded files arrive after the page is shown.
  await expect.poll(() => files.size).toBeGreaterThan(20);
  for (const file of files) {
    const headers = (await request.get(file)).headers();
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
      expect(headers[name.toLowerCase()], `${name} of ${file}`).toBe(value);
    }
  }
});

test('returns status 404 instead of the page for a missing file', async ({ request }) => {
  for (const path of ['/assets/missing.js', '/assets/missing.wasm', '/missing', '/runs']) {
    const response = await request.get(path);
    expect(response.status(), path).toBe(404);
    expect(await response.text(), path).not.toContain('<div id="app">');
  }
  expect((await request.get('/?code=1')).status()).toBe(200);
});

/**
 * Starts a server on another origin. The server's page shows a frame with the address from the page's query
 * string.
 */
async function framer() {
  const server = createServer((request, response) => {
    const framed = new URL(request.url ?? '/', 'http://localhost').searchParams.get('of') ?? '';
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><iframe src="${framed}" width="800" height="600"></iframe>`);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    of: (url: string) => `http://127.0.0.1:${port}/?of=${encodeURIComponent(url)}`,
    close: () => server.close(),
  };
}

test('in a frame, a page served without the security headers shows only a sentence and a link', async ({
  page,
  context,
}) => {
  const host = await startStaticHost();
  const frames = await framer();
  await page.goto(frames.of(`${host.url}/#/settings`));
  const framed = page.frameLocator('iframe');
  await expect(framed.getByText('Podium doesn’t run inside other pages.')).toBeVisible();
  await expect(framed.getByRole('main')).toHaveCount(0);
  await expect(framed.getByRole('button')).toHaveCount(0);
  const frame = page.frames().find((each) => each.url().startsWith(host.url));
  expect(await frame?.evaluate(async () => (await indexedDB.databases()).length)).toBe(0);
  expect(await frame?.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);

  const opening = context.waitForEvent('page');
  await framed.getByRole('link', { name: 'Open Podium in its own tab' }).click();
  const opened = await opening;
  await expect(opened.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  frames.close();
  await host.close();
});

test('in a frame, a page served with the security headers is not shown', async ({ page, baseURL }) => {
  const frames = await framer();
  const refused = page.waitForEvent('console', {
    predicate: (message) => /frame-ancestors/.test(message.text()),
    timeout: 20_000,
  });
  await page.goto(frames.of(`${baseURL}/`));
  await refused;
  await expect(page.frameLocator('iframe').getByText(/Podium/)).toHaveCount(0);
  frames.close();
});

test('rejects plain strings as HTML and as code, and rejects new Trusted Types policies', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('main').waitFor();
  const tried = await page.evaluate(async () => {
    const ends: Record<string, string> = {};
    const attempts: Record<string, () => unknown> = {
      innerHTML: () => (document.createElement('div').innerHTML = '<b>hello</b>'),
      DOMParser: () => new DOMParser().parseFromString('<b>hello</b>', 'text/html'),
      srcdoc: () => (document.createElement('iframe').srcdoc = '<b>hello</b>'),
      'script text': () => (document.createElement('script').text = '1'),
      'script source': () => (document.createElement('script').src = '/assets/any.js'),
      Worker: () => new Worker(URL.createObjectURL(new Blob(['']))),
      'service worker': () => navigator.serviceWorker.register('./sw.js'),
      'another policy': () => window.trustedTypes?.createPolicy('other', { createHTML: (text) => text }),
      'a default policy': () => window.trustedTypes?.createPolicy('default', { createHTML: (text) => text }),
      'a policy once more': () => window.trustedTypes?.createPolicy('podium-service-worker', {}),
    };
    for (const [name, act] of Object.entries(attempts)) {
      ends[name] = await Promise.resolve()
        .then(act)
        .then(
          () => 'done',
          () => 'refused',
        );
    }
    return ends;
  });
  expect(Object.keys(tried)).toHaveLength(10);
  expect(Object.entries(tried).filter(([, end]) => end !== 'refused')).toEqual([]);
});
