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

test('the practice pool and the user’s own pool are switched by hand and by Private, and explain questions that the simulated workers can’t read', async ({
  page,
  podium,
  server,
}) => {
  const mixed = page.getByText('Simulated workers can only solve puzzles. Your own workers can answer any question.');
  const unreadable = page.getByText('The simulated workers can’t read this question. They can only solve puzzles.');
  await podium.open();
  await podium.question.fill(EVERYDAY);
  await expect(unreadable).toBeVisible();
  await podium.question.fill('What is 17 + 25?');
  await expect(unreadable).toHaveCount(0);
  await chip(podium, 'Elm').setChecked(false, { force: true });
  await podium.question.fill(EVERYDAY);
  await page.getByRole('link', { name: 'Add a connection' }).click();
  await expect(page.getByRole('form', { name: 'Add a connection' })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page, 'a reload leaves the form closed').toHaveURL(/#\/workers$/);
  const add = page.getByRole('button', { name: 'Add a connection' });
  await add.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Provider')).toBeFocused();
  await page.getByRole('button', { name: 'Cancel' }).focus();
  await page.keyboard.press('Enter');
  await expect(add).toBeFocused();
  await podium.addWorker({ address: server.url, model: 'ok@desk', name: 'Desk' });
  await podium.addWorker({ address: server.url, model: 'ok@shelf', name: 'Shelf' });
  await expect(practice(page), 'the switch on the page Workers').not.toBeChecked();
  await podium.choose('Shelf');
  await expect(podium.question).toHaveValue(EVERYDAY);
  await expect(unreadable).toHaveCount(0);

  await practice(page).check();
  await expect.poll(() => names(podium)).toEqual(['Alder', 'Birch', 'Cedar', 'Dogwood']);
  await page.reload();
  await expect(practice(page)).toBeChecked();
  await expect(unreadable).toBeVisible();
  await page.getByRole('button', { name: 'Use your own workers' }).click();
  await expect(unreadable).toHaveCount(0);
  await expect.poll(() => names(podium)).toEqual(['Shelf']);

  const isPrivate = page.getByRole('switch', { name: 'Private' });
  await isPrivate.check();
  await expect.poll(() => names(podium)).toEqual(['Alder', 'Birch', 'Cedar', 'Dogwood']);
  await expect(chip(podium, 'Shelf')).toHaveCount(0);
  await isPrivate.uncheck();
  await expect.poll(() => names(podium)).toEqual(['Shelf']);

  await expect(mixed).toHaveCount(0);
  await expect(chip(podium, 'Alder'), 'simulated workers are hidden at first').toHaveCount(0);
  await podium.showSimulated();
  await expect(chip(podium, 'Alder')).toBeVisible();
  await podium.workers.getByRole('button', { name: 'Hide simulated workers' }).click();
  await podium.showSimulated();
  await chip(podium, 'Alder').setChecked(true, { force: true });
  await expect(mixed).toBeVisible();
  await page.getByRole('button', { name: 'Leave simulated workers out' }).click();
  await expect.poll(() => names(podium)).toEqual(['Shelf']);

  await practice(page).check();
  await podium.conductor.selectOption({ label: 'Built in, by rules' });
  await expect(podium.workflow.getByRole('img', { name: /^Step 1, / })).toBeVisible();
  await podium.run.click();
  await podium.ended();
  await expect(podium.answer.getByRole('alert')).toContainText('Simulated workers can only solve small puzzles');
  const options = podium.answer.getByRole('combobox').getByRole('option');
  await expect(options, 'no simulated worker is offered').toHaveText(['Desk', 'Shelf']);
  await podium.answer.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Fork' }).click();
  await expect.poll(async () => (await podium.storedTypes()).at(-1)).toBe('run-finished');
  const events = await podium.storedEvents();
  const called = events.filter(({ type }) => type === 'step-started');
  const steps = events.find(({ type }) => type === 'plan-finished')?.workflow;
  expect(steps, 'every step of the plan').toMatchObject({ steps: called.map(() => ({ worker: 4 })) });
  expect(server.calls('ok@desk')).toHaveLength(called.length);

  for (const name of ['Desk', 'Shelf']) {
    await page.goto('/#/workers');
    await page.getByRole('button', { name: `Remove ${name}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByRole('button', { name: `Remove ${name}` })).toHaveCount(0);
    await expect(page.getByRole('heading', { name: new URL(server.url).host }), 'the focus is not lost').toBeFocused();
  }
  await page.getByRole('link', { name: 'Conduct', exact: true }).click();
  await expect.poll(() => names(podium)).toEqual(['Alder', 'Birch', 'Cedar', 'Dogwood']);
});
