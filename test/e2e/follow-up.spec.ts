/**
 * @file Tests the page around a run of an HTTP worker: waiting for a rate limit, stopping with Escape, the focus, copying the
 * answer, and a follow-up question.
 */
import { inTurn, refusal } from '../fixtures/fault-replies';
import { textReply } from '../fixtures/plans';
import { expect, test, type Podium } from './podium';

const busy = refusal(429, 'Slow down.', 'rate_limit_exceeded', { 'retry-after': '20' });

async function setUp(podium: Podium, address: string, model: string): Promise<void> {
  await podium.storeWorkers({ address, model, name: 'Solo' });
  await podium.choose('Solo');
  await podium.conductor.selectOption('template:best-single');
}

test('a step that waits for a rate limit shows that it waits, and when it retries', async ({
  page,
  podium,
  server,
}) => {
  server.script('solo@waits', inTurn(busy, textReply('42')));
  await page.clock.install();
  await setUp(podium, server.url, 'solo@waits');
  await podium.question.fill('What is six times seven?');
  await podium.run.click();
  const step = podium.steps.getByRole('article', { name: /^Step 1/ });
  await expect(step.getByText(/Retrying in \d+\.\d s\.$/)).toBeVisible();
  await expect(step.getByText(/ · waiting/)).toBeVisible();
  await expect(podium.workflow.getByText(/too many calls, retry in \d/)).toBeVisible();
  await expect(page.getByText(/^0 of at most .*, 1 waiting$/)).toBeVisible();
  await expect(page.getByText('Called. No reply yet.')).toBeHidden();
  await page.clock.fastForward(21_000);
  await podium.ended();
  await expect(podium.answer.getByText('42')).toBeVisible();
});

test('Escape asks before it stops a run, and the focus is never lost', async ({ page, podium, server }) => {
  server.script('solo@silent', () => new Promise(() => undefined));
  await setUp(podium, server.url, 'solo@silent');
  await podium.question.fill('What is six times seven?');
  const focused = page.locator(':focus');
  await page.getByRole('button', { name: 'Edit plan' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Worker of step 1')).toBeFocused();
  const discard = page.getByRole('button', { name: 'Use the Conductor’s plan' });
  await discard.focus();
  await page.keyboard.press('Enter');
  await expect(discard).toBeHidden();
  await expect(focused).toHaveCount(1);
  await podium.run.focus();
  await page.keyboard.press('Enter');
  await expect(podium.stop).toBeFocused();
  const dialog = page.getByRole('dialog', { name: 'Stop this run?' });
  await page.keyboard.press('Escape');
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(podium.stop).toBeFocused();
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(podium.answer.getByText(/Stopped/)).toBeVisible();
  await expect(focused).toHaveCount(1);
});

test('the focus moves to a nearby element when a form is cancelled or a worker is removed', async ({
  page,
  podium,
  server,
}) => {
  await podium.open('/#/workers');
  const add = page.getByRole('button', { name: 'Add a connection' });
  await add.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Provider')).toBeFocused();
  await page.getByRole('button', { name: 'Cancel' }).focus();
  await page.keyboard.press('Enter');
  await expect(add).toBeFocused();
  await podium.addWorker({ address: server.url, model: 'ok@solo', name: 'Solo' });
  await page.getByRole('button', { name: 'Remove Solo' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('button', { name: 'Remove Solo' })).toBeHidden();
  await expect(page.getByRole('heading', { name: new URL(server.url).host })).toBeFocused();
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
