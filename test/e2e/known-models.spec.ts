/**
 * @file Tests that the worker form recognizes models with published scores, and that the scores appear in the Conductor's
 * prompt and in the reasons for a plan. The scores also select the Conductor and the best single worker.
 */
import { startEverydayPool, type EverydayPool } from '../fixtures/everyday/server';
import { expect, test as base } from './podium';

const test = base.extend<{ pool: EverydayPool }>({
  pool: async ({ browserName: _browser }, use) => {
    const pool = await startEverydayPool();
    await use(pool);
    await pool.close();
  },
});

const RECALL = 'What is the capital of Australia?';

test('published scores appear in the Conductor’s prompt and in the reasons for a plan, and select the Conductor and the best single worker', async ({
  page,
  podium,
  pool,
}) => {
  await podium.storeWorkers(
    { address: pool.url, model: 'google/gemma-3-27b-it', name: 'Gemma' },
    { address: pool.url, model: 'google/gemini-2.5-pro', name: 'Gemini' },
    { address: pool.url, model: 'anthropic/claude-sonnet-4', name: 'Claude' },
  );
  await page.getByRole('link', { name: 'Workers', exact: true }).click();
  await page.getByRole('button', { name: 'Edit Gemini' }).click();
  await expect(page.locator('option:checked', { hasText: 'By its id: Gemini 2.5 Pro' })).toHaveCount(1);
  await page.getByRole('button', { name: 'Cancel' }).click();

  await podium.choose('Gemma', 'Gemini', 'Claude');
  await podium.question.fill(RECALL);
  await expect(podium.conductor.locator('option:checked')).toHaveText(/^Automatic: (Gemini|Claude)$/);
  await podium.run.click();
  await podium.ended();
  await expect(podium.answer.getByText(/Canberra|Sydney|Melbourne/).first()).toBeVisible();
  const events = await podium.storedEvents();
  expect(events[0]).toMatchObject({ effort: 'balanced', conductor: { kind: 'endpoint' } });
  const prompt = JSON.stringify(events.find(({ type }) => type === 'plan-started')?.['messages']);
  expect(prompt, 'the Conductor’s prompt has published scores').toMatch(/Published/);
  const workflow = events.find(({ type }) => type === 'plan-finished')?.['workflow'];
  expect(workflow, 'the plan for a recall question has one step').toMatchObject({ steps: [{ access: [] }] });
  expect(events.filter(({ type }) => type === 'step-started')).toHaveLength(1);

  await podium.conductor.selectOption('template:best-single');
  await podium.run.click();
  await podium.ended();
  const best = await podium.storedEvents();
  const called = best.find(({ type }) => type === 'step-started')?.['workerId'];
  const workers = best[0]?.['pool'];
  if (!Array.isArray(workers)) throw new Error('The run has no pool.');
  expect(workers.find((worker) => worker.id === called)).toMatchObject({ name: 'Gemini' });

  await podium.choose('Gemma', 'Gemini');
  await podium.conductor.selectOption({ label: 'Built in, by rules' });
  await podium.chooseEffort('Quick');
  await podium.question.fill(RECALL);
  await expect(podium.workflow.getByRole('img', { name: /^Step 1, / })).toBeVisible();
  const why = podium.workflow.locator('details', { hasText: 'Why these workers' });
  await why.getByText('Why these workers').click();
  await expect(why.getByText('Known before you grade any runs:')).toBeVisible();
  await expect(why).toContainText(/published for Gemini 2\.5 Pro: .*knowledge \d+ %/);
  const source = why.getByRole('listitem').filter({ hasText: 'published for Gemini 2.5 Pro' });
  await source.getByRole('button').click();
  await expect(page.getByRole('dialog')).toContainText('arxiv.org');
  await page.keyboard.press('Escape');
  await expect(why.getByRole('link'), 'no run has counted yet').toHaveCount(0);

  await podium.run.click();
  await podium.ended();
  await podium.answer.getByRole('button', { name: 'Right' }).click();
  await expect.poll(async () => (await podium.storedTypes()).at(-1)).toBe('run-graded');
  await podium.question.fill('What is the capital of New Zealand?');
  await expect(podium.workflow.getByText('Nothing has been called yet')).toBeVisible();
  await why.getByText('Why these workers').click();
  const counted = why.getByRole('link', { name: `right on “${RECALL}”` });
  await expect(counted).toBeVisible();
  await expect(why).toContainText('Runs that counted most: ');
  await counted.click();
  await expect(page.getByRole('heading', { level: 1, name: RECALL })).toBeVisible();
});
