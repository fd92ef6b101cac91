/**
 * @file Tests that a published dataset is imported from a fake Hugging Face hub, and that the paper's results are shown
 * beside the measured results.
 */
import type { Route } from '@playwright/test';
import { textReply } from '../fixtures/plans';
import { expect, test } from './podium';

const COMMIT = 'a'.repeat(40);
const TASKS = 6;

/** Made-up tasks in the file format of MATH-500. The answer to each task is 42. */
const FILE = Buffer.from(
  Array.from({ length: TASKS }, (_, index) =>
    JSON.stringify({
      problem: `What is ${index} + ${42 - index}?`,
      solution: 'Add them.',
      answer: '42',
      subject: 'Algebra',
      level: 1,
      unique_id: `made/${index}.json`,
    }),
  ).join('\n'),
);

/** Serves a list of files, and byte ranges of one file. Adds the `range` header of each request for the file to `ranges`. */
function fakeHub(ranges: string[]): (route: Route) => Promise<void> {
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
        { rfilename: 'test.jsonl', size: FILE.length },
      ];
      return route.fulfill({ headers, json: { sha: COMMIT, siblings } });
    }
    const range = (await request.headerValue('range')) ?? '';
    ranges.push(range);
    const [, from = '0', to = String(FILE.length - 1)] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
    return route.fulfill({
      status: range === '' ? 200 : 206,
      headers: { ...headers, 'content-range': `bytes ${from}-${to}/${FILE.length}` },
      body: FILE.subarray(Number(from), Number(to) + 1),
    });
  };
}

test('a dataset is imported from the hub in byte ranges, and a batch can show the paper’s results', async ({
  page,
  podium,
  server,
}) => {
  const ranges: string[] = [];
  await page.route('https://huggingface.co/**', fakeHub(ranges));
  server.script('says-42-boxed', textReply('Adding them gives \\boxed{42}.'));
  await podium.storeWorkers({ address: server.url, model: 'says-42-boxed', name: 'Boxed' });
  await page.goto('/#/evaluate');
  await page.getByRole('button', { name: 'Add a dataset' }).click();
  const panel = page.getByRole('group', { name: 'Add a dataset' });
  await panel.getByText('The Hugging Face hub').click();
  await panel.getByLabel('Dataset').selectOption({ label: '500 competition problems' });
  await panel.getByRole('button', { name: 'Open' }).click();
  await expect(page.getByText(/^Recognized as MATH-500/)).toBeVisible();
  await page.getByRole('group', { name: 'Check the dataset' }).getByRole('button', { name: 'Import' }).click();
  const datasets = page.getByRole('region', { name: 'Datasets' });
  await expect(datasets.getByText(`${TASKS} tasks · mathematics · HuggingFaceH4/MATH-500`)).toBeVisible();
  expect(ranges.every((range) => range.startsWith('bytes='))).toBe(true);

  await page.getByRole('link', { name: 'New batch' }).click();
  await page.getByRole('checkbox', { name: /^MATH-500/ }).check();
  await page
    .getByRole('group', { name: 'One worker alone' })
    .getByRole('checkbox', { name: 'Boxed', exact: true })
    .check();
  await page.getByRole('button', { name: 'Start batch' }).click();
  await expect(page.getByText(`${TASKS} of ${TASKS}`, { exact: true })).toBeVisible();
  const results = page.getByRole('region', { name: 'Results, table' });
  await expect(results.getByRole('row', { name: /^Boxed/ })).toContainText('100.0');
  await expect(results.getByText('published, not measured here')).toHaveCount(0);
  await page.getByLabel('Show the paper’s results').check();
  await expect(results.getByRole('row', { name: /^Conductor published/ }).first()).toContainText('99.4');
});
