import type { Page } from '@playwright/test';
import { chunk, event, openStream, send, type Exchange } from '../fixtures/openai-scenarios';
import { expect, test, type Podium } from './podium';

const CANARY = 'sk-canary-5f0e1d2c3b4a59687786';
const PASSPHRASE = 'canary passphrase of four words';
const SECRETS = [CANARY, PASSPHRASE];

/** Returns everything that the browser stores for this page, as text by storage location. Binary data is read as Latin-1. */
async function keptByBrowser(page: Page): Promise<Record<string, string>> {
  return page.evaluate(async () => {
    const texts: Record<string, string> = {};
    const textOf = (value: unknown): string => {
      if (value instanceof Uint8Array) return new TextDecoder('latin1').decode(value);
      if (value instanceof ArrayBuffer) return new TextDecoder('latin1').decode(value);
      if (typeof value === 'object' && value !== null)
        return Object.entries(value)
          .map(([name, inner]) => `${name}=${textOf(inner)}`)
          .join('\n');
      return String(value);
    };
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(new Error('no answer'));
      });
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await done(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const objects = database.transaction(store).objectStore(store);
        const [keys, values] = await Promise.all([done(objects.getAllKeys()), done(objects.getAll())]);
        texts[`${name}/${store}`] = textOf([keys, values]);
      }
      database.close();
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const response = await cache.match(request);
        texts[`cache ${request.url}`] = `${request.url} ${(await response?.text()) ?? ''}`;
      }
    }
    texts['localStorage'] = JSON.stringify({ ...localStorage });
    texts['sessionStorage'] = JSON.stringify({ ...sessionStorage });
    return texts;
  });
}

/** Collects console messages and page errors from now on. */
function listenToConsole(page: Page): string[] {
  const messages: string[] = [];
  page.on('console', (message) => messages.push(message.text()));
  page.on('pageerror', (error) => messages.push(`${error.message} ${error.stack ?? ''}`));
  return messages;
}

/** Opens Conduct, Runs, Workers, Settings and the pages of two runs. @returns the HTML of each */
async function renderedPages(page: Page): Promise<Record<string, string>> {
  const pages: Record<string, string> = {};
  for (const path of ['/#/', '/#/runs', '/#/workers', '/#/settings']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeAttached();
    pages[path] = await page.content();
  }
  await page.goto('/#/runs');
  for (const index of [0, 1]) {
    await page
      .getByRole('link', { name: /six times seven/ })
      .nth(index)
      .click();
    await expect(page.getByRole('slider')).toBeVisible();
    pages[`run ${index}`] = await page.content();
    await page.goBack();
  }
  return pages;
}

function expectNoSecret(where: Record<string, string>): void {
  expect(Object.keys(where).length).toBeGreaterThan(3);
  for (const [name, text] of Object.entries(where))
    for (const secret of SECRETS) expect(text.includes(secret), `${secret} in ${name}`).toBe(false);
}

/** Runs one question that succeeds, and one that fails because the server rejects the key. The error message contains the key. */
async function fullRuns(podium: Podium, names: readonly [string, string]): Promise<void> {
  await podium.runWithOnly(names[0]);
  await podium.ended();
  await podium.runWithOnly(names[1], 'What is six times seven, once more?');
  await podium.ended();
  await expect(podium.answer.getByRole('alert')).toContainText(/key/i);
}

const turned = (text: string) => Array.from(text).reverse().join('');

/** Forms in which the test server repeats the key. */
const ECHOES: Readonly<Record<string, string>> = {
  'as it is': CANARY,
  reversed: turned(CANARY),
  'in upper case': CANARY.toUpperCase(),
  'split by spaces': Array.from(CANARY).join(' '),
  'split by line breaks': Array.from(CANARY).join('\n'),
  'percent-encoded': Array.from(CANARY, (each) => `%${each.charCodeAt(0).toString(16)}`).join(''),
  'in base64': btoa(CANARY),
};

/** Streams the key in seven forms, in small pieces. */
async function echo({ response }: Exchange): Promise<void> {
  openStream(response);
  for (const place of ['reasoning_content', 'content'])
    for (const [how, form] of Object.entries(ECHOES))
      for (const piece of `The key ${how}: ${form}. `.match(/[^]{1,5}/g) ?? [])
        await send(response, event(chunk({ [place]: piece })));
  await send(response, event(chunk({}, 'stop')));
  response.end(event('[DONE]'));
}

/** Checks that the answer on the page and the stored run show no form of the key. */
async function expectMasked(page: Page, podium: Podium): Promise<void> {
  await expect(podium.answer).toContainText('[key]');
  // The answer may be in the document before it is rendered.
  await expect(page.locator('body')).toContainText('[key]', { useInnerText: true });
  // Compares only lower-case letters and digits, to also find a key that is split or in upper case.
  const letters = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const places = { run: JSON.stringify(await podium.storedEvents()), page: await page.locator('body').innerText() };
  for (const [where, text] of Object.entries(places)) {
    expect(text).toContain('[key]');
    const plain = letters(text.replaceAll('\\n', ''));
    for (const [how, form] of Object.entries(ECHOES))
      expect(plain.includes(letters(form)), `the key ${how} in the ${where}`).toBe(false);
  }
}

