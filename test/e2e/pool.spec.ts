/**
 * @file Tests the practice pool, which has only simulated workers, and the pool of the user's own
 * workers. Covers the default pool, the switch between the pools, and questions that simulated
 * workers can't read.
 */
import type { Page } from '@playwright/test';
import { expect, test, type Podium } from './podium';

const EVERYDAY = 'Which city is larger, Lyon or Marseille?';

const practice = (page: Page) => page.getByRole('switch', { name: 'Practice' });
const chosen = (podium: Podium) => podium.workers.getByRole('checkbox', { checked: true });
const chip = (podium: Podium, name: string) => podium.workers.getByRole('checkbox', { name });

/** The names of the workers in the pool. */
function names(podium: Podium): Promise<string[]> {
  return chosen(podium).evaluateAll((boxes) =>
    boxes.map((box) => box.closest('label')?.textContent?.trim().slice(2) ?? ''),
  );
}

test('the user’s first worker replaces the practice pool and answers within six clicks @smoke', async ({
  page,
  podium,
  server,
}) => {
  await podium.open();
  await expect(practice(page), 'there is nothing to switch to').toHaveCount(0);
  let clicks = 0;
  const click = async (control: { click(): Promise<void> }) => {
    clicks += 1;
    await control.click();
  };
  await click(page.getByRole('link', { name: 'Add a worker with your key' }));
  // The first click opens the list, and the second chooses an option.
  clicks += 2;
  await page.getByLabel('Provider').selectOption('custom');
  await click(page.getByLabel('Address'));
  await page.keyboard.type(`${server.url}\n`);
  await expect(podium.modelPicker.getByRole('searchbox')).toBeFocused();
  await page.keyboard.type('ok@first\n');
  await click(podium.modelPicker.getByRole('button', { name: 'Add 1 worker' }));
  await expect(podium.run, 'the page with the link is shown again').toBeVisible();
  await expect.poll(() => names(podium)).toEqual(['ok@first']);
  await expect(practice(page)).not.toBeChecked();
  await click(podium.run);
  await podium.ended();
  expect(clicks).toBeLessThanOrEqual(6);
  expect(server.calls('ok@first').length).toBeGreaterThan(0);
  const [started] = await podium.storedEvents();
  expect(started).toMatchObject({ pool: [{ kind: 'endpoint', model: 'ok@first' }] });
  expect((await podium.storedEvents()).at(-1)?.type).toBe('run-finished');
});

