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
  server.script('bay', measuredReply(server, ['maths', 'code', 'language', 'data']));
  await page.goto('/#/workers/measure');
  await expect(page.getByText(/^Simulated workers can’t be measured/)).toBeVisible();
  for (const name of ['Ash', 'Bay'])
    await podium.storeWorker({ address: server.url, model: name.toLowerCase(), name, price: 1 });
  await page.getByRole('link', { name: 'Measure your workers' }).click();

  await page.getByLabel('Budget (USD)').fill('0.32');
  await page.getByLabel('Budget (USD)').blur();
  await expect(page.getByText(/^About \$0\.\d+, at most \$0\.32, in about \d+ minutes\./)).toBeVisible();
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
  await expect(page.getByText(/^Stopped after \d+ of \d+ calls · \$0\.\d+ of \$0\.32$/)).toBeVisible();
  await resume.click();
  await expect(page.getByRole('button', { name: 'Measure again' })).toBeVisible({ timeout: 60_000 });
  await expect(resume).toBeHidden();
  // Only the calls that were in progress at the stop are counted without an answer, and none is made twice.
  const seeds = [...server.calls('ash'), ...server.calls('bay')].map(({ model, body }) =>
    JSON.stringify([model, body]),
  );
  expect(new Set(seeds).size).toBe(seeds.length);

  const bay = page.getByRole('article', { name: 'Bay' });
  await expect(bay).toContainText(/As a check, it called \d+ of \d+ right answers right, and 0 of \d+ wrong answers\./);
  await expect(bay).toContainText(/The Conductor will be told: maths \d+ %, code \d+ %/);
  await expect(page.getByText(/^Ash \d+ %, Bay \d+ %\. Ash is the best, with a probability of/)).toBeVisible();
  await axe.check('measure: result');

  await page.getByRole('button', { name: 'Accept: Use Bay and Ash' }).or(page.getByText('accepted')).first().waitFor();
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
