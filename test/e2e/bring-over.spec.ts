/** @file Tests that `podium open`, which opens `localhost`, brings over what the browser stores for 127.0.0.1. */
import { servePodium } from '../../src/node/open/open-command';
import type { Page } from '@playwright/test';
import { AxeCheck } from './axe';
import { expect, test } from './podium';

/** Clicks a button that closes its page. If the page closes during the click, the click ends with an error. */
async function clickToClose(popup: Page, name: string): Promise<void> {
  const closed = popup.waitForEvent('close');
  await popup
    .getByRole('button', { name })
    .click()
    .catch(() => undefined);
  await closed;
}

test('runs and workers of 127.0.0.1 are brought over to localhost after two questions, without keys', async ({
  page,
  podium,
  context,
}) => {
  const site = await servePodium('dist', 0);
  const here = `http://localhost:${site.port}`;
  const former = await context.newPage();
  await former.goto(site.url);
  await former.getByRole('textbox', { name: 'Question' }).fill('Make 24 from 3, 4, 5 and 6.');
  await former.getByRole('button', { name: /^Run/ }).click();
  await expect(former.getByRole('region', { name: 'Answer' })).toContainText('24');
  await expect(former.getByRole('button', { name: /^Run/ })).toBeVisible();
  await former.goto(`${site.url}#/settings`);
  await former.getByRole('button', { name: 'Save with a passphrase' }).click();
  await former.getByLabel('New passphrase').fill('canary passphrase of four words');
  await former.getByLabel('Confirm passphrase').fill('canary passphrase of four words');
  await former.getByRole('button', { name: 'Save keys' }).click();
  await expect(former.getByText('Keys are now saved in this browser.')).toBeVisible();
  await former.close();

  await page.goto(`${here}/`);
  await page.getByRole('link', { name: 'Bring over your runs and settings' }).click();
  const opening = context.waitForEvent('page');
  await page.getByRole('button', { name: 'Bring over' }).click();
  const other = await opening;
  await expect(other.getByText(/Keys are not copied/)).toBeVisible();
  await clickToClose(other, 'Cancel');

  const again = context.waitForEvent('page');
  await page.getByRole('button', { name: 'Bring over' }).click();
  const popup = await again;
  await new AxeCheck(popup, test.info()).check('the question whether to hand over');
  await clickToClose(popup, 'Hand over a copy');
  await expect(page.getByText(/1 run\.$/)).toBeVisible();
  await expect(page.getByText(/key vault/)).toBeHidden();
  await expect(page.getByLabel('I made this backup: count its grades')).toBeChecked();
  await page.getByRole('button', { name: 'Add missing items' }).click();
  await expect(page.getByText('Restored.')).toBeVisible();
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await expect(page.getByRole('link', { name: /Make 24 from/ })).toBeVisible();
  await page.goto(`${here}/#/settings`);
  await expect(page.getByText('In memory only')).toBeVisible();
  expect(podium.errors).toEqual([]);
  await site.close();
});

test('the page that hands over sends nothing to another site that opens it', async ({ page, context }) => {
  const site = await servePodium('dist', 0);
  await page.route('http://other.example/', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Other</title>' }),
  );
  await page.goto('http://other.example/');
  await page.evaluate(() =>
    window.addEventListener(
      'message',
      ({ data }) => (document.title += `, ${typeof data === 'string' ? data : 'a file'}`),
    ),
  );
  const opening = context.waitForEvent('page');
  await page.evaluate((url) => void window.open(url), `${site.url}hand-over`);
  const popup = await opening;
  await popup.getByRole('button', { name: 'Hand over a copy' }).click();
  await expect(popup.getByText(/^Handed over/)).toBeVisible();
  // Messages arrive in order.
  await popup.evaluate(() => (window.opener as Window).postMessage('the end', '*'));
  await expect(page).toHaveTitle('Other, the end');
  await site.close();
});
