/**
 * @file What models say is data, whatever it is: nothing is fetched, nothing runs, nothing is swallowed, and the page lives on.
 * The corpus comes as outputs, as thoughts and as subtasks of a plan; some of it wherever else a server's words are shown.
 */
import { chunk, event, openStream, send, type Exchange } from '../fixtures/openai-scenarios';
import { textReply } from '../fixtures/plans';
import { refusal } from '../fixtures/fault-replies';
import { endOf, hostileOutputs, type HostileOutput } from '../fixtures/hostile-outputs';
import { Lookout, Trap } from './lookout';
import { expect, POOL, test as base } from './stage';

const STEPS = 5;
/** A plan is no place for megabytes. */
const LONGEST_SUBTASK = 1_000;

interface Fixtures {
  /** What the Desk may say. */
  corpus: readonly HostileOutput[];
  lookout: Lookout;
}

const test = base.extend<Fixtures, { trap: Trap }>({
  trap: [
    async ({ browserName: _browser }, use) => {
      const trap = await Trap.set();
      await use(trap);
      trap.close();
    },
    { scope: 'worker' },
  ],
  corpus: async ({ trap }, use) => use(hostileOutputs(trap.address)),
  lookout: async ({ page, trap, server, baseURL }, use) => {
    const lookout = await Lookout.post(page, trap, { home: baseURL ?? '', calls: server.url });
    await use(lookout);
    await lookout.expectCalm();
  },
});

/** Says what it was told to by the number in its subtask: first as a thought, then as its answer, in some pieces. */
function speaker(corpus: readonly HostileOutput[]) {
  return async ({ messages, response }: Exchange) => {
    const numbers = [...(messages.at(-1)?.content ?? '').matchAll(/Output (\d+):/g)].map(([, number]) =>
      Number(number),
    );
    const text = corpus[numbers.at(-1) ?? -1]?.text ?? 'There is no such output.';
    openStream(response);
    await send(response, event(chunk({ reasoning_content: text })));
    const size = Math.ceil(text.length / 4);
    for (let from = 0; from < text.length; from += size) {
      await send(response, event(chunk({ content: text.slice(from, from + size) })));
    }
    response.end(event(chunk({}, 'stop')) + event('[DONE]'));
  };
}

test('outputs, thoughts and subtasks: nothing leaves, nothing runs', async ({
  page,
  podium,
  server,
  plan,
  corpus,
  lookout,
}) => {
  test.setTimeout(400_000);
  expect(corpus.length).toBeGreaterThanOrEqual(200);
  server.script('desk', speaker(corpus));
  await podium.open();
  for (let from = 0; from < corpus.length; from += STEPS) {
    const batch = corpus.slice(from, from + STEPS);
    await test.step(`${batch[0]?.kind}: ${from} and on`, async () => {
      plan(
        ...batch.map(({ number, text }) => {
          const subtask = `Output ${number}: ${text.length > LONGEST_SUBTASK ? '' : text}`;
          return { worker: 'Desk' as const, subtask, access: [] };
        }),
      );
      await podium.question.fill(`What do you say to ${from}? ${batch[0]?.text.slice(0, LONGEST_SUBTASK)}`);
      await podium.run.click();
      await expect(podium.answer).toContainText(endOf(batch.at(-1)?.number ?? -1));
      for (const { number } of batch.slice(0, -1)) await expect(podium.steps).toContainText(endOf(number));
      await podium.ended();
      expect((await podium.storedTypes()).at(-1)).toBe('run-finished');
      await podium.steps
        .locator('details')
        .evaluateAll((all: HTMLDetailsElement[]) => all.forEach((one) => (one.open = true)));
      await lookout.expectCalm();
    });
  }
  await page.getByRole('link', { name: 'Runs' }).click();
  await expect(page.getByRole('link', { name: /What do you say to/ }).first()).toBeVisible();
  await lookout.expectCalm();
});

