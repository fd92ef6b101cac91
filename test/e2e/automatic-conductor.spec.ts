/** @file Tests who plans if the user has chosen no Conductor: a remote worker of the pool, or the trained policy. */
import { refusal } from '../fixtures/fault-replies';
import { planText, textReply } from '../fixtures/plans';
import { expect, test, type Podium } from './podium';

const PLAN = planText([{ worker: 0, subtask: 'Say how many.', access: [] }]);
const QUESTION = 'What is six times seven?';
const POLICY_PLANS = 'Planned by the trained policy, because';

async function expectAutomatic(podium: Podium, name: string): Promise<void> {
  await expect(podium.conductor).toHaveValue('');
  await expect(podium.conductor.locator('option:checked')).toHaveText(`Automatic: ${name}`);
}

const planned = ({ workflow }: Podium) => workflow.getByRole('img', { name: /^Step \d, / });

test.use({ serviceWorkers: 'allow' });

test('the highest-rated remote worker writes the plan, the policy or the rules take over if it can’t, and one click chooses another Conductor', async ({
  page,
  podium,
  server,
  context,
}) => {
  server.script('gpt-5', textReply(PLAN));
  server.script('google/gemma-3-27b-it', textReply('Forty-two.'));
  await podium.storeWorkers(
    { address: server.url, model: 'google/gemma-3-27b-it', name: 'Gemma' },
    { address: server.url, model: 'gpt-5', name: 'GPT-5' },
    { address: 'http://nowhere.invalid/v1', model: 'none', name: 'Remote' },
  );
  await podium.choose('Birch', 'Cedar');
  await expectAutomatic(podium, 'trained policy');
  await expect(page.getByText(`${POLICY_PLANS} the workers are simulated.`)).toBeVisible();
  await expect(planned(podium).first()).toBeVisible();

  await podium.choose('Gemma', 'GPT-5');
  await podium.question.fill(QUESTION);
  await expectAutomatic(podium, 'GPT-5');
  const reason = page.getByText(/^Planned by GPT-5: highest-rated model, strongest in \w+\./);
  await expect(reason).toBeVisible();
  await expect(podium.workflow.getByText('GPT-5 writes the plan when you press Run.')).toBeVisible();
  await expect(planned(podium)).toHaveCount(0);

  await page.getByRole('button', { name: 'Use the built-in rules' }).click();
  await expect(podium.conductor).toHaveValue('heuristic');
  await expect(planned(podium).first()).toBeVisible();
  await page.getByRole('button', { name: 'Automatic: GPT-5' }).click();
  await expectAutomatic(podium, 'GPT-5');
  await expect(planned(podium)).toHaveCount(0);

  const models = ['gpt-5', 'google/gemma-3-27b-it'];
  const called = () => models.map((model) => server.calls(model).length);
  const before = called();
  await podium.chooseEffort('Quick');
  await expect(page.getByRole('button', { name: 'Use the trained policy' })).toBeVisible();
  await podium.run.click();
  await podium.ended();
  await expect(podium.answer.getByText('Forty-two.')).toBeVisible();
  const events = await podium.storedEvents();
  expect(events[0]).toMatchObject({ type: 'run-started', conductor: { kind: 'endpoint', label: 'GPT-5' } });
  expect(events.find(({ type }) => type === 'plan-finished')).toMatchObject({ source: 'conductor', text: PLAN });
  // GPT-5 is called once for the plan, and Gemma once for the plan's only step.
  expect(called()).toEqual(before.map((calls) => calls + 1));

  await page.reload();
  await expectAutomatic(podium, 'GPT-5');
  await expect(podium.effort.getByLabel('Quick'), 'the effort is kept').toBeChecked();
  await podium.choose('Remote');
  await expectAutomatic(podium, 'Remote');
  await context.setOffline(true);
  await expectAutomatic(podium, 'trained policy');
  await expect(page.getByText(`${POLICY_PLANS} you are offline.`)).toBeVisible();
  await expect(planned(podium).first()).toBeVisible();
  await context.setOffline(false);
  await expectAutomatic(podium, 'Remote');
  await expect(planned(podium)).toHaveCount(0);

  await podium.choose('Gemma', 'GPT-5');
  await expectAutomatic(podium, 'GPT-5');
  server.script('gpt-5', refusal(401, 'No such key.'));
  await page.getByRole('switch', { name: 'Ask me first' }).check();
  await podium.run.click();
  const approve = page.getByRole('button', { name: 'Run this plan' });
  await expect(approve).toBeVisible();
  const notice = podium.workflow.getByText(/^GPT-5 couldn’t plan\. .*key.* The built-in Conductor took over\.$/);
  await expect(notice).toBeVisible();
  server.script('gpt-5', textReply('Forty-two.'));
  await approve.click();
  await podium.ended();
  await expect(notice).toBeVisible();
  expect(server.calls('gpt-5').at(-1)?.body, 'GPT-5 reasons less').toMatchObject({ reasoning_effort: 'low' });
  const later = await podium.storedEvents();
  expect(later.find(({ type }) => type === 'plan-finished')).toMatchObject({ source: 'fallback' });
  expect(later.at(-1)?.type).toBe('run-finished');
});
