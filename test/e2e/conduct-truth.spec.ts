/**
 * @file Tests that the page *Conduct* shows what will run after the user changes the Conductor, that a fork asks before it
 * makes calls, and that calls stay within the budgets.
 */
import { scenario } from '../fixtures/fault-replies';
import { textReply } from '../fixtures/plans';
import type { OpenAiServer } from '../fixtures/openai-server';
import { expect, test, type Podium } from './podium';

const QUESTION = 'What is six times seven?';

/** Adds the paid worker Desk. Its answers cost little, but the maximum cost of a call is high. */
async function desk(podium: Podium, server: OpenAiServer, model: string): Promise<void> {
  server.script(model, textReply('It is 42.'));
  await podium.storeWorkers({ address: server.url, model, name: 'Desk', price: { input: 1, output: 10 } });
}

test('a changed Conductor shows the new plan and a way back to the run, and a fork asks before it makes calls', async ({
  page,
  podium,
  server,
}) => {
  await desk(podium, server, 'forked@truth');
  await podium.choose('Desk');
  await podium.conductor.selectOption('template:self-reflection');
  await podium.question.fill(QUESTION);
  await podium.run.click();
  await podium.ended();
  const calls = server.calls('forked@truth').length;
  expect(calls).toBeGreaterThan(2);
  const dialog = page.getByRole('dialog');

  await podium.conductor.selectOption('template:best-single');
  await expect(podium.answer).toBeHidden();
  await expect(podium.workflow.getByText('What Run will do. Nothing has been called yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Back to the run' }).click();
  await expect(podium.answer).toContainText('It is 42.');
  await page.getByRole('button', { name: 'Show the new plan' }).click();
  await expect(podium.answer).toBeHidden();
  await page.getByRole('button', { name: 'Back to the run' }).click();
  expect(server.calls('forked@truth')).toHaveLength(calls);

  await podium.steps.getByRole('button', { name: `Fork from step ${calls}` }).click();
  await expect(dialog.getByText(/^At most 1 call, .*\$/)).toBeVisible();
  await expect(dialog.getByText(/^Reused for free: steps 1/)).toBeVisible();
  await expect(dialog.getByText(`Called: step ${calls} (Desk).`)).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('link', { name: 'Replay' }).click();
  await page.getByRole('button', { name: `Fork from step ${calls}` }).click();
  await dialog.getByLabel(`Subtask of step ${calls}`).fill('Only the number.');
  expect(server.calls('forked@truth')).toHaveLength(calls);
  await dialog.getByRole('button', { name: 'Fork' }).click();
  await expect(page.getByRole('link', { name: /^Forked from step/ })).toBeVisible();
  await expect.poll(() => server.calls('forked@truth').length).toBe(calls + 1);
  expect(JSON.stringify(server.calls('forked@truth').at(-1)?.body)).toContain('Only the number.');
});

test('budgets of a run and of a day lower the output limit of a call and stop calls, and the page Workers shows the cost', async ({
  page,
  podium,
  server,
}) => {
  await desk(podium, server, 'capped@truth');
  server.script('capped@truth', scenario('usage-last'));
  const budget = async (usd: string) => {
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByLabel('Budget per run (USD)').fill(usd);
    await page.getByLabel('Budget per run (USD)').blur();
  };
  // A call with the default output limit of 4,096 tokens could cost $0.041.
  await budget('0.02');
  await podium.runWithOnly('Desk', QUESTION);
  await podium.ended();
  await expect(podium.answer).toContainText('Counted.');
  const limit = (server.calls('capped@truth')[0]?.body as { max_tokens?: number } | undefined)?.max_tokens;
  expect(limit).toBeGreaterThanOrEqual(512);
  expect(limit).toBeLessThan(2000);
  await expect(podium.steps).toContainText('to stay within the budget');

  await budget('0.003');
  await podium.runWithOnly('Desk', 'And six times eight?');
  await podium.ended();
  const alert = podium.answer.getByRole('alert');
  await expect(alert).toContainText('This run may cost at most $0.0030. The next call could cost up to');
  await expect(podium.steps).not.toContainText('0.0 s');
  expect(server.calls('capped@truth')).toHaveLength(1);
  await alert.getByRole('link', { name: 'Change the setting' }).click();
  await expect(page.getByLabel('Budget per run (USD)')).toBeFocused();
  await page.getByRole('link', { name: 'Conduct', exact: true }).click();
  await alert.getByRole('button', { name: 'Raise and resume' }).click();
  await expect(podium.answer).toContainText('Counted.');
  expect(server.calls('capped@truth')).toHaveLength(2);

  await page.getByRole('link', { name: 'Workers', exact: true }).click();
  const spent = page.getByRole('region', { name: 'Spent' });
  await expect(spent.getByRole('row', { name: /Desk/ })).toContainText('$0.0008');
  await expect(spent).toContainText('As billed by the providers.');
  await budget('');
  await page.getByLabel('Daily budget (USD)').fill('0.0005');
  await page.getByLabel('Daily budget (USD)').blur();
  await podium.runWithOnly('Desk', 'And six times nine?');
  await podium.ended();
  await expect(alert).toContainText('Your daily budget is $0.0005,');
  await page.getByRole('link', { name: 'Workers', exact: true }).click();
  await page.getByRole('button', { name: 'Edit Desk' }).click();
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(page.getByText('Your daily budget is $0.0005,')).toBeVisible();
  expect(server.calls('capped@truth')).toHaveLength(2);
});
