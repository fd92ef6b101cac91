/** @file Tests worker settings: the paper's presets, an address without /v1, and listed prices. */
import { expect, test } from './podium';

const CORS = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };

test("calls to the workers of the paper's pool contain the settings of the chosen preset", async ({
  page,
  podium,
  server,
}) => {
  const calls: Record<string, unknown>[] = [];
  await page.route('https://openrouter.ai/**', async (route) => {
    const request = route.request();
    if (request.method() === 'OPTIONS') return route.fulfill({ status: 204, headers: CORS });
    if (new URL(request.url()).pathname.endsWith('/models')) {
      const sight = { architecture: { input_modalities: ['text', 'image'] } };
      const data = [{ id: 'openai/gpt-5', ...sight }, { id: 'qwen/qwen3-32b' }];
      return route.fulfill({ json: { data }, headers: CORS });
    }
    const body = request.postDataJSON() as Record<string, unknown>;
    calls.push(body);
    const answer = await fetch(`${server.url}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, model: 'ok' }),
    });
    const type = answer.headers.get('content-type') ?? '';
    return route.fulfill({ body: await answer.text(), headers: { ...CORS, 'content-type': type } });
  });
  await podium.open('/#/workers');
  const setUp = async (setting: string) => {
    await page.getByRole('button', { name: "Set up the paper's pool" }).click();
    await page.getByLabel('OpenRouter key').fill('sk-or-e2e');
    await page.getByLabel('Settings', { exact: true }).selectOption(setting);
    await page.getByRole('button', { name: 'Set up', exact: true }).click();
    await expect(page.getByText(`with the ${setting} settings`)).toBeVisible();
    await page.getByRole('button', { name: 'Done' }).click();
  };
  await setUp('constrained');
  await page.getByRole('button', { name: 'Edit GPT-5' }).click();
  await expect(page.getByLabel('Can see images')).toBeChecked();
  await page.getByRole('button', { name: 'Cancel' }).click();
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
  await setUp('unconstrained');
  await podium.runWithOnly('GPT-5', 'What is seven times eight?');
  await podium.ended();
  expect(calls.at(-1)).toMatchObject({ model: 'openai/gpt-5', max_tokens: 128_000, reasoning: { effort: 'high' } });
});

test('connecting adds a missing /v1 to the address', async ({ page, podium, server }) => {
  await podium.connect({ address: server.url.replace(/\/v1$/, '') });
  await expect(page.getByText(`${server.url}, 0 workers`)).toBeVisible();
  await expect(podium.modelPicker.getByText(/models, read today/)).toBeVisible();
});

test('a new worker has the prices that a custom server lists', async ({ page, podium, server }) => {
  const model = 'priced@e2e';
  await page.route(`${server.url}/models`, (route) => {
    if (route.request().method() === 'OPTIONS') return route.fulfill({ status: 204, headers: CORS });
    return route.fulfill({ json: { data: [{ id: model, pricing: { input: 0.18, output: 0.6 } }] }, headers: CORS });
  });
  await podium.addWorker({ address: server.url, model });
  await page.getByRole('button', { name: `Edit ${model}` }).click();
  await page.getByText('Name, strengths and price').click();
  await expect(page.getByLabel('Input price', { exact: true })).toHaveValue('0.18');
  await expect(page.getByLabel('Output price')).toHaveValue('0.6');
  await expect(page.getByText(/As listed by the server/)).toBeVisible();
});
