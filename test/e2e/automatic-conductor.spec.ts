/** @file Tests who plans if the user has chosen no Conductor: a remote worker of the pool, or the trained policy. */
import { inTurn, refusal } from '../fixtures/fault-replies';
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

test('the highest-rated remote worker writes the plan, and one click chooses another Conductor', async ({
  page,
  podium,
  server,
}) => {
  server.script('gpt-5', inTurn(textReply(PLAN), textReply('Forty-two.')));
  server.script('google/gemma-3-27b-it', textReply('Forty-two.'));
  await podium.addWorker({ address: server.url, model: 'google/gemma-3-27b-it', name: 'Gemma' });
  await podium.addWorker({ address: server.url, model: 'gpt-5', name: 'GPT-5' });
  await podium.choose('Gemma', 'GPT-5');
  await podium.question.fill(QUESTION);
  await expectAutomatic(podium, 'GPT-5');
  const reason = page.getByText(/^Planned by GPT-5: highest-rated model, strongest in \w+\./);
  await expect(reason).toBeVisible();
  await expect(podium.workflow.getByText('GPT-5 writes the plan when you press Run.')).toBeVisible();
  await expect(planned(podium)).toHaveCount(0);

  await page.getByRole('button', { name: 'Use the trained policy' }).click();
  await expect(podium.conductor).toHaveValue('policy');
  await expect(planned(podium).first()).toBeVisible();
  await page.getByRole('button', { name: 'Automatic: GPT-5' }).click();
  await expectAutomatic(podium, 'GPT-5');
  await expect(planned(podium)).toHaveCount(0);

  const models = ['gpt-5', 'google/gemma-3-27b-it'];
  const called = () => models.map((model) => server.calls(model).length);
  const before = called();
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
});

test('the built-in Conductor plans after a rejected planning call, and the page keeps showing why', async ({
  page,
  podium,
  server,
}) => {
  server.script('writer@refused', inTurn(refusal(401, 'No such key.'), textReply('Forty-two.')));
  await podium.storeWorkers({ address: server.url, model: 'writer@refused', name: 'Writer' });
  await podium.choose('Writer');
  await expectAutomatic(podium, 'Writer');
  await expect(page.getByText(/^Planned by Writer: the only model\. Price of the plan: unknown\./)).toBeVisible();
  await podium.question.fill(QUESTION);
  await page.getByRole('switch', { name: 'Ask me first' }).check();
  await podium.run.click();
  const approve = page.getByRole('button', { name: 'Run this plan' });
  await expect(approve).toBeVisible();
  const notice = podium.workflow.getByText(/^Writer couldn’t plan\. .*key.* The built-in Conductor took over\.$/);
  await expect(notice).toBeVisible();
  await approve.click();
  await podium.ended();
  await expect(notice).toBeVisible();
  const events = await podium.storedEvents();
  expect(events.find(({ type }) => type === 'plan-finished')).toMatchObject({ source: 'fallback' });
  expect(events.at(-1)?.type).toBe('run-finished');
});

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('the trained policy plans while the browser is offline, and the page shows the plan', async ({
    page,
    podium,
    context,
  }) => {
    await podium.storeWorkers({ address: 'http://nowhere.invalid/v1', model: 'none', name: 'Remote' });
    await podium.choose('Remote');
    await podium.question.fill(QUESTION);
    await expectAutomatic(podium, 'Remote');
    await context.setOffline(true);
    await expectAutomatic(podium, 'trained policy');
    await expect(page.getByText(`${POLICY_PLANS} you are offline.`)).toBeVisible();
    await expect(planned(podium).first()).toBeVisible();
    await context.setOffline(false);
    await expectAutomatic(podium, 'Remote');
    await expect(planned(podium)).toHaveCount(0);
  });
});

test('the trained policy plans for simulated workers, even if a remote worker exists outside the pool', async ({
  page,
  podium,
}) => {
  await podium.storeWorkers({ address: 'http://nowhere.invalid/v1', model: 'none', name: 'Remote' });
  await podium.choose('Birch', 'Cedar');
  await expectAutomatic(podium, 'trained policy');
  await expect(page.getByText(`${POLICY_PLANS} the workers are simulated.`)).toBeVisible();
  await expect(planned(podium).first()).toBeVisible();
});
