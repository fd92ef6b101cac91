/** @file Tests the page around a run of an HTTP worker: waiting for a rate limit, copying the answer, and a follow-up question. */
import { inTurn, refusal } from '../fixtures/fault-replies';
import { planText, textReply } from '../fixtures/plans';
import { expect, test, type Podium } from './podium';

const busy = refusal(429, 'Slow down.', 'rate_limit_exceeded', { 'retry-after': '20' });

async function setUp(podium: Podium, address: string, model: string): Promise<void> {
  await podium.storeWorkers({ address, model, name: 'Solo' });
  await podium.choose('Solo');
  await podium.conductor.selectOption('template:best-single');
}

test('planning calls and steps that wait for a rate limit are shown as waiting, and are retried', async ({
  page,
  podium,
  server,
}) => {
  const plan = planText([{ worker: 0, subtask: 'Multiply.', access: [] }]);
  server.script('planner@waits', inTurn(busy, textReply(plan)));
  server.script('solo@waits', inTurn(busy, textReply('42')));
  await page.clock.install();
  await podium.storeWorkers(
    { address: server.url, model: 'planner@waits', name: 'Planner' },
    { address: server.url, model: 'solo@waits', name: 'Solo' },
  );
  await podium.choose('Solo');
  await podium.conductor.selectOption({ label: 'Planner' });
  await podium.question.fill('What is six times seven?');
  await podium.run.click();
  const waits = podium.workflow.getByText(/^Planning\. Waiting for the rate limit of 127\.0\.0\.1:\d+, .* left\.$/);
  await expect(waits).toBeVisible();
  await page.clock.fastForward(21_000);
  await expect(waits).toBeHidden();
  const step = podium.steps.getByRole('article', { name: /^Step 1/ });
  await expect(step.getByText(/Retrying in \d+\.\d s\.$/)).toBeVisible();
  await expect(step.getByText(/ · waiting/)).toBeVisible();
  await expect(podium.workflow.getByText(/too many calls, retry in \d/)).toBeVisible();
  await expect(page.getByText(/^\d+ of at most .*, 1 waiting$/)).toBeVisible();
  await expect(page.getByText('Called. No reply yet.')).toBeHidden();
  await page.clock.fastForward(21_000);
  await podium.ended();
  await expect(podium.answer.getByText('42', { exact: true })).toBeVisible();
  const waiting = (await podium.storedEvents()).filter(({ type }) => type === 'plan-waiting');
  expect(waiting.map((event) => event.for)).toEqual(['limit', null]);
  expect(server.calls('planner@waits')).toHaveLength(2);
});

test('an answer can be copied, and is sent with a follow-up question @smoke', async ({
  page,
  podium,
  server,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  server.script('solo@follow', inTurn(textReply('It is **42**.'), textReply('84, of course.')));
  await setUp(podium, server.url, 'solo@follow');
  await podium.question.fill('What is six times seven?');
  await podium.run.click();
  await podium.ended();
  await podium.answer.getByRole('button', { name: 'Copy' }).click();
  await expect(podium.answer.getByRole('status').filter({ hasText: 'Copied' })).toBeAttached();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('It is **42**.');
  await podium.answer.getByRole('button', { name: 'Ask a follow-up' }).click();
  await expect(podium.question).toBeFocused();
  await podium.question.fill('And twice that?');
  await page.reload();
  const attached = page.getByRole('group', { name: 'Follow-up to an earlier run' });
  await expect(attached.getByRole('link', { name: 'What is six times seven?' })).toBeVisible();
  await podium.run.click();
  await expect(podium.answer.getByText('84, of course.')).toBeVisible();
  await podium.ended();
  const [, second] = server.calls('solo@follow');
  expect(JSON.stringify(second)).toContain('<earlier-answer>\\nIt is **42**.');
  const [started] = (await podium.storedEvents()).filter(({ type }) => type === 'run-started');
  expect(started?.question).toMatchObject({ text: 'And twice that?', context: { answer: 'It is **42**.' } });
  await page.getByRole('link', { name: 'Replay' }).click();
  await expect(attached).toBeVisible();
  await attached.getByRole('link').click();
  await page.getByRole('button', { name: 'Ask a follow-up' }).click();
  await expect(podium.question).toBeFocused();
  await podium.question.fill('And thrice?');
  await attached.getByRole('link').click();
  await page.getByRole('button', { name: 'Ask a follow-up' }).click();
  await expect(podium.question, 'a typed question is kept').toHaveValue('And thrice?');
  await expect(podium.question).toBeFocused();
  await attached.getByRole('button', { name: 'Remove' }).click();
  await expect(attached).toBeHidden();
});
