/** @file Tests saved pools: saving, switching, renaming and deleting them, and importing a pool file in another browser. */
import type { Page } from '@playwright/test';
import { expect, Podium, test } from './podium';
import { savedText, withoutPicker } from './run-files';

const KEY = 'sk-canary-0123456789abcdef';

const pools = (page: Page) => page.getByRole('region', { name: 'Pools' });
const menu = (podium: Podium) => podium.workers.getByRole('combobox', { name: 'Saved pool' });
const chosen = (podium: Podium, name: string) => podium.workers.getByRole('checkbox', { name, checked: true });

async function savePool(page: Page, name: string): Promise<void> {
  await pools(page).getByRole('button', { name: 'Save the pool in use' }).click();
  await page.keyboard.type(`${name}\n`);
  await expect(pools(page).getByText('in use')).toBeVisible();
}

/** Picks a text as a pool file. */
async function importPool(page: Page, text: string): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await pools(page).getByRole('button', { name: 'Import a pool' }).click();
  await (await chooser).setFiles({ name: 'team.json', mimeType: 'application/json', buffer: Buffer.from(text) });
}

test('saved pools are switched on Conduct, survive a removed worker, and another browser imports them', async ({
  page,
  podium,
  server,
  browser,
  axe,
}) => {
  await withoutPicker(page);
  await podium.addWorker({ address: server.url, model: 'ok@desk', name: 'Desk', key: KEY });
  await savePool(page, 'Solo');
  await podium.addWorker({ address: server.url, model: 'ok@shelf', name: 'Shelf', key: KEY });
  await savePool(page, 'Pair');
  await axe.check('Workers with saved pools');

  await page.getByRole('link', { name: 'Conduct', exact: true }).click();
  await expect(menu(podium).locator('option:checked')).toHaveText('Pair');
  await menu(podium).selectOption('Solo');
  await expect(chosen(podium, 'Desk')).toHaveCount(1);
  await expect(chosen(podium, 'Shelf')).toHaveCount(0);
  await page.reload();
  await expect(menu(podium).locator('option:checked')).toHaveText('Solo');
  await menu(podium).selectOption('Pair');
  await expect(chosen(podium, 'Shelf')).toHaveCount(1);
  await axe.check('Conduct with saved pools');

  await page.getByRole('link', { name: 'Workers', exact: true }).click();
  await pools(page).getByRole('button', { name: 'Rename Pair' }).click();
  await page.keyboard.type('Team\n');
  const file = await savedText(page, () => pools(page).getByRole('button', { name: 'Export Team' }).click());
  expect(file).not.toContain(KEY);
  await page.getByRole('button', { name: 'Remove Desk' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(pools(page).getByRole('listitem').filter({ hasText: 'Team' })).toContainText(
    'Shelf and 1 not available',
  );
  await expect(pools(page).getByRole('button', { name: 'Use Solo' })).toBeDisabled();
  await pools(page).getByRole('button', { name: 'Delete Solo' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(pools(page).getByRole('listitem')).toHaveCount(1);

  const context = await browser.newContext({ serviceWorkers: 'block' });
  const other = new Podium(await context.newPage());
  await other.open(`${new URL(page.url()).origin}/#/workers`);
  await importPool(other.page, file.replace('podium-pool', 'something'));
  await expect(other.page.getByRole('alert')).toContainText('This file is not a pool.');
  await expect(pools(other.page).getByRole('listitem')).toHaveCount(0);
  await importPool(other.page, file);
  await expect(other.page.getByText('“Team” is saved. 2 new workers wait for your confirmation above.')).toBeVisible();
  await expect(other.page.getByText('not confirmed').first()).toBeVisible();
  await other.page.getByRole('button', { name: 'Use these workers' }).click();
  await expect(pools(other.page).getByText('in use')).toBeVisible();
  await expect(other.page.getByText('wait for your confirmation')).toHaveCount(0);
  await expect(other.page.getByText('key needed again'), 'one connection, without a key').toHaveCount(1);
  await context.close();
});
