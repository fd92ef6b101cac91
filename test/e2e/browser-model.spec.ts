/** @file Tests the browser's own model as Conductor and worker. A stub replaces the model, because no test browser has one. */
import { installLanguageModel } from '../fixtures/language-model';
import { expect, test } from './podium';

// The stub's download must stay visible for a moment.

const PLAN = {
  thought: 'One step is enough.',
  steps: [{ model_id: 0, subtask: 'Answer the question.', access: [] }],
};

test('the browser’s model plans and answers without external requests, and is stopped at the time limit', async ({
  page,
  podium,
  context,
}) => {
  await page.addInitScript(installLanguageModel, {
    availability: 'downloadable' as const,
    plan: JSON.stringify(PLAN),
    answer: 'The stand-in says four.',
  });
  await podium.open('/#/models');
  const own = new URL(page.url()).origin;
  const sent: string[] = [];
  context.on('request', (request) => void (request.url().startsWith('http') && sent.push(request.url())));
  const row = page.getByRole('row', { name: /^Browser model/ });
  await expect(row).toContainText('supports only a few languages, and no seed or temperature');
  await expect(row).toContainText('The browser must first download several gigabytes.');
  await row.getByRole('button', { name: 'Use Browser model' }).click();
  const stage = page.getByRole('region', { name: 'Browser model', exact: true });
  await expect(stage.getByText('50 %')).toBeVisible();
  await expect(stage.getByText('The browser downloads its model.')).toBeVisible();
  await expect(stage.getByText('loaded by the browser')).toBeVisible();

  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  const limit = page.getByRole('textbox', { name: 'Time limit of a plan (seconds)' });
  await expect(limit).toHaveValue('300');
  await limit.fill('5');
  await limit.blur();
  await page.evaluate(() => void Object.assign(Reflect.get(globalThis, 'LanguageModel'), { stalls: true }));
  await podium.choose('Alder', 'Birch');
  await expect(podium.conductor.locator('option:checked')).toHaveText('Browser model');
  await podium.question.fill('What is 2 + 2?');
  await podium.run.click();
  await expect(
    podium.workflow.getByText(/^Browser model is writing the plan: about \d+ tokens in .* Time limit: 5\.0 s\.$/),
  ).toBeVisible();
  await expect(podium.workflow.getByRole('group', { name: 'The plan so far' })).toContainText('"thought":"One');
  await expect(podium.answer.getByText(/^about [1-9]\d* tokens$/)).toBeVisible();
  await expect(
    podium.workflow.getByText(
      'Browser model couldn’t plan. The model was stopped because its plan took longer than 5 seconds. You can change the limit in Settings. The built-in Conductor took over.',
    ),
  ).toBeVisible();
  await podium.ended();
  const limited = await podium.storedEvents();
  expect(limited.find(({ type }) => type === 'plan-retried')).toMatchObject({
    next: 'fallback',
    fault: { code: 'timeout' },
    text: JSON.stringify(PLAN).slice(0, 24),
  });

  await page.getByRole('link', { name: 'Replay' }).click();
  await page.getByRole('option', { name: /plan-retried/ }).click();
  await expect(
    page.getByText(/^Try 1: The model was stopped because its plan took longer than 5 seconds\..* took over\.$/),
  ).toBeVisible();

  await page.evaluate(() => void Object.assign(Reflect.get(globalThis, 'LanguageModel'), { stalls: false }));
  await podium.choose('Browser model');
  await podium.run.click();
  await podium.ended();
  const events = await podium.storedEvents();
  expect(events.find(({ type }) => type === 'plan-started')).toMatchObject({
    conductor: { kind: 'browser', label: 'Browser model' },
    grammar: { hash: expect.any(String) },
  });
  expect(events.find(({ type }) => type === 'plan-finished')).toMatchObject({
    source: 'conductor',
    workflow: { steps: [{ worker: 0, subtask: 'Answer the question.', access: [] }] },
  });
  await expect(podium.answer.getByText('The stand-in says four.')).toBeVisible();
  expect(sent.filter((url) => !url.startsWith(own))).toEqual([]);
});
