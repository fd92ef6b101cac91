import { expect, test } from './podium';

test('a batch compares a Conductor with the best worker at equal cost', async ({ page, podium, axe }) => {
  await podium.open('/#/evaluate/new');
  await page.getByRole('checkbox', { name: /^Practice set/ }).check();
  const methods = page.getByRole('region', { name: 'Methods' });
  await methods.getByRole('checkbox', { name: 'Self-reflection, five rounds', exact: true }).check();
  await page.getByLabel('Tasks in the sample of Practice set').fill('40');
  await page.getByLabel('Tasks in the sample of Practice set').blur();
  await expect(page.getByText(/^40 runs, /)).toBeVisible();
  // The control needs the workers alone, so they are chosen too.
  await methods.getByRole('group', { name: 'Equal-cost control' }).getByText('On', { exact: true }).click();
  await expect(methods.getByRole('checkbox', { name: 'Alder', exact: true })).toBeChecked();
  await expect(page.getByText(/^280 runs, /)).toBeVisible();
  await page.getByRole('button', { name: 'Start batch' }).click();
  await expect(page.getByText('280 of 280')).toBeVisible();

  // Simulated workers are free, so the control makes as many calls.
  const sentence =
    /^On these 40 tasks, Self-reflection, five rounds is .+ points (above|below) .+, with 5\.0 times as many calls; at equal cost the difference is −?\d+\.\d\s±\s\d+\.\d\./;
  await expect(page.getByText(sentence)).toBeVisible();
  const results = page.getByRole('region', { name: 'Results, table' });
  await expect(results.getByRole('columnheader', { name: 'At equal cost' })).toBeVisible();
  const control = results.getByRole('row', { name: /^Best worker at the cost of Self-reflection, five rounds \d/ });
  await expect(control).toContainText(/\d+\.\d ± \d+\.\d/);
  await axe.check('the results of a batch with an equal-cost control');

  // A vote needs no call to choose.
  await page
    .getByRole('link', { name: /^(Right|Wrong): Best worker at the cost of/ })
    .first()
    .click();
  await expect(page.getByText(/Not called: steps? .* gave the answer/).first()).toBeVisible();
});
