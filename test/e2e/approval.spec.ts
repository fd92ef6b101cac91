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
