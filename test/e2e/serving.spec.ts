/** @file Tests how the page is served: its headers, missing files, embedding in frames, and Trusted Types. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { preview } from 'vite';
import { SECURITY_HEADERS } from '../../scripts/hosting';
import { startStaticHost } from '../fixtures/static-host';
import { expect, test } from './podium';

test.use({ serviceWorkers: 'allow' });

/** Starts `vite preview` at a free port. The other journeys open the page at a faster server. */
async function startPreview() {
  const server = await preview({ logLevel: 'warn', preview: { host: '127.0.0.1', port: 0 } });
  return { url: server.resolvedUrls?.local[0] ?? '', close: () => server.close() };
}

test('`vite preview` sends the security headers with every file of the first page, and status 404 for a missing file @smoke', async ({
  page,
  request,
}) => {
  const server = await startPreview();
  try {
    const files = new Set([server.url, new URL('sw.js', server.url).href]);
    page.on('response', (response) => files.add(response.url()));
    await page.goto(server.url);
    await page.getByRole('main').waitFor();
    // Lazy-loaded files arrive after the page is shown.
    await expect.poll(() => files.size).toBeGreaterThan(20);
    // The page's Web Workers start from blobs, which have no headers.
    for (const file of [...files].filter((each) => each.startsWith(server.url))) {
      const headers = (await request.get(file)).headers();
      for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
        expect(headers[name.toLowerCase()], `${name} of ${file}`).toBe(value);
      }
    }
    for (const path of ['assets/missing.js', 'assets/missing.wasm', 'missing', 'runs']) {
      const response = await request.get(new URL(path, server.url).href);
      expect(response.status(), path).toBe(404);
      expect(await response.text(), path).not.toContain('<div id="app">');
    }
    expect((await request.get(new URL('?code=1', server.url).href)).status()).toBe(200);
  } finally {
    await server.close();
  }
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
