/** @file Tests the sample runs. One click loads them. They fill every plot and are labeled as simulated. */
import { expect, test } from './podium';

test.use({ serviceWorkers: 'allow' });

test('the sample runs can be loaded in Settings, fill Runs and Analyze, and are removed with one click', async ({
  page,
  podium,
  axe,
}) => {
  await podium.open();
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (navigator.serviceWorker.controller) return;
    await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve));
  });
  await podium.open('/#/settings');
  await page.getByRole('button', { name: 'Load sample runs' }).click();
  await expect(page.getByRole('button', { name: 'Remove sample runs' })).toBeVisible();

  await page.goto('/#/runs');
  await expect(page.getByText('all simulated', { exact: true })).toBeVisible();
  await expect(page.getByText(/^\$[\d.]+ at made-up prices of sample runs$/)).toBeVisible();
  await axe.check('Runs with sample runs');

  await page.goto('/#/analyze');
  await expect(page.getByText(/^The costs include \$[\d.]+ at made-up prices of sample runs\.$/)).toBeVisible();
  const figures = page.getByRole('figure');
  await expect(figures).toHaveCount(14);
  for (const figure of await figures.all()) {
    await figure.scrollIntoViewIfNeeded();
    await expect(figure.getByRole('button', { name: /^Show as a table/ })).toBeVisible();
  }
  await expect(page.getByText(/^Not enough data/)).toHaveCount(0);

  await page.goto('/#/runs');
  await page.getByRole('button', { name: 'Remove sample runs' }).click();
  await expect(page.getByText(/^\d+ runs deleted\.$/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Remove sample runs' })).toHaveCount(0);
});
