/** @file Tests a run that skips a settled step, and the button that calls the step anyway. */
import { SETTLING_STEPS } from '../fixtures/faults/fault-rows';
import { textReply } from '../fixtures/plans';
import { expect, test } from './stage';

test('a settled step is skipped, and is called on request', async ({ podium, page, server, plan, axe }) => {
  plan(...SETTLING_STEPS);
  server.script('ok@steady', textReply('Answer: 42'));
  server.script('desk', textReply('It holds.\nVerdict on response 1: right'));
  await podium.open();
  await podium.question.fill('What is six times seven?');
  await podium.run.click();
  await podium.ended();
  const calls = () => server.calls('ok@steady').length;
  const before = calls();
  const settled = (await podium.storedEvents()).find(({ type }) => type === 'step-settled');
  expect(settled).toMatchObject({ step: 2, from: 0, evidence: [1], output: 'Answer: 42' });
  await expect(podium.answer).toContainText('42');
  await axe.check('a run with a settled step');

  server.script('ok@steady', textReply('Answer: 43'));
  await podium.steps.getByRole('button', { name: 'Call anyway: step 3' }).click();
  await page.getByRole('dialog').getByRole('button', { name: /^Fork/ }).click();
  await expect(podium.answer).toContainText('43');
  await podium.ended();
  expect(calls() - before, 'only the settled step is called').toBe(1);
  const types = (await podium.storedTypes()).filter((type) => type.startsWith('step-'));
  expect(types).not.toContain('step-settled');
  expect(types.filter((type) => type === 'step-reused')).toHaveLength(2);
});
