/** @file Measures workers whose abilities differ by domain. The measurement is stopped, continued after a reload, and used. */
import { measuredReply } from './measured-workers';
import { expect, test } from './podium';

test('workers are measured, and their figures and the advice are used and undone', async ({
  page,
  podium,
  server,
  axe,
}) => {
  server.script('ash', measuredReply(server, ['maths', 'logic']));
  server.script('bay', measuredReply(server, ['code', 'language', 'data']));
  await page.goto('/#/workers/measure');
  await expect(page.getByText(/^Simulated workers can’t be measured/)).toBeVisible();
  const price = { input: 1, output: 1 };
  await podium.storeWorkers(
    { address: server.url, model: 'ash', name: 'Ash', price },
    { address: server.url, model: 'bay', name: 'Bay', price },
  );
  await podium.workers.getByRole('checkbox', { name: 'Bay' }).uncheck({ force: true });
  await podium.workers.getByRole('link', { name: 'Measure your workers' }).click();
  await page.getByRole('checkbox', { name: 'Bay' }).check();

  await page.getByLabel('Budget (USD)').fill('0.36');
  await page.getByLabel('Budget (USD)').blur();
  await expect(page.getByText(/^About \$0\.\d+, at most \$0\.36, in about\s+\d+ minutes\./)).toBeVisible();
  await expect(page.getByText(/^30 tasks in each of five domains would cost about \$/)).toBeVisible();
  await axe.check('measure: plan');
  const called = () => server.calls('ash').length + server.calls('bay').length;
  expect(called(), 'no call is made before the start').toBe(0);
  await page.getByRole('button', { name: 'Start measuring' }).click();
  await expect.poll(called).toBeGreaterThan(20);
  await page.getByRole('button', { name: 'Stop' }).click();
  const resume = page.getByRole('button', { name: 'Continue' });
  await expect(resume).toBeVisible();
  await page.reload();
  await expect(page.getByText(/^Stopped after\s+\d+ of \d+ calls · \$0\.\d+ of \$0\.36/)).toBeVisible();
  await resume.click();
  await expect(page.getByRole('progressbar', { name: 'Calls' })).toBeHidden({ timeout: 60_000 });
  await expect(resume).toBeHidden();
  // Only the calls that were in progress at the stop are counted without an answer, and none is made twice.
  const seeds = [...server.calls('ash'), ...server.calls('bay')].map(({ model, body }) =>
    JSON.stringify([model, body]),
  );
  expect(new Set(seeds).size).toBe(seeds.length);

  const bay = page.getByRole('article', { name: 'Bay' });
  await expect(bay).toContainText(
    /As a check, it called \d+ of \d+ right answers right, and 0 of\s+\d+ wrong answers\./,
  );
  await expect(bay).toContainText(/The Conductor will be told: maths \d+ %, code \d+ %/);
  const order = page.getByRole('region', { name: 'Order' });
  await expect(order.getByText(/^Ash \d+ %, Bay \d+ %\. Ash is the best/).first()).toBeVisible();
  await expect(order.getByText(/^Bay \d+ %, Ash \d+ %\. Bay is the best/).first()).toBeVisible();
  await axe.check('measure: result');

  const accept = page.getByRole('button', { name: 'Accept: Use Bay and Ash' });
  await accept.click();
  await page.getByRole('link', { name: 'Conduct', exact: true }).click();
  await expect(podium.workers.getByRole('checkbox', { name: 'Bay' })).toBeChecked();
  await page.goBack();
  await page.getByRole('button', { name: 'Undo: Use Bay and Ash' }).click();
  await expect(accept).toBeVisible();

  await page.getByRole('button', { name: 'Use these figures' }).click();
  await expect(page.getByText('figures in use')).toBeVisible();
  await page.reload();
  await expect(page.getByText('figures in use')).toBeVisible();
  const rating = page.getByLabel('Your rating: code');
  const openRating = async () => {
    await page.getByRole('link', { name: 'All workers' }).click();
    await page.getByRole('button', { name: 'Edit Bay' }).click();
    await page.getByText('About this model').click();
  };
  await openRating();
  await expect(rating).toHaveValue(/^\d+$/);
  await page.goto('/#/workers/measure');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Use these figures' })).toBeVisible();
  await openRating();
  await expect(rating).toHaveValue('');
});
