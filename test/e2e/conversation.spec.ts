/** @file Tests a conversation of several turns: what is sent, how turns are left out, and where its runs are listed. */
import { inTurn } from '../fixtures/fault-replies';
import { textReply } from '../fixtures/plans';
import { expect, test } from './podium';

interface Sent {
  readonly messages: readonly { readonly content: string }[];
}

test('a conversation goes on for several turns, with its files, and each turn is a run @smoke', async ({
  page,
  podium,
  server,
  axe,
}) => {
  const answers = ['It is **42**.', 'It is **84**.', 'It is **126**.', 'It is **168**.'];
  server.script('solo@talk', inTurn(...answers.map(textReply)));
  await podium.storeWorkers({ address: server.url, model: 'solo@talk', name: 'Solo' });
  await podium.choose('Solo');
  await podium.conductor.selectOption('template:best-single');
  const prompts = () => server.calls('solo@talk').map(({ body }) => (body as Sent).messages.at(-1)?.content ?? '');
  const run = async (question: string, answer: string) => {
    await podium.question.fill(question);
    await podium.run.click();
    await podium.ended();
    await expect(podium.answer.getByText(answer)).toBeVisible();
  };
  const followUp = () => podium.answer.getByRole('button', { name: 'Ask a follow-up' }).click();
  const context = page.getByRole('group', { name: 'Follow-up to an earlier run' });

  await run('What is six times seven?', 'It is 42.');
  await followUp();
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({
      name: 'factor.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('The factor is two.'),
    });
  await expect(page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')).toHaveCount(1);
  await run('And times the factor in the file?', 'It is 84.');
  expect(prompts()[1]).toContain('The factor is two.');
  await followUp();
  const files = page.getByRole('list', { name: 'Attached files' }).getByRole('listitem');
  await expect(files, 'the file of the earlier turn stays, once').toHaveCount(1);
  await expect(
    context.getByText(/^Every prompt includes 2 earlier questions and answers, about \d+ tokens$/),
  ).toBeVisible();
  await run('And times three?', 'It is 126.');
  expect(prompts()[2]).toContain(
    'It is **42**.\n</earlier-answer>\n\n<earlier-question>\nAnd times the factor in the file?',
  );
  expect(prompts()[2]).toContain('The factor is two.');

  await followUp();
  await context.getByRole('button', { name: 'Leave out turn 1' }).click();
  await expect(context.getByText('Turn 1 is not sent.')).toBeVisible();
  await page.reload();
  await expect(context.getByRole('button', { name: 'Include turn 1' }), 'a reload loses nothing').toBeVisible();
  await context.getByText(/^Every prompt includes 2 earlier/).click();
  await axe.check('a follow-up with several turns');
  await run('And times four?', 'It is 168.');
  expect(prompts()[3]).not.toContain('It is **42**.');
  expect(prompts()[3]).toContain('It is **84**.');

  await page.getByRole('link', { name: 'Replay' }).click();
  await page.getByText('Turn 4 of 4 of a conversation').click();
  await page.getByRole('listitem').getByRole('link', { name: 'What is six times seven?' }).click();
  await expect(page.getByText('Turn 1 of 4 of a conversation')).toBeVisible();
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Runs' }).click();
  for (const turn of [1, 2, 3, 4]) await expect(page.getByText(`turn ${turn} of 4`)).toBeVisible();
});
