import { streamText } from '../fixtures/openai-scenarios';
import { expect, test } from './podium';

test('independent answers are compared for free, and longer ones by a worker at a stated price, once', async ({
  page,
  podium,
  server,
  axe,
}) => {
  const poet = 'whole@poet';
  let answers = 0;
  server.script(poet, (exchange) => {
    const isComparison = JSON.stringify(exchange.messages).includes('Compare the responses');
    const analysis = { consensus: ['The sea is blue.'], contradictions: ['Calm, or stormy.'] };
    return streamText(exchange, isComparison ? JSON.stringify(analysis) : `The sea, verse ${(answers += 1)}.\nBlue.`);
  });
  await podium.storeWorkers({ address: server.url, model: poet, name: 'Poet', price: { input: 1, output: 2 } });
  await podium.choose('Poet');
  await podium.conductor.selectOption('template:consensus');
  await podium.question.fill('Write about the sea.');
  await podium.run.click();
  await podium.ended();
  const before = server.calls(poet).length;
  await page.getByRole('link', { name: 'Replay' }).click();

  const region = page.getByRole('region', { name: 'Where they disagree' });
  await expect(region).toContainText('Can’t be compared exactly');
  await expect(region).toContainText(/by Poet, at most \$0\.\d+/);
  await axe.check('where independent answers disagree');
  await region.getByRole('button', { name: 'Compare longer answers' }).click();
  await expect(region).toContainText('Contradictions, according to Poet');
  await expect(region).toContainText('Calm, or stormy.');
  await expect(region.getByRole('button', { name: 'Compare longer answers' })).toHaveCount(0);
  await expect(page.getByRole('row', { name: /Comparison of answers/ })).toContainText('Poet');

  await page.reload();
  await expect(region).toContainText('Calm, or stormy.');
  expect(server.calls(poet)).toHaveLength(before + 1);
  expect(await podium.storedTypes()).toContain('answers-compared');
});
