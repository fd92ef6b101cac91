/** @file Tests the way from a fresh page to a pool: a connection with one key, several models at once, and a suggested pool. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { expect, test } from './podium';

const KEY = 'sk-journey-0123456789abcdef';
const MODELS = [
  ['openai/gpt-5', 1.25, 10, 400_000],
  ['google/gemini-2.5-pro', 1.25, 10, 1_048_576],
  ['anthropic/claude-sonnet-4', 3, 15, 200_000],
  ['acme/rocket-2', 0.5, 2, 128_000],
  ['x-ai/grok-5', 1, 5, null],
  ['openai/text-embedding-3-large', 0.13, 0, 8192],
] as const;

interface Provider {
  readonly url: string;
  /** The keys of all requests for the list. */
  readonly keys: (string | undefined)[];
  close(): void;
}

/** A provider with a priced list of models. It requires the key. @param allowsPages whether replies have CORS headers */
async function provider(allowsPages = true): Promise<Provider> {
  const keys: (string | undefined)[] = [];
  const server: Server = createServer((request, response) => {
    if (allowsPages) {
      response.setHeader('access-control-allow-origin', '*');
      response.setHeader('access-control-allow-headers', '*, authorization');
    }
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    keys.push(request.headers.authorization);
    response.setHeader('content-type', 'application/json');
    if (request.headers.authorization !== `Bearer ${KEY}`) {
      response.writeHead(401).end(JSON.stringify({ error: { message: 'Incorrect API key provided.' } }));
      return;
    }
    const data = MODELS.map(([id, input, output, context]) => ({
      id,
      pricing: { prompt: String(input / 1e6), completion: String(output / 1e6) },
      context_length: context,
      architecture: { input_modalities: ['text', ...(id.includes('gpt') ? ['image'] : [])] },
      supported_parameters: ['temperature'],
    }));
    response.end(JSON.stringify({ data }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/api/v1`, keys, close: () => server.close() };
}

const picker = (page: Page) => page.getByRole('region', { name: 'Add models' });

test('five workers from one key need at most eight clicks and one paste in a narrow window, and refused calls are told apart from no answer', async ({
  page,
  podium,
  axe,
}) => {
  const { url, keys, close } = await provider();
  await page.setViewportSize({ width: 390, height: 844 });
  await podium.open();
  let clicks = 0;
  const click = async (control: { click(): Promise<void> }) => {
    clicks += 1;
    await control.click();
  };
  await click(page.getByRole('link', { name: 'Add a worker with your key' }));
  // The first click opens the list, and the second chooses an option.
  clicks += 2;
  await page.getByLabel('Provider').selectOption('custom');
  await page.getByLabel('Address').fill(url);
  await page.getByLabel('Key', { exact: true }).fill('sk-wrong-0123456789');
  await page.getByLabel('Key', { exact: true }).press('Enter');
  await expect(page.getByRole('alert')).toContainText(/key/i);
  await page.getByLabel('Key', { exact: true }).fill(KEY);
  await page.getByLabel('Key', { exact: true }).press('Enter');
  await expect(picker(page).getByText('5 models, read today')).toBeVisible();
  await expect(picker(page).getByText('$1.25 / $10 · 400k context · images · maths 61 %')).toBeVisible();

  await click(picker(page).getByRole('button', { name: 'Suggest a pool' }));
  const reasons = picker(page).getByRole('status').filter({ hasText: 'a question:' });
  await expect(reasons).toContainText('5 models for about');
  await expect(reasons).toContainText(/Published: maths .*Tables 7 and 8\s+\(2026-11-22\)/);
  await expect(reasons).toContainText('Ability unknown. Chosen by family and price.');
  await expect(picker(page).getByRole('checkbox', { checked: true })).toHaveCount(5);
  await axe.check('Add models');
  await click(picker(page).getByRole('button', { name: 'Add 5 workers' }));
  await expect(podium.run, 'the page with the link is shown again').toBeVisible();
  await expect(podium.workers.getByRole('checkbox', { checked: true })).toHaveCount(5);
  expect(clicks).toBeLessThanOrEqual(8);
  expect(new Set(keys)).toEqual(
    new Set([undefined, `Bearer sk-wrong-0123456789`, `Bearer ${KEY}`].filter((key) => keys.includes(key))),
  );

  await page.goto('/#/workers');
  await expect(page.getByText('5 workers')).toBeVisible();
  await expect(page.getByText('key in memory')).toHaveCount(1);
  await page.reload();
  await expect(page.getByText('key needed again')).toHaveCount(1);
  await axe.check('connections');

  const refusing = await provider(false);
  await page.getByRole('button', { name: 'Add a connection' }).click();
  await page.getByLabel('Provider').selectOption('custom');
  await page.getByLabel('Address').fill(refusing.url);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('doesn’t allow calls from this page (CORS)');
  await page.getByLabel('Address').fill('http://127.0.0.1:9/v1');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('No answer from 127.0.0.1:9');
  refusing.close();
  close();
});
