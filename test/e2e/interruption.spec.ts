import { expect, test } from './podium';

test('after a reload, a run waits for Resume and does not repeat finished steps @smoke', async ({
  page,
  podium,
  server,
}) => {
  await podium.storeWorkers({ address: server.url, model: 'slow@resume', name: 'Desk' });
  await podium.choose('Birch', 'Desk');
  await podium.conductor.selectOption('template:debate');
  await podium.question.fill('Use 3, 4, 7, 8, 25 and 50, each at most once, with + − × ÷ to reach 537.');
  await podium.run.click();
  await expect
    .poll(async () => (await podium.storedTypes()).filter((type) => type === 'step-finished').length, {
      timeout: 30_000,
    })
    .toBeGreaterThan(0);
  // Desk's first step must be in progress when the page is reloaded.
  await expect.poll(() => server.calls('slow@resume')).toHaveLength(1);
  const before = await podium.storedEvents();
  const finished = before.filter(({ type }) => type === 'step-finished');

  await page.reload();
  const resume = page.getByRole('button', { name: 'Resume' });
  await expect(resume).toBeVisible();
  expect((await podium.storedTypes()).at(-1)).toBe('run-interrupted');
  expect(server.calls('slow@resume'), 'no call is made before Resume is pressed').toHaveLength(1);

  await resume.click();
  // The resumed run repeats Desk's first step, then starts Desk's second step. `release` only affects calls that the server has
  // already received.
  for (const calls of [2, 3]) {
    await expect.poll(() => server.calls('slow@resume')).toHaveLength(calls);
    server.release();
  }
  await podium.ended(60_000);
  expect(server.calls('slow@resume')).toHaveLength(3);
  const events = await podium.storedEvents();
  expect(events.at(-1)?.type).toBe('run-finished');
  const startsAfter = events.filter(({ type, seq }) => type === 'step-started' && seq >= before.length);
  for (const each of finished)
    expect(
      startsAfter.some((start) => start.round === each.round && start.step === each.step),
      'a finished step does not start again',
    ).toBe(false);
});

test('simultaneous runs in two tabs do not affect each other', async ({ page, context, podium, server }) => {
  await podium.storeWorkers({ address: server.url, model: 'slow@tabs', name: 'Desk' });
  await podium.runWithOnly('Desk', 'First tab?');
  await expect(podium.answer.getByText('The first words')).toBeVisible();

  const { Podium } = await import('./podium');
  const other = new Podium(await context.newPage());
  await other.open();
  await expect(other.run).toBeVisible();
  await expect(other.page.getByRole('button', { name: 'Resume' })).toBeHidden();
  await other.choose('Birch');
  await other.conductor.selectOption('template:best-single');
  await other.question.fill('What is 3 + 4 × 5?');
  await other.run.click();
  await other.ended();
  await expect(other.answer.getByText('Answer:')).toBeVisible();

  await expect(podium.stop).toBeVisible();
  server.release();
  await podium.ended();
  await expect(podium.answer.getByText('The first words and the last.')).toBeVisible();
  await page.goto('/#/runs');
  await expect(page.getByRole('link', { name: 'First tab?' })).toBeVisible();
  await expect(page.getByRole('link', { name: /3 \+ 4/ })).toBeVisible();
  expect(other.errors).toEqual([]);
});