async function offerPassphrase(page: Page, passphrase: string): Promise<void> {
  await page.getByLabel('New passphrase').fill(passphrase);
  await page.getByLabel('Confirm passphrase').fill(passphrase);
  await page.getByRole('button', { name: 'Save keys' }).click();
}

async function unlock(page: Page, passphrase: string): Promise<void> {
  const keys = page.getByRole('group', { name: 'Keys' });
  const ask = keys.getByRole('button', { name: 'Unlock' });
  const field = keys.getByLabel('Passphrase');
  await expect(keys.getByText('Keys are locked.').or(field).first()).toBeVisible();
  if (!(await field.isVisible())) await ask.click();
  await field.fill(passphrase);
  await ask.click();
}

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('a key is stored nowhere in memory and only encrypted in the vault, survives a reload there, and is forgotten on request @smoke', async ({
    page,
    podium,
    server,
  }) => {
    const messages = listenToConsole(page);
    server.script('echo@canary', echo);
    await podium.addWorker({ address: server.url, model: 'echo@canary', key: CANARY, name: 'Desk' });
    await podium.addWorker({ address: server.url, model: 'wrong-key@canary', key: CANARY, name: 'Gate' });
    await podium.runWithOnly('Desk');
    await podium.ended();
    await expectMasked(page, podium);
    await fullRuns(podium, ['Desk', 'Gate']);
    expect(server.calls('echo@canary')[0]?.headers.authorization).toBe(`Bearer ${CANARY}`);
    expectNoSecret(await keptByBrowser(page));

    await page.goto('/#/settings');
    await page.getByRole('button', { name: 'Save with a passphrase' }).click();
    await offerPassphrase(page, PASSPHRASE);
    await expect(page.getByText('Keys are now saved in this browser.')).toBeVisible();
    await page.goto('/#/workers');
    await expect(page.getByText('key stored')).toHaveCount(1);
    const kept = await keptByBrowser(page);
    expect(kept['podium/vault']).toContain('PBKDF2');
    expectNoSecret(kept);
    expectNoSecret(await renderedPages(page));

    await page.goto('/#/');
    await page.reload();
    await expect(page.getByText('Keys are locked.')).toBeVisible();
    await podium.runWithOnly('Desk', 'What is six times seven, while locked?');
    await podium.ended();
    await expect(podium.answer.getByRole('alert')).toContainText('Unlock your keys');
    const before = server.calls('echo@canary').length;
    await unlock(page, 'not this one at all');
    await expect(page.getByText('The passphrase is wrong.')).toBeVisible();
    await unlock(page, PASSPHRASE);
    await expect(page.getByRole('group', { name: 'Keys' })).toBeHidden();
    await podium.answer.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => server.calls('echo@canary').length).toBe(before + 1);
    await podium.ended();
    expect(server.calls('echo@canary').at(-1)?.headers.authorization).toBe(`Bearer ${CANARY}`);
    expectNoSecret(await keptByBrowser(page));

    await page.goto('/#/settings');
    await page.getByRole('button', { name: 'Change passphrase' }).click();
    await page.getByLabel('Old passphrase').fill(PASSPHRASE);
    await page.getByLabel('New passphrase').fill('another one of four words');
    await page.getByLabel('Confirm passphrase').fill('another one of four wards');
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await expect(page.getByText('The passphrases don’t match.')).toBeVisible();
    await page.getByLabel('Confirm passphrase').fill('another one of four words');
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await expect(page.getByText('Passphrase changed.')).toBeVisible();
    await page.getByRole('button', { name: 'Lock', exact: true }).click();
    await unlock(page, PASSPHRASE);
    await expect(page.getByText('The passphrase is wrong.')).toBeVisible();
    await unlock(page, 'another one of four words');
    await expect(page.getByRole('button', { name: 'Lock', exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Forget all keys' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Forget all' }).click();
    await expect(page.getByRole('button', { name: 'Save with a passphrase' })).toBeVisible();
    await page.goto('/#/workers');
    await expect(page.getByText('key needed again')).toBeVisible();
    const left = await keptByBrowser(page);
    expectNoSecret(left);
    expect(left['podium/vault']).not.toContain('iv');
    expect(messages.filter((text) => SECRETS.some((secret) => text.includes(secret)))).toEqual([]);
  });

  test('explains why it rejects a weak passphrase, even offline after the strength check was loaded', async ({
    page,
    podium,
    context,
  }) => {
    const weighing: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('passphrase-strength')) weighing.push(request.url());
    });
    await podium.open('/#/settings');
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
      if (navigator.serviceWorker.controller) return;
      await new Promise((done) => navigator.serviceWorker.addEventListener('controllerchange', done, { once: true }));
    });
    await page.getByRole('button', { name: 'Save with a passphrase' }).click();
    expect(weighing).toEqual([]);
    await offerPassphrase(page, 'password1234');
    await expect(page.getByText(/^This passphrase is weak: .*common password\. Use four or more/)).toBeVisible();
    expect(weighing).toHaveLength(1);

    await context.setOffline(true);
    await page.reload();
    await page.getByRole('button', { name: 'Save with a passphrase' }).click();
    await offerPassphrase(page, 'i love you so much');
    await expect(page.getByText(/its parts are easy to guess/)).toBeVisible();
    await expect(page.getByText('In memory only')).toBeVisible();
    await offerPassphrase(page, PASSPHRASE);
    await expect(page.getByText('Keys are now saved in this browser.')).toBeVisible();
  });
});

