/**
 * @file Helpers for the end-to-end tests of local models. They serve, add and download a tiny model with random weights.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { writeTinyModel } from '../../scripts/tiny-model.mjs';
import { startModelServer, type ModelServer } from '../fixtures/model-server';
import { expect, test as base, type Podium } from './podium';

export const test = base.extend<object, { models: ModelServer }>({
  models: [
    async ({ browserName: _browser }, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'podium-tiny-'));
      await writeTinyModel(folder);
      const server = await startModelServer({ tiny: folder });
      await use(server);
      await server.close();
      await rm(folder, { recursive: true });
    },
    { scope: 'worker' },
  ],
});

/** Adds the tiny model with a short prompt, because the model's tokenizer has a small vocabulary. */
export async function addModel(
  page: Page,
  podium: Podium,
  { host, id, name }: { host: string; id: string; name: string },
): Promise<void> {
  await podium.open('/#/models');
  await page.getByRole('button', { name: 'Add a model' }).click();
  const form = page.getByRole('form', { name: 'Add a model' });
  await form.getByText('ONNX on a hub').click();
  await form.getByRole('textbox', { name: 'Model id' }).fill(id);
  await form.getByRole('textbox', { name: 'Hub' }).fill(host);
  await form.getByRole('textbox', { name: 'Name' }).fill(name);
  await form.getByText('Trained with a custom prompt').click();
  await form.getByRole('textbox', { name: 'System message' }).fill('');
  await form.getByRole('textbox', { name: 'User message' }).fill('{{workers}}');
  await form.getByRole('button', { name: 'Add model' }).click();
  await expect(form.getByText(/placeholder {{question}} is missing/)).toBeVisible();
  await form.getByRole('textbox', { name: 'User message' }).fill('{{workers}}\n{{limit}}\n{{question}}');
  await form.getByRole('button', { name: 'Add model' }).click();
  await expect(page.getByRole('button', { name: `Edit ${name}` })).toBeVisible();
}

/** The region that shows the state of one model. */
export const stage = (page: Page, name: string) => page.getByRole('region', { name });

/** Downloads a model, and waits until it is loaded on the device. */
export async function downloadModel(
  page: Page,
  name: string,
  action = 'Download',
  device: 'CPU' | 'GPU' = 'CPU',
): Promise<void> {
  await page
    .getByRole('row')
    .getByRole('button', { name: `${action} ${name}` })
    .click();
  await expect(stage(page, name).getByText(`loaded on this ${device}`)).toBeVisible({ timeout: 60_000 });
}
