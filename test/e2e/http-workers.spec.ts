import { expect, test } from './podium';

test('an OpenAI-compatible server streams without a key, the run shows each line of the sent prompt, and its cost is unknown without a price @smoke', async ({
  page,
  podium,
  server,
}) => {
  await podium.addWorker({ address: server.url, model: 'slow@streams', name: 'Desk' });
  await podium.runWithOnly('Desk');
  // The first words are shown before the server sends the other words.
  await expect(podium.answer.getByText('The first words')).toBeVisible();
  await expect(podium.stop).toBeVisible();
  server.release();
  await podium.ended();
  await expect(podium.answer.getByText('The first words and the last.')).toBeVisible();
  const [call] = server.calls('slow@streams');
  expect(call?.headers.authorization).toBeUndefined();
  expect(Object.keys(call?.headers ?? {}).filter((name) => name.startsWith('x-stainless'))).toEqual([]);
  const events = await podium.storedEvents();
  expect(events.find(({ type }) => type === 'step-finished')).toMatchObject({ usage: { input: 9, output: 6 } });
  // The stored deltas of an ended step no longer contain its text.
  expect(events.filter((event) => event.type === 'step-delta' && event.text !== '')).toEqual([]);

  await page.getByRole('link', { name: 'Replay' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const body = call?.body as { messages: { content: string }[] };
  await page.getByText('Prompt', { exact: true }).first().click();
  for (const line of (body.messages[0]?.content ?? '').split('\n').filter((each) => each.trim() !== ''))
    await expect(page.getByText(line.trim(), { exact: false }).first()).toBeVisible();

  await page.goto('/#/runs');
  await expect(page.getByRole('cell', { name: 'unknown', exact: true })).toBeVisible();
  await page.setViewportSize({ width: 390, height: 800 });
  const cost = page.getByRole('cell', { name: 'cost unknown' });
  await expect(cost.getByText('$?')).toBeVisible();
  const [left, right] = [await cost.boundingBox(), await page.getByRole('cell', { name: 'valid' }).boundingBox()];
  if (!left || !right) throw new Error('A cell is not visible.');
  expect(left.x + left.width, 'the cost ends before the next cell').toBeLessThanOrEqual(right.x);
});