test('signing in at OpenRouter adds a key, and the paper’s workers are then called with the chosen settings', async ({
  page,
  podium,
  server,
}) => {
  const calls: unknown[] = [];
  const cors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
  const requested: unknown[] = [];
  await page.route('https://openrouter.ai/**', async (route) => {
    const request = route.request();
    const url = new URL(request.url());
    if (request.method() === 'OPTIONS') return route.fulfill({ status: 204, headers: cors });
    if (url.pathname === '/auth') {
      const back = `${url.searchParams.get('callback_url')}?code=canary-code`;
      return route.fulfill({ contentType: 'text/html', body: `<!doctype html><a href="${back}">Allow</a>` });
    }
    if (url.pathname === '/api/v1/auth/keys') {
      requested.push(request.postDataJSON());
      return route.fulfill({ json: { key: CANARY }, headers: cors });
    }
    if (url.pathname.endsWith('/chat/completions')) {
      calls.push(request.postDataJSON());
      const answer = await fetch(`${server.url}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...request.postDataJSON(), model: 'ok' }),
      });
      const type = answer.headers.get('content-type') ?? '';
      return route.fulfill({ body: await answer.text(), headers: { ...cors, 'content-type': type } });
    }
    const ids = ['google/gemini-2.5-pro', 'anthropic/claude-sonnet-4', 'openai/gpt-5', 'qwen/qwen3-32b'];
    const data = [...ids, 'google/gemma-3-27b-it'].map((id) => ({ id }));
    return route.fulfill({ json: { data }, headers: cors });
  });
  await podium.open('/#/workers');
  await page.getByRole('button', { name: "Set up the paper's pool" }).click();
  await page.getByRole('button', { name: 'Sign in with OpenRouter' }).click();
  await page.getByRole('link', { name: 'Allow' }).click();
  await expect(page.getByText(/^Signed in at OpenRouter/)).toBeVisible();
  expect(page.url()).toMatch(/\/#\/workers$/);
  expect(requested).toMatchObject([{ code: 'canary-code', code_challenge_method: 'S256' }]);

  await page.getByRole('button', { name: "Set up the paper's pool" }).click();
  await expect(page.getByText('A key is already stored.')).toBeVisible();
  const setUp = async (settings: string) => {
    await page.getByLabel('Settings', { exact: true }).selectOption(settings);
    await page.getByRole('button', { name: 'Set up', exact: true }).click();
    await expect(page.getByText(`with the ${settings} settings`)).toBeVisible();
  };
  await setUp('constrained');
  await expect(page.getByText(/6 workers added/)).toBeVisible();
  await expect(page.getByText(/no longer offers DeepSeek R1 Distill 32B/)).toBeVisible();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('key in memory')).toHaveCount(1);
  await page.getByRole('link', { name: 'Conduct' }).click();
  await expect(podium.workers.getByRole('checkbox', { checked: true })).toHaveCount(6);
  await podium.runWithOnly('Qwen3 32B direct');
  await podium.ended();
  expect(calls.at(-1)).toMatchObject({
    model: 'qwen/qwen3-32b',
    max_tokens: 4096,
    temperature: 0.2,
    top_p: 0.8,
    top_k: 20,
    presence_penalty: 1,
    reasoning: { effort: 'none' },
  });
  const started = (await podium.storedEvents()).find(({ type }) => type === 'run-started');
  expect(started).toMatchObject({ pool: [{ sampling: { maxTokens: 4096, topK: 20 } }] });

  await podium.open('/#/workers');
  await page.getByRole('button', { name: "Set up the paper's pool" }).click();
  await setUp('unconstrained');
  await page.getByRole('button', { name: 'Done' }).click();
  await podium.runWithOnly('GPT-5', 'What is seven times eight?');
  await podium.ended();
  expect(calls.at(-1)).toMatchObject({ model: 'openai/gpt-5', max_tokens: 128_000, reasoning: { effort: 'high' } });
  expectNoSecret(await keptByBrowser(page));
});
