import { expect, test } from './podium';

interface Sent {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly reasoning_effort?: string;
}

test('Effort limits the calls and the reasoning of a run, and is kept after a reload', async ({
  page,
  podium,
  server,
}) => {
  // Podium sends the effort to this model, because it is a known reasoning model.
  server.script('gpt-5', 'ok');
  await podium.addWorker({ address: server.url, model: 'gpt-5', name: 'Desk' });
  await podium.choose('Desk');
  await podium.conductor.selectOption('heuristic');
  await podium.question.fill('What is the capital of Australia?');
  await expect(page.getByText(/^At most 3 calls,/)).toBeVisible();
  await podium.chooseEffort('Thorough');
  await expect(page.getByText(/^At most 5 calls,/)).toBeVisible();
  await podium.chooseEffort('Quick');
  await expect(page.getByText(/^At most 1 call,/)).toBeVisible();
  // Other end-to-end tests may have called this model on the same server.
  const before = server.calls('gpt-5').length;
  await podium.run.click();
  await podium.ended();
  const sent = server.calls('gpt-5').slice(before);
  expect(sent.map(({ body }) => body as Sent)).toMatchObject([{ reasoning_effort: 'low' }]);

  await page.reload();
  await expect(podium.effort.getByLabel('Quick')).toBeChecked();
  await podium.conductor.selectOption('template:best-single');
  await expect(podium.effort).toHaveCount(0);
});

test('the planning prompt advises few steps with the effort Balanced, but not with Thorough', async ({
  podium,
  server,
}) => {
  server.script('conducts', 'ok');
  await podium.storeWorkers({ address: server.url, model: 'conducts', name: 'Desk' });
  await podium.choose('Desk');
  await podium.conductor.selectOption({ label: 'Desk' });
  await podium.question.fill('What is the capital of Australia?');
  for (const [effort, advice] of [
    ['Balanced', 1],
    ['Thorough', 0],
  ] as const) {
    await podium.chooseEffort(effort);
    const before = server.calls('conducts').length;
    await podium.run.click();
    await podium.ended();
    const plan = server.calls('conducts')[before]?.body as Sent;
    const prompt = plan.messages.map(({ content }) => content).join('\n');
    expect(prompt.split('one for plain recall').length - 1, effort).toBe(advice);
  }
});
