import { textReply } from '../fixtures/plans';
import { expect, test } from './podium';

interface Sent {
  readonly messages: readonly { readonly content: string }[];
}

const PLAN = [
  'Two tries and a decision.',
  'model_id = [0, 1, 1]',
  'subtasks = ["Solve it.", "Solve it another way.", "Decide."]',
  'access_list = [[], [], [0, 1]]',
].join('\n');

test('a plan that waits for approval keeps its edits through a reload and runs as edited @smoke', async ({
  page,
  podium,
  server,
}) => {
  server.script('planner@approval', textReply(PLAN));
  await podium.storeWorkers(
    { address: server.url, model: 'planner@approval', name: 'Planner' },
    { address: server.url, model: 'ok@north', name: 'North' },
    { address: server.url, model: 'ok@south', name: 'South' },
  );
  await podium.choose('North', 'South');
  await podium.conductor.selectOption({ label: 'Planner' });
  await page.getByRole('switch', { name: 'Ask me first' }).check();
  await podium.question.fill('What is six times seven?');
  await podium.run.click();

  const waits = podium.workflow.getByText('The plan is waiting for your approval. No worker has been called yet.');
  await expect(waits).toBeVisible();
  await expect(page.getByText('Two tries and a decision.')).toBeVisible();
  await page.getByLabel('Worker of step 1').selectOption('South');
  await page.getByLabel('Subtask of step 3').fill('Decide, in one word.');
  await page.getByRole('group', { name: 'Step 3 sees' }).getByLabel('step 2').uncheck();
  await expect
    .poll(async () => (await podium.storedEvents()).findLast(({ type }) => type === 'plan-edited')?.workflow)
    .toMatchObject({ steps: [{ worker: 1 }, {}, { subtask: 'Decide, in one word.', access: [0] }] });
  expect([...server.calls('ok@north'), ...server.calls('ok@south')]).toEqual([]);

  await page.getByLabel('Subtask of step 2').fill('');
  await expect(page.getByText('Step 2 has no instruction.')).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(waits).toBeVisible();
  await expect(page.getByLabel('Subtask of step 3')).toHaveValue('Decide, in one word.');
  await expect(page.getByLabel('Subtask of step 2'), 'an invalid edit is restored too').toHaveValue('');
  await expect(page.getByRole('button', { name: 'Run this plan' })).toBeDisabled();
  await page.getByLabel('Subtask of step 2').fill('Solve it another way.');
  expect(server.calls('planner@approval'), 'the plan was not requested again').toHaveLength(1);
  await page.getByRole('button', { name: 'Run this plan' }).click();
  await podium.ended();

  expect(server.calls('ok@north')).toEqual([]);
  const sent = server.calls('ok@south').map(({ body }) => (body as Sent).messages.at(-1)?.content ?? '');
  expect(sent).toHaveLength(3);
  const decision = sent.find((content) => content.includes('Decide, in one word.'));
  expect(decision).toContain('Solve it.');
  expect(decision).not.toContain('Solve it another way.');

  await page.getByRole('link', { name: 'Replay' }).click();
  await page.getByRole('option', { name: /plan-approved/ }).click();
  await expect(page.getByText('edited by you before it ran').first()).toBeVisible();
  const changes = page.getByRole('list', { name: 'Your changes' });
  await expect(changes.getByText('Step 1: South instead of North.')).toBeVisible();
  await expect(changes.getByText(/Step 3: new subtask instead of “Decide.”/)).toBeVisible();
});

test('each candidate plan explains its choice of workers, also after a reload and in the replay', async ({
  page,
  podium,
}) => {
  await podium.open('/#/settings');
  const count = page.getByRole('textbox', { name: 'Plans to choose from' });
  await count.fill('3');
  await count.blur();
  await page.getByRole('group', { name: 'Choose', exact: true }).getByText('By me').click();
  await page.getByRole('link', { name: 'Conduct', exact: true }).click();
  await expect(podium.workflow.getByText('The trained policy samples 3 plans when you press Run')).toBeVisible();
  await podium.run.click();
  const plans = page.getByRole('region', { name: 'Choose a plan' });
  await expect(plans.getByText('Why these workers: plan 3')).toBeVisible();
  await expect.poll(async () => (await podium.storedTypes()).at(-1)).toBe('plan-held');
  const drawn = (await podium.storedEvents()).filter(({ type }) => type === 'plan-candidate');

  await page.reload();
  await page.getByRole('button', { name: 'Resume' }).click();
  await plans.getByText('Why these workers: plan 2').click();
  const reason = plans.getByText(/^Step 1: .* Known about it:/).filter({ visible: true });
  await expect(reason).toBeVisible();
  const reasonText = await reason.innerText();
  await plans.getByRole('radio', { name: 'Plan 2' }).check();
  await plans.getByRole('button', { name: 'Run plan 2' }).click();
  await podium.ended();
  const finished = (await podium.storedEvents()).find(({ type }) => type === 'plan-finished');
  expect(finished?.choices).toEqual(drawn[1]?.choices);
  await podium.workflow.getByText('Why these workers').click();
  await expect(podium.workflow.getByText(reasonText)).toBeVisible();

  await page.getByRole('link', { name: 'Replay' }).click();
  await page.getByRole('button', { name: 'Plan', exact: true }).click();
  await page.getByText('Why these workers', { exact: true }).click();
  await expect(page.getByText(reasonText).filter({ visible: true })).toHaveCount(1);
});

test('a plan edited before Run keeps its edits through a reload and runs as edited', async ({ page, podium }) => {
  await podium.open();
  await podium.choose('Alder', 'Birch');
  await podium.question.fill('Use 3, 4, 7 and 8 to reach 25.');
  await page.getByRole('button', { name: 'Edit plan' }).click();
  await page.getByLabel('Worker of step 1').selectOption({ label: 'Birch' });
  await page.getByLabel('Subtask of step 1').fill('Solve it with care.');
  await page.reload();
  await expect(podium.workflow.getByText('Edited by you.')).toBeVisible();
  await expect(podium.question).toHaveValue('Use 3, 4, 7 and 8 to reach 25.');
  await expect(page.getByLabel('Subtask of step 1')).toHaveValue('Solve it with care.');

  await podium.choose('Cedar');
  await page.reload();
  await expect(podium.run).toBeVisible();
  await expect(podium.workflow.getByText('Step 1 has no worker. Choose one.')).toBeVisible();
  await expect(page.getByLabel('Subtask of step 1')).toHaveValue('Solve it with care.');
  await podium.choose('Birch', 'Cedar');
  await page.reload();
  await expect(page.getByLabel('Worker of step 1')).toHaveValue(/birch/);
  await page.getByRole('button', { name: 'Remove step 2' }).click();
  const remove = page.getByRole('button', { name: /^Remove step/ });
  for (let left = await remove.count(); left > 1; left -= 1) {
    await remove.last().click();
    await expect(remove).toHaveCount(left - 1);
  }
  await podium.run.click();
  await podium.ended();
  expect((await podium.storedEvents()).find(({ type }) => type === 'plan-finished')).toMatchObject({
    source: 'person',
    workflow: { steps: [{ subtask: 'Solve it with care.' }] },
  });
});
