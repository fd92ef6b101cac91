/**
 * @file Tests what the page shows if a local model's library is missing, or if the model loses the GPU. The browser emulates
 * WebGPU on the CPU. The code that runs the models is not mocked.
 */
import { BROWSER_ARGS, findBrowser, SOFTWARE_WEBGPU_ARGS, UNOPTIMIZED } from '../../scripts/browser.mjs';
import { startMlcServer } from '../fixtures/mlc-server';
import { expect } from './podium';
import { addModel, downloadModel, stage, test } from './tiny-model';

const executablePath = await findBrowser();

test.use({
  launchOptions: { executablePath, args: [...BROWSER_ARGS, UNOPTIMIZED, ...SOFTWARE_WEBGPU_ARGS] },
});

test('reports a missing library before any weights are requested, and offers to resume the download', async ({
  page,
  podium,
}) => {
  const server = await startMlcServer(null);
  await podium.open('/#/models');
  await page.getByRole('button', { name: 'Add a model' }).click();
  const form = page.getByRole('form', { name: 'Add a model' });
  await form.getByRole('textbox', { name: 'Weights' }).fill(`${server.url}whole-1`);
  await form.getByRole('textbox', { name: 'Library' }).fill(`${server.url}whole-1/other.wasm`);
  await form.getByRole('textbox', { name: 'Name' }).fill('Tiny');
  await form.getByRole('button', { name: 'Add model' }).click();
  await page.getByRole('button', { name: 'Download Tiny' }).click();
  const tiny = stage(page, 'Tiny');
  const { host } = new URL(server.url);
  await expect(tiny.getByRole('alert')).toContainText(
    `${host} has no library other.wasm for Tiny. Check the address of the library.`,
    { timeout: 60_000 },
  );
  await expect(tiny.getByRole('button', { name: 'Resume download' })).toBeVisible();
  await expect(tiny.getByRole('button', { name: /Delete/ })).toHaveCount(0);
  const here = page.getByRole('region', { name: 'On this machine' });
  await expect(here.getByText('incomplete')).toBeVisible();
  const requests = await page.request.get(`${server.url}control/requests?model=whole-1`);
  expect((await requests.json()) as unknown).toEqual(expect.not.arrayContaining(['params_shard_0.bin']));
  await server.close();
});

test('reports a lost GPU, and reloads the model without another download', async ({
  page,
  podium,
  models,
  browser,
}) => {
  await page.addInitScript(() => {
    // Hides that the GPU is emulated. Otherwise Podium would load the model on the CPU.
    for (const field of ['vendor', 'architecture', 'description']) {
      Object.defineProperty(GPUAdapterInfo.prototype, field, { get: () => 'test' });
    }
    Object.defineProperty(GPUAdapterInfo.prototype, 'isFallbackAdapter', { get: () => false });
  });
  await addModel(page, podium, { host: models.url, id: 'tiny/plain-lost', name: 'Tiny' });
  await downloadModel(page, 'Tiny', 'Download', 'GPU');
  const session = await browser.newBrowserCDPSession();
  await session.send('Browser.crashGpuProcess');
  const tiny = stage(page, 'Tiny');
  await expect(tiny.getByText('no longer loaded')).toBeVisible();
  await expect(tiny.getByRole('alert')).toContainText('Tiny lost access to the GPU. Try again.');
  await expect(tiny.getByRole('alert')).toContainText('It reloads with the next question.');
  await expect(tiny.getByRole('button', { name: /Delete/ })).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'On this machine' }).getByText('complete')).toBeVisible();
  const requests = async () => (await page.request.get(`${models.url}control/requests?model=tiny/plain-lost`)).text();
  const before = await requests();
  await tiny.getByRole('button', { name: 'Try again' }).click();
  await expect(tiny.getByText('loaded on this GPU')).toBeVisible({ timeout: 60_000 });
  expect(await requests(), 'the files are read from this machine').toBe(before);
});
