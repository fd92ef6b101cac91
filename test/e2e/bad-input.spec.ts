import { expect, test } from './podium';

test('a link to a missing page or run, an unreadable question and full storage are explained, and no call is made', async ({
  page,
  podium,
  server,
}) => {
  await podium.open('/#/nowhere');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await page.goto('/#/runs/none');
  await expect(page.getByRole('heading', { level: 1, name: 'Run not found', exact: true })).toBeVisible();
  await expect(page.getByText('It may have been deleted, or it is stored in another browser.')).toBeVisible();
  await page.getByRole('link', { name: 'Go to Runs' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Runs', exact: true })).toBeVisible();

  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Conduct', exact: true }).click();
  await podium.question.fill('Who was the first queen of Denmark?');
  await podium.run.click();
  await expect(page.getByRole('heading', { name: 'Ways to answer it' })).toBeFocused();
  await expect(page.getByRole('row', { name: /^A server on this computer/ })).toContainText('Free');
  expect(await podium.storedTypes()).toEqual([]);
  await expect(podium.question).toHaveValue('Who was the first queen of Denmark?');
  await page.route(/:(?:11434|1234|8080|8000)\//, (route) => route.abort());
  await page.getByRole('link', { name: 'Look for a server' }).click();
  await expect(page.getByText('No server answered.')).toBeVisible();

  await podium.storeWorkers({ address: server.url, model: 'ok@full', name: 'Desk' });
  await page.goto('/#/');
  await podium.choose('Desk');
  await podium.conductor.selectOption('template:best-single');
  await page.evaluate(() => {
    const full = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
    };
    IDBObjectStore.prototype.put = full;
    IDBObjectStore.prototype.add = full;
  });
  await podium.question.fill('Will this be kept?');
  await podium.run.click();
  await podium.ended();
  await expect(podium.answer.getByRole('alert').locator('strong')).toHaveText(
    'Podium’s storage in this browser is full. Delete runs you no longer need, or free some disk space, then try again.',
  );
  expect(server.calls('ok@full')).toHaveLength(0);
  await expect(podium.question).toHaveValue('Will this be kept?');
});
