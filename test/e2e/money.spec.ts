import { expect, test } from './podium';

test('the page Workers shows the cost of a call, and the daily budget blocks further calls', async ({
  page,
  podium,
  server,
}) => {
  await podium.open('/#/workers');
  await page.getByRole('button', { name: 'Add a worker' }).click();
  await page.getByLabel('Provider').selectOption('custom');
  await page.getByLabel('Address').fill(server.url);
  await page.getByRole('combobox', { name: 'Model' }).fill('usage-last@money');
  await page.getByText('Name, strengths and price').click();
  await page.getByLabel('Name', { exact: true }).fill('Desk');
  await page.getByLabel('Input price', { exact: true }).fill('1');
  await page.getByLabel('Output price', { exact: true }).fill('2');
  await page.getByRole('button', { name: 'Add worker' }).click();
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
