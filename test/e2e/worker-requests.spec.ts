/** @file Tests what a call carries besides the prompt, and how changes of the provider's list show. */
import { expect, test } from './podium';

const CORS = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*, authorization' };

test('a worker’s system prompt and extra fields, its connection’s headers, and a refreshed list', async ({
  page,
  podium,
  server,
}) => {
  const calls: { url: string; key: string | undefined; body: unknown }[] = [];
  let models: readonly object[] = [
    { id: 'ok', pricing: { input: 1, output: 2 } },
    { id: 'text-embedding-1' },
    { id: 'old' },
  ];
  await page.route('https://gateway.example/**', async (route) => {
    const request = route.request();
    if (request.method() === 'OPTIONS') return route.fulfill({ status: 204, headers: CORS });
    if (new URL(request.url()).pathname.endsWith('/models')) {
      const isKnown = request.headers()['api-key'] === 'gateway-secret-0123456789';
      return route.fulfill(
        isKnown ? { json: { data: models }, headers: CORS } : { status: 401, json: { error: 'No.' }, headers: CORS },
      );
    }
    calls.push({ url: request.url(), key: request.headers()['api-key'], body: request.postDataJSON() as unknown });
    const answer = await fetch(`${server.url}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: request.postData(),
    });
    const type = answer.headers.get('content-type') ?? '';
    return route.fulfill({ body: await answer.text(), headers: { ...CORS, 'content-type': type } });
  });

  await podium.open('/#/workers');
  await page.getByRole('button', { name: 'Add a connection' }).click();
  await page.getByLabel('Provider').selectOption('custom');
  await page.getByLabel('Address').fill('https://gateway.example/v1');
  await page.getByText('Extra headers and query').click();
  await page.getByRole('button', { name: 'Add a header or parameter' }).click();
  await page.getByRole('button', { name: 'Add a header or parameter' }).click();
  await page.getByLabel('Name 1').fill('api-key');
  await page.getByLabel('Value 1').fill('gateway-secret-0123456789');
  await page.getByLabel('Name 2').fill('?api-version');
  await page.getByLabel('Value 2').fill('2024-10-21');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(podium.modelPicker.getByText('2 models, read today')).toBeVisible();
  await podium.modelPicker.getByRole('checkbox', { name: 'ok' }).check();
  await podium.modelPicker.getByRole('checkbox', { name: 'old' }).check();
  await podium.modelPicker.getByRole('button', { name: 'Add 2 workers' }).click();
  await expect(page.getByText('headers in memory')).toBeVisible();

  await page.getByRole('button', { name: 'Edit ok', exact: true }).click();
  await page.getByText('System prompt and extra fields').click();
  await page.getByLabel('System prompt', { exact: true }).fill('Be terse.');
  await page.getByLabel('Extra fields').fill('{"plugins": [{"id": "web"}]}');
  await page.getByLabel('Maximum extra price').fill('0.02');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('up to $0.02 more per call')).toBeVisible();
  await expect(page.getByText('web', { exact: true })).toBeVisible();

  models = [{ id: 'ok', pricing: { input: 3, output: 4 } }];
  await page.getByRole('button', { name: /^Refresh the models/ }).click();
  await expect(page.getByText('no longer listed')).toBeVisible();
  await expect(page.getByText(/\$3 in, \$4 out .* The list changed from \$1 in, \$2 out/)).toBeVisible();
  await page.getByRole('button', { name: 'The new price of ok is OK' }).click();
  await expect(page.getByText('new price')).toBeHidden();

  await podium.runWithOnly('ok web', 'What is seven times eight?');
  await podium.ended();
  expect(calls.at(-1)).toMatchObject({
    url: 'https://gateway.example/v1/chat/completions?api-version=2024-10-21',
    key: 'gateway-secret-0123456789',
    body: {
      plugins: [{ id: 'web' }],
      messages: [{ role: 'system', content: 'Be terse.' }, { role: 'user' }],
    },
  });
  expect(JSON.stringify(await podium.storedEvents())).not.toContain('gateway-secret');
});
