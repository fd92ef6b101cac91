/**
 * @file Tests a batch of imported tasks with HTTP workers. The tab is closed during the batch. The batch then resumes in
 * a new tab, without repeating finished calls.
 */
import { textReply } from '../fixtures/plans';
import type { Reply } from '../fixtures/openai-scenarios';
import { expect, Podium, test } from './podium';

const TASKS = 8;

/** Tasks with the columns of MATH-500. The answers are 42 and 43 in turn. */
const rows = Array.from({ length: TASKS }, (_, index) => ({
  problem: `What is ${index + 1} + ${41 + (index % 2) - index}?`,
  solution: 'Add them.',
  answer: String(42 + (index % 2)),
  subject: index % 4 < 2 ? 'Algebra' : 'Prealgebra',
  level: 1,
  unique_id: `made/${index}.json`,
}));

/**
 * Answers the first `atOnce` calls immediately. All later calls wait for `release`, so that the tab can be closed during a call.
 */
function heldReplies(atOnce: number) {
  let begun = 0;
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const reply =
    (text: string): Reply =>
    async (exchange) => {
      if (++begun > atOnce) await released;
      await textReply(text)(exchange);
    };
  return { reply, release: () => release() };
}

test('a batch whose tab closed resumes only with Private off, and repeats no finished call', async ({
  page,
  podium,
  context,
  server,
}) => {
  const { reply, release } = heldReplies(6);
  server.script('says-42', reply('Adding them gives \\boxed{42}.'));
  server.script('says-43', reply('Adding them gives \\boxed{43}.'));
  await podium.storeWorkers(
    { address: server.url, model: 'says-42', name: 'Forty-two' },
    { address: server.url, model: 'says-43', name: 'Forty-three' },
  );
  const called = () => server.calls('says-42').length + server.calls('says-43').length;
  const before = called();

  await page.goto('/#/evaluate');
  await page.getByRole('button', { name: 'Add a dataset' }).click();
  await page.getByLabel('Choose a file').setInputFiles({
    name: 'MATH-500.jsonl',
    mimeType: 'application/jsonl',
    buffer: Buffer.from(rows.map((row) => JSON.stringify(row)).join('\n')),
  });
  await expect(page.getByText(/^Recognized as MATH-500/)).toBeVisible();
  await page.getByRole('group', { name: 'Check the dataset' }).getByRole('button', { name: 'Import' }).click();
  await expect(page.getByRole('region', { name: 'Datasets' }).getByText(/^8 tasks/)).toBeVisible();

  await page.getByRole('link', { name: 'New batch' }).click();
  await page.getByRole('checkbox', { name: /^MATH-500/ }).check();
  const methods = page.getByRole('group', { name: 'One worker alone' });
  for (const name of ['Forty-two', 'Forty-three']) await methods.getByRole('checkbox', { name, exact: true }).check();
  await expect(page.getByText(/^16 runs, 16 calls/)).toBeVisible();
  await page.getByRole('button', { name: 'Start batch' }).click();
  await expect.poll(() => called() - before).toBeGreaterThan(6);
  const address = page.url();
  await page.close();
  release();

  const next = new Podium(await context.newPage());
  const isPrivate = next.page.getByRole('switch', { name: 'Private' });
  await next.open();
  await isPrivate.check();
  await next.page.goto(address);
  const resume = next.page.getByRole('button', { name: 'Resume' });
  await expect(resume).toBeVisible();
  const calls = called();
  await resume.click();
  await expect(next.page.getByText(/Private is on, and Forty-t\w+ runs on a server\./)).toBeVisible();
  expect(called(), 'no call is made while Private is on').toBe(calls);
  await next.open();
  await isPrivate.uncheck();
  await next.page.goto(address);
  await resume.click();
  await expect(next.page.getByText('16 of 16')).toBeVisible({ timeout: 60_000 });
  const results = next.page.getByRole('region', { name: 'Results, table' });
  for (const name of ['Forty-two', 'Forty-three'])
    await expect(results.getByRole('row', { name: new RegExp(`^${name} `) })).toContainText('50.0 ±');
  await expect(results.getByRole('row', { name: /^Oracle/ })).toContainText('100.0');
  // Only calls that were in progress when the tab was closed may have been sent twice.
  expect(called() - before).toBeGreaterThanOrEqual(2 * TASKS);
  expect(called() - before).toBeLessThanOrEqual(2 * TASKS + 4);

  // A new batch reuses finished runs.
  await next.page.goto('/#/evaluate/new');
  await next.page.getByRole('checkbox', { name: /^MATH-500/ }).check();
  await next.page
    .getByRole('group', { name: 'One worker alone' })
    .getByRole('checkbox', { name: 'Forty-two', exact: true })
    .check();
  await expect(next.page.getByText(/8 runs are already stored and will not run again/)).toBeVisible();
});
