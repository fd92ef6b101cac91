/**
 * @file Tests grading by a judge, the import of a published dataset from a fake Hugging Face hub, grading by both grading profiles,
 * and the paper's results in the table of results.
 */
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { Page, Route } from '@playwright/test';
import { chunk, event, openStream, usage, type Reply } from '../fixtures/openai-scenarios';
import { expect, test } from './podium';

/** Answers in one piece. @param usdOf the reported cost of a question in US dollars, `null` if no cost is reported */
const paidReply =
  (textOf: (question: string) => string, usdOf: (question: string) => number | null): Reply =>
  ({ messages, response }) => {
    const question = messages.at(-1)?.content ?? '';
    const usd = usdOf(question);
    openStream(response);
    response.write(event(chunk({ content: textOf(question) })) + event(chunk({}, 'stop')));
    response.write(event({ choices: [], usage: { ...usage(10, 5), ...(usd === null ? {} : { cost: usd }) } }));
    response.end(event('[DONE]'));
  };

/**
 * Serves a list of files, and byte ranges of one file. Adds the `range` header of each request for the file to
 * `ranges`.
 */
function fakeHub(file: Buffer, ranges: string[]): (route: Route) => Promise<void> {
  const headers = { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' };
  return async (route) => {
    const request = route.request();
    if (request.method() === 'OPTIONS') {
      return route.fulfill({
        status: 204,
        headers: { ...headers, 'access-control-allow-headers': 'range, authorization' },
      });
    }
    if (request.url().includes('/api/datasets/')) {
      const siblings = [
        { rfilename: 'README.md', size: 10 },
        { rfilename: 'test.jsonl', size: file.length },
      ];
      return route.fulfill({ headers, json: { sha: 'a'.repeat(40), siblings } });
    }
    const range = (await request.headerValue('range')) ?? '';
    ranges.push(range);
    const [, from = '0', to = String(file.length - 1)] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
    return route.fulfill({
      status: range === '' ? 200 : 206,
      headers: { ...headers, 'content-range': `bytes ${from}-${to}/${file.length}` },
      body: file.subarray(Number(from), Number(to) + 1),
    });
  };
}

async function importTasks(page: Page, name: string, rows: readonly object[]): Promise<void> {
  await page.goto('/#/evaluate');
  await page.getByRole('button', { name: 'Add a dataset' }).click();
  await page.getByLabel('Choose a file').setInputFiles({
    name,
    mimeType: 'application/jsonl',
    buffer: Buffer.from(rows.map((row) => JSON.stringify(row)).join('\n')),
  });
}

const check = (page: Page) => page.getByRole('group', { name: 'Check the dataset' });
const results = (page: Page) => page.getByRole('region', { name: 'Results, table' });

test('a worker judges a batch, and the page shows the verdicts and the judge’s separate cost', async ({
  page,
  podium,
  server,
}) => {
  // The worker knows capitals A to C. The judge's server reports a cost for all calls except
  // the one about capital D.
  server.script(
    'knows-three',
    paidReply(
      (question) => (question.includes('capital D') ? 'I am not sure.' : 'It is Rome.'),
      () => 0.002,
    ),
  );
  server.script(
    'judge-of-capitals',
    paidReply(
      (question) =>
        question.includes('It is Rome.')
          ? 'REASON: It names the city.\nVERDICT: CORRECT'
          : 'REASON: It names no city.\nVERDICT: WRONG',
      (question) => (question.includes('capital D') ? null : 0.001),
    ),
  );
  await podium.storeWorkers(
    { address: server.url, model: 'knows-three', name: 'Traveller' },
    { address: server.url, model: 'judge-of-capitals', name: 'Portia' },
  );
  const tasks = ['A', 'B', 'C', 'D'].map((name) => ({ question: `Which city is capital ${name}?`, answer: 'Rome' }));
  await importTasks(page, 'capitals.jsonl', tasks);
  await check(page).getByLabel('Graded by').selectOption({ label: 'A worker judges' });
  await check(page).getByRole('button', { name: 'Import' }).click();
  await expect(page.getByText('4 tasks · judged by a worker · from capitals.jsonl')).toBeVisible();

  await page.getByRole('link', { name: 'New batch' }).click();
  await page.getByRole('checkbox', { name: /^capitals/ }).check();
  await page
    .getByRole('group', { name: 'One worker alone' })
    .getByRole('checkbox', { name: 'Traveller', exact: true })
    .check();
  await expect(page.getByText('Some tasks are graded by a judge. Choose a worker as the judge.')).toBeVisible();
  await page.getByRole('combobox', { name: 'Judge' }).selectOption({ label: 'Portia' });
  await page.getByRole('button', { name: 'Start batch' }).click();
  await expect(page.getByText('4 of 4', { exact: true })).toBeVisible();
  expect(server.calls('judge-of-capitals')).toHaveLength(4);

  const row = results(page).getByRole('row', { name: /^Traveller/ });
  await expect(row).toContainText('75.0');
  await expect(row, 'the method’s cost excludes the judge').toContainText('$0.0020');
  await expect(
    page.getByText(
      'The judge has cost at least $0.0030. 1 call to it has an unknown cost. The methods’ costs exclude the judge.',
    ),
  ).toBeVisible();
  await expect(
    page.getByText('at least $0.0110', { exact: true }),
    'the batch’s cost includes the worker and the judge',
  ).toBeVisible();
  const cells = page.getByRole('region', { name: 'Tasks by method' });
  await expect(cells.getByText('judged by Portia')).toHaveCount(4);
  const wrong = cells.getByRole('link', { name: /^Wrong: Traveller/ });
  await expect(wrong).toHaveAttribute('title', 'Judged wrong by Portia. It names no city.');
  await wrong.click();
  await expect(page.getByText('graded by a judge')).toHaveAttribute('title', /^Judged wrong by Portia\./);
});

test('a dataset is imported from the hub in byte ranges, and its batch shows the scores of both grading profiles, and the paper’s results as published', async ({
  page,
  podium,
  server,
}, testInfo) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
  const problems = [0, 1, 2, 3].map((index) => ({
    problem: `What is ${42 - index} + ${index}?`,
    solution: 'Add them.',
    answer: '42',
    subject: 'Algebra',
    level: 1,
    unique_id: `made/${index}.json`,
  }));
  const ranges: string[] = [];
  const file = Buffer.from(problems.map((row) => JSON.stringify(row)).join('\n'));
  await page.route('https://huggingface.co/**', fakeHub(file, ranges));
  // The paper’s code reads only answer tags. The worker omits the requested tags for one task.
  const styleOf = (question: string) => (question.includes('+ 0') ? '\\boxed{42}' : '<answer>42</answer>');
  server.script(
    'two-styles',
    paidReply(styleOf, () => 0.001),
  );
  await podium.addWorker({ address: server.url, model: 'two-styles', name: 'Two styles', key: 'sk-styles-12345678' });
  await page.goto('/#/evaluate');
  await page.getByRole('button', { name: 'Add a dataset' }).click();
  const panel = page.getByRole('group', { name: 'Add a dataset' });
  await panel.getByText('The Hugging Face hub').click();
  await panel.getByLabel('Dataset').selectOption({ label: '500 competition problems' });
  await panel.getByRole('button', { name: 'Open' }).click();
  await expect(page.getByText(/^Recognized as MATH-500/)).toBeVisible();
  await check(page).getByRole('button', { name: 'Import' }).click();
  const datasets = page.getByRole('region', { name: 'Datasets' });
  await expect(datasets.getByText('4 tasks · mathematics · HuggingFaceH4/MATH-500')).toBeVisible();
  expect(ranges.length).toBeGreaterThan(0);
  expect(ranges.every((range) => range.startsWith('bytes='))).toBe(true);
  await page.getByRole('link', { name: 'New batch' }).click();
  await page.getByRole('checkbox', { name: /^MATH-500/ }).check();
  await page
    .getByRole('group', { name: 'One worker alone' })
    .getByRole('checkbox', { name: 'Two styles', exact: true })
    .check();
  await page.getByRole('group', { name: 'Answer format' }).getByLabel('Answer tags').check({ force: true });
  await page.getByRole('button', { name: 'Start batch' }).click();
  await expect(page.getByText('4 of 4', { exact: true })).toBeVisible();
  const asked = server.calls('two-styles').filter(({ body }) => JSON.stringify(body).includes('</answer>'));
  expect(asked).toHaveLength(4);
  await expect(
    page.getByText('For the same tasks as in the paper’s code, the questions asked for answers in <answer> tags.'),
  ).toBeVisible();

  const row = results(page).getByRole('row', { name: /^Two styles/ });
  await expect(row).toContainText('100.0');
  const profiles = page.getByRole('group', { name: 'Grading profile' });
  await profiles.getByLabel('As the paper’s code').check({ force: true });
  await expect(row).toContainText('75.0');
  await profiles.getByLabel('Strict').check({ force: true });
  await expect(row).toContainText('100.0');

  const published = results(page).getByRole('row').filter({ hasText: 'published, not measured here' });
  await expect(published).toHaveCount(0);
  await page.getByLabel('Show the paper’s results').check();
  await expect(published.first()).toContainText(/table.*constrained/i);
  await expect(
    results(page)
      .getByRole('row', { name: /^Conductor published/ })
      .first(),
  ).toContainText('99.4');
  await expect(row, 'a measured row is not marked').not.toContainText('published');
  const shown = await published.count();
  expect(shown).toBeGreaterThan(1);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('button', { name: /^Markdown/ }).click();
  const markdown = await readFile(await (await download).path(), 'utf8');
  expect(markdown.split('\n').filter((line) => line.includes('(published, '))).toHaveLength(shown);

  // The file with results and runs opens from the disk.
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('button', { name: /^HTML/ }).click();
  const saving = page.waitForEvent('download');
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  const path = testInfo.outputPath('results.html');
  await (await saving).saveAs(path);
  expect(await readFile(path, 'utf8')).not.toContain('sk-styles');
  const reader = await page.context().newPage();
  const errors: string[] = [];
  reader.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await reader.goto(pathToFileURL(path).href);
  await expect(reader.getByRole('region', { name: 'Results' }).getByRole('row', { name: /^Two styles/ })).toContainText(
    '100.0',
  );
  await expect(reader.getByRole('img', { name: 'Rewards' })).toBeVisible();
  await reader.getByRole('region', { name: 'Tasks by method' }).getByRole('link', { name: '✓ Right' }).first().click();
  await expect(reader.getByRole('heading', { name: 'Answer', exact: true })).toBeVisible();
  await expect(reader.getByRole('region', { name: 'Results' })).toBeHidden();
  await reader.getByRole('link', { name: 'All 4 runs' }).click();
  await expect(reader.getByRole('region', { name: 'Results' })).toBeVisible();
  expect(errors).toEqual([]);
});
