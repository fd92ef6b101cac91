import { expect, test } from './podium';

test('the page Workers shows the cost of a call, and the daily budget blocks further calls', async ({
  page,
  podium,
  server,
}) => {
  const price = { input: 1, output: 2 };
  await podium.storeWorkers({ address: server.url, model: 'usage-last@money', name: 'Desk', price });
  await podium.runWithOnly('Desk');
  await podium.ended();

  await page.getByRole('link', { name: 'Workers', exact: true }).click();
  const spent = page.getByRole('region', { name: 'Spent' });
  await expect(spent.getByRole('row', { name: /Desk/ })).toContainText('$0.0004');
  await expect(spent).toContainText('As billed by the providers.');

  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByLabel('Daily budget (USD)').fill('0.0005');
  await page.getByLabel('Daily budget (USD)').blur();
  await podium.runWithOnly('Desk', 'And six times eight?');
  await podium.ended();
  await expect(podium.answer.getByRole('alert')).toContainText('Your daily budget is $0.0005,');
  expect(server.calls('usage-last@money')).toHaveLength(1);

  await page.getByRole('link', { name: 'Workers', exact: true }).click();
  await page.getByRole('button', { name: 'Edit Desk' }).click();
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(page.getByText('Your daily budget is $0.0005,')).toBeVisible();
  expect(server.calls('usage-last@money')).toHaveLength(1);
});
