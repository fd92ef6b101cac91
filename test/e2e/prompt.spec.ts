/** @file Tests the prompt, the retries and the second round of a Conductor that is a model on a server. */
import * as z from 'zod/mini';
import type { RecordedRequest } from '../fixtures/openai-server';
import { inTurn } from '../fixtures/fault-replies';
import { planText, textReply } from '../fixtures/plans';
import { expect, test, type Podium } from './podium';

const chat = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
  max_tokens: z.optional(z.number()),
});

/** Returns each message of a call as "role: text". */
function textsOf(call: RecordedRequest | undefined): string[] {
  return z.parse(chat, call?.body).messages.map(({ role, content }) => `${role}: ${content}`);
}

async function ask(podium: Podium) {
  await podium.choose('Desk');
  await podium.conductor.selectOption({ label: 'Planner' });
  await podium.question.fill('What is six times seven?');
}

test('the Conductor receives the user’s saved prompt, retries an invalid plan with a larger output limit, and sees the first answer in the second round @smoke', async ({
  page,
  podium,
  server,
}) => {
  const model = 'planner-rounds';
  const draft = planText([{ worker: 0, subtask: 'Draft it.', access: [] }]);
  const repair = 'model_id = [0]\nsubtasks = ["Mend it."]\naccess_list = ["all"]';
  server.script(model, inTurn(textReply('No idea.'), textReply('Still none.'), textReply(draft), textReply(repair)));
  server.script('desk-rounds', inTurn(textReply('It is forty.'), textReply('It is 42.')));
  await podium.storeWorkers(
    { address: server.url, model: 'desk-rounds', name: 'Desk' },
    { address: server.url, model, name: 'Planner' },
  );
  await podium.open('/#/settings');
  await page.getByRole('group', { name: 'Recursion' }).getByRole('radio', { name: 'On' }).check({ force: true });
  await page.getByRole('group', { name: 'Second round' }).getByRole('radio', { name: 'Always' }).check({ force: true });
  await page.getByRole('textbox', { name: 'Retries of an invalid plan' }).fill('2');
  await page.keyboard.press('Tab');
  await ask(podium);
  await podium.workflow.getByRole('link', { name: 'Conductor’s prompt' }).click();
  await expect(page.getByRole('combobox', { name: 'For' })).toHaveValue(/^endpoint:/);

  const system = page.getByRole('textbox', { name: 'System message', exact: true });
  const user = page.getByRole('textbox', { name: 'User message', exact: true });
  const saved = page.getByRole('status').filter({ hasText: 'Saved.' });
  await user.fill('{{workers}}');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert').filter({ hasText: '{{question}} is missing' })).toBeVisible();
  await page.getByRole('button', { name: 'Reset to default' }).click();
  await page.getByLabel('Compare with the default').check();
  await expect(page.getByRole('textbox', { name: 'User message, default' })).toHaveValue(await user.inputValue());
  await system.fill('Plan in rhymes.');
  await page.getByRole('radio', { name: 'None' }).check({ force: true });
  await page.getByRole('radio', { name: 'Number' }).check({ force: true });
  const scope = page.getByRole('combobox', { name: 'For' });
  const own = await scope.inputValue();
  await scope.selectOption('');
  await expect(system, 'the prompt for all Conductors is separate').not.toHaveValue('Plan in rhymes.');
  await scope.selectOption(own);
  await expect(system, 'unsaved text is kept').toHaveValue('Plan in rhymes.');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(saved).toBeVisible();

  await page.reload();
  await expect(system).toHaveValue('Plan in rhymes.');
  await page.getByRole('link', { name: 'Conduct', exact: true }).click();
  await podium.run.click();
  await podium.ended();
  await expect(podium.answer.getByText('It is 42.')).toBeVisible();

  const planned = server.calls(model);
  expect(planned.map(({ body }) => z.parse(chat, body).max_tokens)).toEqual([1024, 2048, 4096, 1024]);
  expect(textsOf(planned[3]).at(-1)).toContain('<response>\nIt is forty.\n</response>');
  const steps = server.calls('desk-rounds');
  expect(steps).toHaveLength(2);
  expect(textsOf(steps[1])[0]).toContain('<response round="1" number="1">\nIt is forty.\n</response>');
  const [first = '', second = ''] = textsOf(planned[0]);
  expect(first).toBe('system: Plan in rhymes.');
  expect(second).toContain('Model id 0\n');
  const events = await podium.storedEvents();
  expect(events[0]).toMatchObject({
    prompt: { template: { fixed: 'Plan in rhymes.' }, examples: 'none' },
    recursion: false,
    recursionMode: 'always',
    planRetries: 2,
  });
  expect(events.filter(({ type }) => type === 'plan-retried').map(({ maxTokens }) => maxTokens)).toEqual([2048, 4096]);
  expect(events.filter(({ type }) => type === 'round-finished').map(({ outcome }) => outcome)).toEqual([
    'recursed',
    'answered',
  ]);
});