test('names and errors: nothing leaves, nothing runs', async ({ page, podium, server, plan, corpus, lookout }) => {
  const short = corpus.filter(({ kind, text }) => /script|mutation|link|deceive/.test(kind) && text.length < 300);
  const names = short.filter((_, index) => index % 12 === 0).map(({ text }) => text.replaceAll(/\s+/g, ' '));
  for (const name of names) server.script(name, 'ok');
  for (const name of names.slice(0, 3)) await podium.addWorker({ address: server.url, model: name, name });
  await page.getByRole('link', { name: 'Conduct', exact: true }).click();
  // Long names are shortened.
  for (const name of names.slice(0, 3)) await expect(podium.workers).toContainText(name.slice(0, 20));
  await lookout.expectCalm();

  await podium.choose(...POOL);
  plan({ worker: 'Desk', subtask: 'Fail.', access: [] });
  for (const { text, number } of short.filter((_, index) => index % 6 === 0)) {
    server.script('desk', refusal(400, text, text));
    await podium.question.fill(`What is wrong with ${number}?`);
    await podium.run.click();
    await expect(podium.answer.getByRole('alert')).toContainText(endOf(number));
    await podium.ended();
    await lookout.expectCalm();
  }
});

test('a saved run with hostile words: nothing leaves, nothing runs', async ({
  page,
  podium,
  server,
  plan,
  corpus,
  lookout,
}) => {
  const outputs = corpus.filter(({ text }) => /leak-|iframe|katex/.test(text) && text.length < 300).slice(0, STEPS);
  server.script('desk', speaker(corpus));
  plan(
    ...outputs.map(({ number, text }) => ({
      worker: 'Desk' as const,
      subtask: `Output ${number}: ${text}`,
      access: [],
    })),
  );
  await podium.open();
  await podium.question.fill(outputs.map(({ text }) => text).join(' '));
  await podium.run.click();
  await expect(podium.answer).toContainText(endOf(outputs.at(-1)?.number ?? -1));
  await podium.ended();
  await page.getByRole('link', { name: 'Replay' }).click();
  await expect(page.getByRole('region', { name: 'Events' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText(endOf(outputs.at(-1)?.number ?? -1));
  for (const name of ['Prompt', 'Output']) await page.getByText(name, { exact: true }).first().click();
  await lookout.expectCalm();
  await page.reload();
  await expect(page.getByRole('region', { name: 'Events' })).toBeVisible();
});

test('a link shows where it goes before anything is opened', async ({ page, podium, server, plan, trap, lookout }) => {
  const links = [
    { text: `[https://bank.example](${trap.address}/link)`, shows: `${trap.address}/link` },
    {
      text: '[letters that look Latin](https://\u0430\u0440\u0440\u04cf\u0435.example/)',
      shows: 'https://xn--80ak6aa92e.example/',
    },
    { text: '[turned](https://one.example/\u202egnp.exe)', shows: 'https://one.example/%E2%80%AEgnp.exe' },
  ];
  plan({ worker: 'Desk', subtask: 'Link.', access: [] });
  await podium.open();
  for (const { text, shows } of links) {
    server.script('desk', textReply(text));
    await podium.question.fill(`Where does this go: ${text}`);
    await podium.run.click();
    await podium.ended();
    await podium.answer.getByRole('link').click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText(shows, { exact: true })).toBeVisible();
    await dialog.getByRole('button', { name: 'Stay here' }).click();
    await expect(dialog).toBeHidden();
    await lookout.expectCalm();
  }
});

test('what leaves, runs or is refused would be seen', async ({ page, server, baseURL }) => {
  const trap = await Trap.set();
  const lookout = await Lookout.post(page, trap, { home: baseURL ?? '', calls: server.url });
  await page.goto('/');
  await page.getByRole('main').waitFor();
  await lookout.expectCalm();
  await page.evaluate((address) => {
    const picture = document.createElement('img');
    picture.src = `${address}/picture`;
    document.body.append(picture);
    Object.assign(window, { attacked: 1 });
    void fetch(`${address}/call`, { mode: 'no-cors' }).catch(() => undefined);
  }, trap.address);
  await expect
    .poll(() => lookout.found())
    .toEqual({
      strange: expect.arrayContaining([
        `request: GET ${trap.address}/call`,
        'script: attacked',
        expect.stringMatching(/^element: <img/),
      ]),
      refused: [expect.stringContaining(`${trap.address}/picture`)],
      caught: expect.arrayContaining(['GET /call HTTP/1.1']),
    });
  trap.close();
});
