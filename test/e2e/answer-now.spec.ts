/** @file Tests ending a run early, and where the page shows that the run was ended early. */
import { endlessReply, textReply } from '../fixtures/plans';
import { inTurn } from '../fixtures/fault-replies';
import { expect, test } from './podium';

const PLAN = [
  'Two tries and a decision.',
  'model_id = [0, 0, 1, 0]',
  'subtasks = ["Solve it.", "Solve it another way.", "Solve it a third way.", "Decide."]',
  'access_list = [[], [], [], [0, 1, 2]]',
].join('\n');

test('one click ends a run with the best answer so far, as it is or combined @smoke', async ({
  page,
  podium,
  server,
  axe,
}) => {
  server.script('planner@early', textReply(PLAN));
  server.script('quick@early', textReply('It is **42**.'));
  server.script('slow@early', endlessReply('Let me think'));
  await podium.storeWorkers(
    { address: server.url, model: 'planner@early', name: 'Planner' },
    { address: server.url, model: 'quick@early', name: 'Quick' },
    { address: server.url, model: 'slow@early', name: 'Slow' },
  );
  await podium.choose('Quick', 'Slow');
  await podium.conductor.selectOption({ label: 'Planner' });
  await podium.question.fill('What is six times seven?');
  await podium.run.click();
  const early = page.getByRole('group', { name: 'End the run early' });
  const now = early.getByRole('button', { name: 'Answer now' });
  await expect(early.getByText('step 2 as it is, no further call')).toBeVisible();
  await axe.check('a run that can be ended early');
  await now.click();
  await podium.ended();
  await expect(podium.answer.getByText('It is 42.')).toBeVisible();
  await expect(podium.answer.getByText('Ended early, with the output of step 2.')).toBeVisible();
  await expect(early).toBeHidden();
  expect(server.calls('quick@early')).toHaveLength(2);
  await page.getByRole('link', { name: 'Replay' }).click();
  await expect(page.getByText('Ended early, with the output of step 2.')).toBeVisible();
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Runs' }).click();
  await expect(page.getByRole('row').getByText('ended early')).toBeVisible();

  await podium.open('/#/');
  server.script(
    'quick@early',
    inTurn(textReply('It is **42**.'), textReply('It is **42**.'), textReply('Both say **42**.')),
  );
  await podium.run.click();
  await expect(early.getByText(/^one call to Quick/)).toBeVisible();
  await early.getByRole('button', { name: 'Combine 2 steps' }).click();
  await podium.ended();
  await expect(podium.answer.getByText('Both say 42.')).toBeVisible();
  await expect(podium.answer.getByText('Ended early, by combining 2 finished steps.')).toBeVisible();
  await expect(podium.steps.getByRole('article')).toHaveCount(5);
});
