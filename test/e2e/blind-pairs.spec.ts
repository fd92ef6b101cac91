import { streamText } from '../fixtures/openai-scenarios';
import { expect, test } from './podium';

test('a drawn question is answered twice, compared blind, and counted on Analyze', async ({
  page,
  podium,
  server,
  axe,
}) => {
  const poet = 'whole@poet';
  let answers = 0;
  server.script(poet, (exchange) => streamText(exchange, `The sea, verse ${(answers += 1)}.`));
  await podium.storeWorkers({ address: server.url, model: poet, name: 'Poet', price: { input: 1, output: 2 } });
  await podium.choose('Poet');
  await page.goto('/#/settings');
  await page.getByLabel('Also ask one worker alone (%)').fill('100');
  await page.getByLabel('Also ask one worker alone (%)').blur();
  await page.getByRole('combobox', { name: 'Worker that answers alone' }).selectOption('Poet');

  await page.goto('/#/');
  await podium.conductor.selectOption('template:self-reflection');
  await podium.question.fill('Write about the sea.');
  await podium.run.click();
  const pair = page.getByRole('region', { name: 'Two answers to compare' });
  await expect(pair.getByRole('article')).toHaveCount(2);
  await expect(page.getByRole('region', { name: 'Workflow' })).toHaveCount(0);
  await expect(pair).not.toContainText('Poet');
  await expect(pair).not.toContainText('$');
  const made = server.calls(poet).length;
  await axe.check('two answers to compare blind');

  await page.getByRole('link', { name: 'Runs' }).first().click();
  await page.getByRole('link', { name: 'Write about the sea.' }).first().click();
  await expect(pair.getByRole('article')).toHaveCount(2);
  await page.reload();
  await expect(pair.getByRole('article')).toHaveCount(2);
  await pair.getByRole('button', { name: 'A is better' }).click();
  const told = page.getByRole('region', { name: 'Comparison with one worker alone' });
  await expect(told).toContainText('You preferred answer A');
  await expect(told).toContainText('Poet alone');
  await expect(page.getByRole('region', { name: 'Workflow' })).toBeVisible();
  expect(server.calls(poet)).toHaveLength(made);

  expect(await podium.storedTypes()).toEqual(expect.arrayContaining(['alone-answered', 'pair-compared']));
  await expect(page.getByRole('row', { name: /Answer alone/ })).toContainText('Poet');

  await page.goto('/#/analyze');
  const verdict = page.getByRole('region', { name: 'Compared with one worker alone' });
  await expect(verdict).toContainText(/No verdict yet: the workflow won [01] of 1 comparison/);
  await expect(verdict.getByRole('row')).toHaveCount(3);
  await axe.check('pairs on Analyze');
  await verdict.getByRole('button', { name: 'Save: pairs of answers' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /JSON lines/ }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^podium-pairs-.+\.jsonl$/);

  await page.goto('/#/');
  await expect(page.getByText('Compared with Poet alone: No verdict yet')).toBeVisible();
});
