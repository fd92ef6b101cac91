import { readFile } from 'node:fs/promises';
import { expect, test } from './podium';

test('a practice batch starts with one click, finishes after a pause and a reload, and its results are exported, imported and compared at equal cost', async ({
  page,
  podium,
  axe,
}) => {
  // Removes the file dialog, which tests can't use. Files are then saved as downloads.
  await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
  await podium.open('/#/evaluate');
  await expect(page.getByRole('region', { name: 'Datasets' }).getByText('Practice set')).toBeVisible();
  await axe.check('Evaluate without batches');
  await page.getByRole('button', { name: 'Start a practice batch' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Practice' })).toBeVisible();
  const resume = page.getByRole('button', { name: /^(Resume|Start)$/ });
  const done = async () => Number((await page.getByText(/^\d+ of 320$/).innerText()).split(' ')[0]);
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(resume).toBeVisible();
  await page.reload();
  await expect(resume).toBeVisible();
  expect(await done()).toBeLessThan(320);
  await resume.click();
  await expect(page.getByText('320 of 320')).toBeVisible({ timeout: 60_000 });
  const results = page.getByRole('region', { name: 'Results, table' });
  await expect(results.getByRole('row', { name: /^Built in, trained policy/ })).toContainText(/\d+\.\d ± \d+\.\d/);
  await expect(results.getByRole('row', { name: /^Oracle/ })).toBeVisible();
  await expect(page.getByText('simulated', { exact: true }).first()).toBeVisible();
  await axe.check('a finished batch');

  // Each task of the batch links to its saved runs.
  await page
    .getByRole('link', { name: /^(Right|Wrong): Built in, trained policy/ })
    .first()
    .click();
  await expect(page.getByRole('slider')).toBeVisible();
  await page.goBack();

  const files: string[] = [];
  for (const format of ['CSV', 'Markdown', 'LaTeX', 'JSON']) {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('button', { name: new RegExp(`^${format}`) }).click();
    files.push(await readFile(await (await download).path(), 'utf8'));
  }
  const [csv = '', markdown = '', latex = '', json = ''] = files;
  expect(csv.startsWith('\ufeff')).toBe(true);
  expect(csv.split('\r\n')[1]).toMatch(/^"?Built in, trained policy/);
  expect(markdown).toContain('| Built in, trained policy |');
  expect(latex).toContain('\\begin{tabular}');
  expect(JSON.parse(json)).toMatchObject({ format: 'podium-batch', version: 1 });

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('button', { name: /^Rollouts/ }).click();
  const rollouts = (await readFile(await (await download).path(), 'utf8')).trim().split('\n');
  await expect(page.getByText(`${rollouts.length} rollouts exported.`)).toBeVisible();
  expect(JSON.parse(rollouts[0] ?? '')).toMatchObject({ reward: expect.any(Number), group: expect.any(String) });

  await page.goto('/#/evaluate');
  const row = page.getByRole('row', { name: /Practice/ });
  await expect(row).toContainText('40 tasks × 8 methods');
  await expect(row).toContainText('Finished');
  await axe.check('Evaluate with a batch');
  await page
    .getByLabel('Import', { exact: true })
    .last()
    .setInputFiles({ name: 'results.json', mimeType: 'application/json', buffer: Buffer.from(json) });
  await expect(page.getByText('imported', { exact: true })).toBeVisible();
  await expect(results.getByRole('row', { name: /^Built in, trained policy/ })).toContainText(/\d+\.\d ± \d+\.\d/);
  await expect(page.getByRole('link', { name: /^Right:/ })).toHaveCount(0);

  await page.getByRole('button', { name: 'Use this plan again' }).click();
  await expect(page.getByText(/^320 runs, /)).toBeVisible();
  await page.getByRole('button', { name: 'Start batch' }).click();
  await expect(page.getByRole('link', { name: /^Right:/ }).first()).toBeVisible();
  await expect(page.getByText('imported', { exact: true })).toHaveCount(0);

  await page.goto('/#/evaluate/new');
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
  await axe.check('the form of a new batch');
  await page.getByRole('button', { name: 'Start batch' }).click();
  await expect(page.getByText('280 of 280')).toBeVisible({ timeout: 60_000 });

  // Simulated workers are free, so the control makes as many calls.
  const sentence =
    /^On these 40 tasks, Self-reflection, five rounds is .+ points (above|below) .+, with 5\.0 times as many calls; at equal cost the difference is −?\d+\.\d\s±\s\d+\.\d\./;
  await expect(page.getByText(sentence)).toBeVisible();
  await expect(results.getByRole('columnheader', { name: 'At equal cost' })).toBeVisible();
  const control = results.getByRole('row', { name: /^Best worker at the cost of Self-reflection, five rounds \d/ });
  await expect(control).toContainText(/\d+\.\d ± \d+\.\d/);
  await axe.check('the results of a batch with an equal-cost control');

  // A vote needs no call to choose.
  await page
    .getByRole('link', { name: /^(Right|Wrong): Best worker at the cost of Self-reflection/ })
    .first()
    .click();
  await expect(page.getByText(/Not called: steps? .* gave the answer/).first()).toBeVisible();
});

/**
 * Returns a table (CSV) with the outcomes of three workers for seven questions. The first worker answers six
 * questions right, the second three, and the third one. Two more rows are invalid.
 */
function recordedTable(): string {
  const rows = Array.from({ length: 7 }, (_, index) =>
    [6, 3, 1].map((known, worker) => {
      const name = ['lynx', 'wren', 'toad'][worker];
      return `${index},"What is ${index} + ${index}?",${name},${index < known ? 1 : 0},${0.001 * (3 - worker)},${200 + index}`;
    }),
  );
  return ['id,question,model,score,cost,latency_ms', ...rows.flat(), ',,lynx,1,,', '8,Half a row,lynx,maybe,,'].join(
    '\n',
  );
}

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('a table of recorded outcomes can be imported and then evaluated offline @smoke', async ({
    page,
    podium,
    context,
    axe,
  }) => {
    await podium.open('/#/evaluate');
    const datasets = page.getByRole('region', { name: 'Datasets' });
    const choose = async () => {
      await datasets.getByRole('button', { name: 'Add recorded outcomes' }).click();
      await datasets
        .getByLabel('Choose files', { exact: true })
        .setInputFiles({ name: 'router.csv', mimeType: 'text/csv', buffer: Buffer.from(recordedTable()) });
      await expect(datasets.getByText('7 tasks, 3 workers')).toBeVisible();
    };
    await choose();
    await expect(datasets.getByText('wren: 7 outcomes, 42.9 % right')).toBeVisible();
    await expect(datasets.getByRole('list', { name: 'Skipped rows' }).getByRole('listitem')).toHaveText([
      /^Row 22: The field “question”/,
      /^Row 23: The field “score” should be a number/,
    ]);
    await axe.check('the preview of recorded outcomes');
    await datasets.getByRole('button', { name: 'Import' }).click();
    await expect(datasets.getByText('7 tasks · recorded scores · 3 recorded workers · from router.csv')).toBeVisible();
    await choose();
    await datasets.getByRole('button', { name: 'Import' }).click();
    await expect(datasets.getByText(/This table is already imported as “router”\./)).toBeVisible();

    await context.setOffline(true);
    await page.getByRole('link', { name: 'New batch' }).click();
    await page.getByRole('checkbox', { name: /^router/ }).check();
    const methods = page.getByRole('region', { name: 'Methods' });
    await expect(methods.getByRole('checkbox', { name: 'Debate', exact: true })).toBeDisabled();
    await expect(methods.getByText('Needs answers that are not in the table.').first()).toBeVisible();
    for (const name of ['lynx (recorded)', 'wren (recorded)', 'toad (recorded)', 'Random worker', 'Fitted router']) {
      await methods.getByRole('checkbox', { name, exact: true }).check();
    }
    await expect(page.getByText('35 runs, 35 calls')).toBeVisible();
    await axe.check('the form of a batch over recorded workers');
    await page.getByRole('button', { name: 'Start batch' }).click();
    await expect(page.getByText('35 of 35')).toBeVisible();
    await expect(page.getByText('recorded', { exact: true }).first()).toBeVisible();
    const results = page.getByRole('region', { name: 'Results, table' });
    await expect(results.getByRole('row', { name: /^lynx \(recorded\)/ })).toContainText('85.7');
    await expect(results.getByRole('row', { name: /^toad \(recorded\)/ })).toContainText('14.3');
    // Without a history, the router has nothing to learn from, so it calls the first worker.
    await expect(results.getByRole('row', { name: /^Fitted router/ })).toContainText('85.7');
    await expect(results.getByRole('row', { name: /^Oracle/ })).toContainText('85.7');
    await expect(results.getByRole('row', { name: /^Best of the single workers/ })).toContainText('85.7');

    await page.goto('/#/runs');
    await expect(page.getByText('recorded', { exact: true }).first()).toBeVisible();
  });
});
