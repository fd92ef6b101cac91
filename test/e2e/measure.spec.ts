/** @file Measures workers whose abilities differ by domain: stopped, reloaded, continued, and then used. */
import { expect, test } from './podium';
import { measuredReply } from './measured-workers';

test('workers are measured, and the figures are used and undone', async ({ page, podium, server, axe }) => {
  server.script('ash', measuredReply(server, ['maths', 'logic']));
  server.script('bay', measuredReply(server, ['maths', 'code', 'language', 'data']));
  await podium.storeWorker({ address: server.url, model: 'ash', name: 'Ash', price: 1 });
  await podium.storeWorker({ address: server.url, model: 'bay', name: 'Bay', price: 1 });

  await page.goto('/#/workers/measure');
  await page.getByLabel('Budget (USD)').fill('0.3');
  await page.getByLabel('Budget (USD)').blur();
  await expect(page.getByText(/30 tasks in each of five domains would cost about \$/)).toBeVisible();
  await axe.check('measure: plan');
  const called = () => server.calls('ash').length + server.calls('bay').length;
  await page.getByRole('button', { name: 'Start measuring' }).click();
  await expect.poll(called).toBeGreaterThan(20);
  await page.getByRole('button', { name: 'Stop' }).click();
  const resume = page.getByRole('button', { name: 'Continue' });
  await expect(resume).toBeVisible();
  await page.reload();
  await expect(page.getByText(/^Stopped after \d+ of \d+ calls/)).toBeVisible();
  const before = called();
  await resume.click();
  await expect(page.getByRole('button', { name: 'Measure again' })).toBeVisible({ timeout: 60_000 });
  await expect(resume).toBeHidden();
  expect(called()).toBeGreaterThan(before);
  await expect(page.getByRole('article', { name: 'Bay' })).toContainText('As a check');
});
