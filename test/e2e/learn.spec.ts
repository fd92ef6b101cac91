/** @file Tests learning lessons on *Train*, with a planner, a reflecting model and workers on HTTP. */
import type { Page } from '@playwright/test';
import { describedWorker, startSocietyServer } from '../fixtures/lessons/server';
import { drawSociety, KINDS, societyTasks } from '../fixtures/lessons/society';
import { expect, test } from './podium';

const SOCIETY = drawSociety(1);

/** For each kind of question, the two workers that are best at it. */
const LESSONS = KINDS.map((kind) => {
  const [first, second] = SOCIETY.workers.toSorted((one, other) => other.skills[kind] - one.skills[kind]);
  return `For ${kind} questions, use ${first?.name ?? ''}, else ${second?.name ?? ''}.`;
});
const REFLECTION = `<lessons>\n${LESSONS.map((lesson) => `- ${lesson}`).join('\n')}\n</lessons>`;

/** The pool file with the society's workers, a planner and a reflecting model. */
function poolFile(baseUrl: string): string {
  const workers = [
    ...SOCIETY.workers.map((worker) => ({
      id: worker.id,
      model: worker.name.toLowerCase(),
      name: worker.name,
      description: describedWorker(worker),
    })),
    { id: 'planner', model: 'planner', name: 'Planner' },
    { id: 'reflector', model: 'reflector', name: 'Reflector' },
  ].map((worker) => ({ ...worker, baseUrl, needsKey: false, price: { input: 1, output: 1 } }));
  const pool = SOCIETY.workers.map(({ id }) => id);
  return JSON.stringify({ format: 'podium-pool', version: 1, name: 'Society', pool, workers });
}

async function importPool(page: Page, text: string) {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('region', { name: 'Pools' }).getByRole('button', { name: 'Import a pool' }).click();
  await (await chooser).setFiles({ name: 'society.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await page.getByRole('button', { name: 'Use these workers' }).click();
  await page.getByRole('region', { name: 'Pools' }).getByRole('button', { name: 'Use Society' }).click();
}

async function importTasks(page: Page, count: number) {
  const rows = societyTasks(1, count).map(({ id, question, reference }) => ({ id, question, answer: reference }));
  await page.getByRole('button', { name: 'Add a dataset' }).click();
  await page.getByLabel('Choose a file').setInputFiles({
    name: 'society.jsonl',
    mimeType: 'application/jsonl',
    buffer: Buffer.from(rows.map((row) => JSON.stringify(row)).join('\n')),
  });
  await page.getByRole('group', { name: 'Check the dataset' }).getByRole('button', { name: 'Import' }).click();
  // The preview counts the tasks, too.
  await expect(page.getByRole('group', { name: 'Check the dataset' })).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Datasets' }).getByText(`${count} tasks`)).toBeVisible();
}

test('a Conductor learns lessons, resumes after a reload without paying twice, and uses them once they are proved', async ({
  page,
  podium,
  axe,
}) => {
  const server = await startSocietyServer(SOCIETY, { useful: 1, harmful: 0, leaking: 0 }, REFLECTION);
  try {
    await podium.open('/#/workers');
    await importPool(page, poolFile(server.url));
    await page.goto('/#/evaluate');
    await importTasks(page, 100);

    await page.goto('/#/train');
    await page.getByRole('link', { name: 'Learn lessons' }).click();
    await page.getByRole('combobox', { name: 'Conductor' }).selectOption('Planner');
    await page.getByRole('combobox', { name: 'Reflecting model' }).selectOption('Reflector');
    await expect(page.getByText('25 for training, 25 for validation, 50 for the test (yours')).toBeVisible();
    await page.getByRole('textbox', { name: 'Graded runs' }).fill('70');
    await page.getByRole('textbox', { name: 'Runs at a time' }).fill('8');
    await axe.check('Learn lessons');
    await page.getByRole('button', { name: 'Start search' }).click();

    await expect(page.getByText(/^Iteration 1, \d+ of 70 runs/)).toBeVisible();
    await page.reload();
    await expect(page.getByText(/^Paused\. Iteration 1/)).toBeVisible();
    await page.getByRole('button', { name: 'Continue' }).click();
    const lessons = page.getByRole('region', { name: 'Best lessons' });
    await expect(lessons.getByRole('button', { name: 'Prove the lessons' })).toBeVisible({ timeout: 60_000 });
    for (const lesson of LESSONS) await expect(lessons.getByText(lesson)).toBeVisible();
    // 66 runs: the validation tasks and the minibatch, by the start and by the lessons. The reload stopped at most 8 plans.
    expect(server.calls.get('planner')).toBeLessThanOrEqual(66 + 8);
    expect(server.calls.get('reflector')).toBe(1);
    await axe.check('Best lessons');

    await lessons.getByRole('button', { name: 'Prove the lessons' }).click();
    await expect(lessons.getByText(/^Better than the current prompt: .* on 50 tasks\./)).toBeVisible({
      timeout: 60_000,
    });
    await lessons.getByRole('button', { name: 'Use these lessons' }).click();
    await expect(lessons.getByText('in use', { exact: true })).toBeVisible();

    await page.goto('/#/train');
    await page.getByText('Show the lessons').click();
    await page.getByRole('checkbox', { name: 'Use lesson 1' }).uncheck();
    await axe.check('Train with lessons');
    await page.reload();
    await page.getByText('Show the lessons').click();
    await expect(page.getByRole('checkbox', { name: 'Use lesson 1' })).not.toBeChecked();
    await page.getByRole('button', { name: 'Remove the lessons of Planner' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByText('Show the lessons')).toBeHidden();
  } finally {
    await server.close();
  }
});