test('the Practice switch restores the chosen workers of each pool, and a note explains a mixed pool', async ({
  page,
  podium,
  server,
}) => {
  await podium.open();
  await chip(podium, 'Elm').setChecked(false, { force: true });
  await podium.addWorker({ address: server.url, model: 'ok@desk', name: 'Desk' });
  await podium.addWorker({ address: server.url, model: 'ok@shelf', name: 'Shelf' });
  await expect(page.getByRole('switch', { name: 'Practice' }), 'the switch on the page Workers').not.toBeChecked();
  await podium.choose('Shelf');

  await practice(page).check();
  await expect.poll(() => names(podium)).toEqual(['Alder', 'Birch', 'Cedar', 'Dogwood']);
  await page.reload();
  await expect(practice(page)).toBeChecked();
  await practice(page).uncheck();
  await expect.poll(() => names(podium)).toEqual(['Shelf']);

  const note = page.getByText('Simulated workers can only solve puzzles. Your own workers can answer any question.');
  await expect(note).toHaveCount(0);
  await expect(chip(podium, 'Alder'), 'simulated workers are hidden at first').toHaveCount(0);
  await podium.showSimulated();
  await expect(chip(podium, 'Alder')).toBeVisible();
  await podium.workers.getByRole('button', { name: 'Hide simulated workers' }).click();
  await podium.showSimulated();
  await chip(podium, 'Alder').setChecked(true, { force: true });
  await expect(note).toBeVisible();
  await page.getByRole('button', { name: 'Leave simulated workers out' }).click();
  await expect.poll(() => names(podium)).toEqual(['Shelf']);

  for (const name of ['Desk', 'Shelf']) {
    await page.goto('/#/workers');
    await page.getByRole('button', { name: `Remove ${name}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByRole('button', { name: `Remove ${name}` })).toHaveCount(0);
  }
  await page.getByRole('link', { name: 'Conduct', exact: true }).click();
  await expect.poll(() => names(podium)).toEqual(['Alder', 'Birch', 'Cedar', 'Dogwood']);
});

test('the practice pool replaces remote workers while Private is on', async ({ page, podium, server }) => {
  await podium.addWorker({ address: server.url, model: 'ok@desk', name: 'Desk' });
  await page.getByRole('link', { name: 'Conduct', exact: true }).click();
  await expect.poll(() => names(podium)).toEqual(['Desk']);
  await page.getByRole('switch', { name: 'Private' }).check();
  await expect(chosen(podium)).toHaveCount(5);
  await expect(chip(podium, 'Desk')).toHaveCount(0);
  await page.getByRole('switch', { name: 'Private' }).uncheck();
  await expect.poll(() => names(podium)).toEqual(['Desk']);
});

test('a note warns before the run if the simulated workers can’t read the question, and offers a fix', async ({
  page,
  podium,
  server,
}) => {
  await podium.open();
  const note = page.getByText('The simulated workers can’t read this question. They can only solve puzzles.');
  await podium.question.fill(EVERYDAY);
  await expect(note).toBeVisible();
  await podium.question.fill('What is 17 + 25?');
  await expect(note).toHaveCount(0);
  await podium.question.fill(EVERYDAY);
  await page.getByRole('link', { name: 'Add a connection' }).click();
  await expect(page.getByRole('form', { name: 'Add a connection' })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page, 'a reload leaves the form closed').toHaveURL(/#\/workers$/);
  await podium.addWorker({ address: server.url, model: 'ok@desk', name: 'Desk' });
  await page.getByRole('link', { name: 'Conduct', exact: true }).click();
  await expect(podium.question).toHaveValue(EVERYDAY);
  await expect(note).toHaveCount(0);
  await practice(page).check();
  await expect(note).toBeVisible();
  await page.getByRole('button', { name: 'Use your own workers' }).click();
  await expect(note).toHaveCount(0);
  await expect.poll(() => names(podium)).toEqual(['Desk']);
});

test('a run that failed on an unreadable question can continue with a worker outside the pool', async ({
  page,
  podium,
  server,
}) => {
  await podium.addWorker({ address: server.url, model: 'ok@desk', name: 'Desk' });
  await page.getByRole('link', { name: 'Conduct', exact: true }).click();
  await practice(page).check();
  await podium.conductor.selectOption({ label: 'Built in, by rules' });
  await podium.question.fill(EVERYDAY);
  await expect(podium.workflow.getByRole('img', { name: /^Step 1, / })).toBeVisible();
  await podium.run.click();
  await podium.ended();
  await expect(podium.answer.getByRole('alert')).toContainText('Simulated workers can only solve small puzzles');
  const options = podium.answer.getByRole('combobox').getByRole('option');
  await expect(options, 'no simulated worker is offered').toHaveText(['Desk']);
  await podium.answer.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Fork' }).click();
  await expect.poll(async () => (await podium.storedTypes()).at(-1)).toBe('run-finished');
  const events = await podium.storedEvents();
  const called = events.filter(({ type }) => type === 'step-started');
  const steps = events.find(({ type }) => type === 'plan-finished')?.workflow;
  expect(steps, 'every step of the plan').toMatchObject({ steps: called.map(() => ({ worker: 5 })) });
  expect(server.calls('ok@desk')).toHaveLength(called.length);
});

test('the introduction is shown on the first visit until the user starts a run', async ({ page, podium }) => {
  await podium.open();
  const sentence = page.getByText(/^Podium lets several language models/);
  await expect(sentence).toBeVisible();
  await expect(page.getByRole('link', { name: 'The paper' })).toHaveAttribute('href', /2512\.04388/);
  await page.getByRole('button', { name: 'How it works' }).click();
  await expect(page.getByRole('dialog', { name: 'How Podium works' })).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await podium.run.click();
  await expect(sentence).toHaveCount(0);
  await podium.ended();
  await page.reload();
  await expect(podium.run).toBeVisible();
  await expect(sentence).toHaveCount(0);
  await page.evaluate(() => localStorage.removeItem('podium.introduced'));
  await page.reload();
  await expect(podium.run).toBeVisible();
  await expect(sentence, 'there are runs').toHaveCount(0);
});
