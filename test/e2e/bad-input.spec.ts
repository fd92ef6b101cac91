import { expect, test } from './podium';

test('an empty question is rejected with a message in the form', async ({ podium }) => {
  await podium.open();
  await podium.question.fill('   ');
  await podium.run.click();
  await expect(podium.page.getByRole('alert').getByText('Write a question first.', { exact: true })).toBeVisible();
  await expect(podium.stop).toBeHidden();
});

test('a pool without workers is rejected with a message in the form', async ({ podium }) => {
  await podium.open();
  await podium.choose();
  const sentence = 'Choose at least one worker.';
  await expect(podium.workflow.getByText(sentence, { exact: true })).toBeVisible();
  await podium.run.click();
  await expect(podium.page.getByRole('alert').getByText(sentence, { exact: true })).toBeVisible();
  await expect(podium.question).toHaveValue(/537/);
});

test('Run leads to other ways if no simulated worker can read the question, and no run fails', async ({
  page,
  podium,
}) => {
  await podium.open();
  await podium.question.fill('Who was the first queen of Denmark?');
  await podium.run.click();
  await expect(page.getByRole('heading', { name: 'Ways to answer it' })).toBeFocused();
  await expect(page.getByRole('row', { name: /^A server on this computer/ })).toContainText('Free');
  expect(await podium.storedTypes().catch(() => [])).toEqual([]);
  await expect(podium.question).toHaveValue('Who was the first queen of Denmark?');
  await page.route(/:(?:11434|1234|8080|8000)\//, (route) => route.abort());
  await page.getByRole('link', { name: 'Look for a server' }).click();
  await expect(page.getByText('No server answered.')).toBeVisible();
});

test('an edited step without a subtask is reported while typing, and the corrected plan runs @smoke', async ({
  page,
  podium,
}) => {
  await podium.open();
  await page.getByRole('button', { name: 'Edit plan' }).click();
  const subtask = podium.workflow.getByRole('textbox').first();
  await subtask.fill('');
  const problem = podium.workflow.getByText('Step 1 has no instruction.', { exact: true });
  await expect(problem).toBeVisible();
  await subtask.fill('Solve it well');
  await expect(problem).toBeHidden();
  await podium.run.click();
  await podium.ended();
  expect((await podium.storedEvents()).find(({ type }) => type === 'plan-finished')).toMatchObject({
    source: 'person',
  });
});

test('an invalid address is rejected with a message in the form', async ({ page, podium }) => {
  await podium.connect({ address: 'ftp://somewhere' });
  await expect(page.getByText('The address must start with http:// or https://.', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Address')).toHaveValue('ftp://somewhere');
});

test('a run with full storage shows an error, makes no call and keeps the question', async ({
  page,
  podium,
  server,
}) => {
  await podium.storeWorkers({ address: server.url, model: 'ok@full', name: 'Desk' });
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

test('a link to a missing run shows a message', async ({ page, podium }) => {
  await podium.open('/#/runs/none');
  await expect(page.getByRole('heading', { level: 1, name: 'Run not found', exact: true })).toBeVisible();
  await expect(page.getByText('It may have been deleted, or it is stored in another browser.')).toBeVisible();
  await page.getByRole('link', { name: 'Go to Runs' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Runs', exact: true })).toBeVisible();
});

test('an unknown address shows “Page not found”', async ({ page, podium }) => {
  await podium.open('/#/nowhere');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
});
