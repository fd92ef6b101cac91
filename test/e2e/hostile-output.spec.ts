/**
 * @file Tests that hostile text causes no request, runs no script, is shown completely, and does
 * not break the page. A collection of hostile texts (a corpus) is placed wherever the page shows
 * text from a model, a server or a file.
 */
import { chunk, event, openStream, send, type Exchange } from '../fixtures/openai-scenarios';
import { textReply } from '../fixtures/plans';
import { refusal } from '../fixtures/fault-replies';
import { endOf, hostileOutputs, type HostileOutput } from '../fixtures/hostile/outputs';
import { packed, packText } from '../fixtures/hostile/packs';
import { hostileRun, textsIn } from '../fixtures/hostile/runs';
import { recordCorpus } from './corpus-table';
import { countsOf, Lookout, Trap } from './lookout';
import { watchMainThread } from './main-thread';
import { importText } from './run-files';
import { POOL } from '../fixtures/faults/fault-rows';
import { expect, test as base } from './stage';
import { outcomeText } from '../../src/platform/sandbox/python-worker';

const STEPS = 5;
/** Longest subtask in a plan, in characters. */
const LONGEST_SUBTASK = 1_000;
/** Maximum number of characters that the page shows of a server's message. */
const LONGEST_DETAIL = 500;

const RUN_STEPS = 8;

/**
 * The content that a test placed in the page. It becomes a row of the table that `corpus-table.ts`
 * prints.
 */
interface Placed {
  corpus: string;
  texts: number;
  /** Visits of pages with the content. */
  pages: number;
  /** Visits after which the page still worked. */
  recovered: number;
}

interface Fixtures {
  /** All hostile texts. */
  corpus: readonly HostileOutput[];
  placed: Placed;
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
  placed: async ({ browserName: _browser }, use) => use({ corpus: '', texts: 0, pages: 0, recovered: 0 }),
  lookout: async ({ page, trap, server, baseURL, placed }, use, info) => {
    const longestBlock = await watchMainThread(page);
    const lookout = await Lookout.post(page, trap, { home: baseURL ?? '', calls: server.url });
    await use(lookout);
    if (placed.texts > 0) {
      const { corpus, texts, pages, recovered } = placed;
      const counts = countsOf(await lookout.found());
      recordCorpus(info, { corpus, placed: texts, pages, recovered, longestBlock: longestBlock(), ...counts });
    }
    await lookout.expectCalm();
  },
});

/**
 * Replies with a pack (a group of hostile texts), first as reasoning and then as the answer. The
 * subtask contains the number of the pack.
 */
function speaker(texts: readonly string[]) {
  return async ({ messages, response }: Exchange) => {
    const numbers = [...(messages.at(-1)?.content ?? '').matchAll(/Pack (\d+):/g)].map(([, number]) => Number(number));
    const text = texts[numbers.at(-1) ?? -1] ?? 'There is no such pack.';
    openStream(response);
    await send(response, event(chunk({ reasoning_content: text })));
    const size = Math.ceil(text.length / 4);
    for (let from = 0; from < text.length; from += size) {
      await send(response, event(chunk({ content: text.slice(from, from + size) })));
    }
    response.end(event(chunk({}, 'stop')) + event('[DONE]'));
  };
}

/** The texts of a pack that together have at most this length, in characters. */
function fitting(pack: readonly HostileOutput[], length: number): readonly HostileOutput[] {
  let room = length;
  return pack.filter(({ text }) => (room -= text.length + 2) >= 0);
}

const missing = (pack: readonly HostileOutput[], shown: string | null) =>
  pack.filter(({ number }) => !shown?.includes(endOf(number))).map(({ number }) => number);

test('hostile answers, outputs, thoughts and subtasks send no request and run no script', async ({
  page,
  podium,
  server,
  plan,
  corpus,
  placed,
  lookout,
}) => {
  test.setTimeout(400_000);
  expect(corpus.length).toBeGreaterThanOrEqual(1_000);
  placed.corpus = 'model texts: answer, step output, reasoning, subtask, question, Python output';
  const packs = packed(corpus);
  const printed = packed(corpus.filter(({ number }) => number % 13 === 0));
  const all = [...packs, ...printed];
  const texts = [
    ...packs.map(packText),
    ...printed.map((pack) => outcomeText({ ok: true, stdout: packText(pack), stderr: '', time: 1 })),
  ];
  server.script('desk', speaker(texts));
  await podium.open();
  for (let from = 0; from < all.length; from += STEPS) {
    const batch = all.slice(from, from + STEPS);
    await test.step(`${batch[0]?.[0]?.kind}: from pack ${from} on`, async () => {
      const subtasks = batch.map((pack) => fitting(pack, LONGEST_SUBTASK));
      plan(
        ...subtasks.map((used, index) => ({
          worker: 'Desk' as const,
          subtask: `Pack ${from + index}: ${packText(used)}`,
          access: [],
        })),
      );
      const requested = fitting(batch.at(-1) ?? [], LONGEST_SUBTASK);
      placed.pages += 1;
      placed.texts += 2 * batch.flat().length + subtasks.flat().length + requested.length;
      await podium.question.fill(`What do you say to ${from}? ${packText(requested)}`);
      await podium.run.click();
      const last = batch.at(-1)?.at(-1)?.number ?? -1;
      await expect(podium.answer).toContainText(endOf(last));
      await podium.ended();
      // The texts are polled, because Markdown is parsed and drawn block by block.
      const shown = async () => missing(batch.slice(0, -1).flat(), await podium.steps.textContent());
      await expect.poll(shown, 'texts that the steps should show but do not').toEqual([]);
      const answered = async () => missing(batch.at(-1) ?? [], await podium.answer.textContent());
      await expect.poll(answered, 'texts that the answer should show but does not').toEqual([]);
      expect((await podium.storedTypes()).at(-1)).toBe('run-finished');
      await podium.steps
        .locator('details')
        .evaluateAll((details: HTMLDetailsElement[]) => details.forEach((one) => (one.open = true)));
      await lookout.expectCalm();
      placed.recovered += 1;
    });
  }
  await page.getByRole('link', { name: 'Runs' }).click();
  await expect(page.getByRole('link', { name: /What do you say to/ }).first()).toBeVisible();
  await lookout.expectCalm();
});

test('hostile names, model lists and server errors send no request and run no script', async ({
  page,
  podium,
  server,
  plan,
  corpus,
  placed,
  lookout,
}) => {
  placed.corpus = 'servers: worker names, list of models, error messages';
  const short = corpus.filter(({ text }) => text.length < 300);
  const names = short.filter((_, index) => index % 6 === 0).map(({ text }) => text.replaceAll(/\s+/g, ' '));
  for (const name of names) server.script(name, 'ok');
  for (const name of names.slice(0, 3)) await podium.addWorker({ address: server.url, model: name, name });
  placed.texts += names.length + 6;
  placed.pages += 1;
  await page.getByRole('link', { name: 'Conduct', exact: true }).click();
  // The page shortens long names.
  for (const name of names.slice(0, 3)) await expect(podium.workers).toContainText(name.slice(0, 12));
  await lookout.expectCalm();
  placed.recovered += 1;

  await podium.choose(...POOL);
  const packs = packed(
    short.filter(({ text }, index) => text.length < 150 && index % 10 === 0),
    LONGEST_DETAIL,
  );
  for (const [index, pack] of packs.entries()) {
    plan({ worker: 'Desk', subtask: 'Fail.', access: [] });
    server.script('desk', refusal(400, packText(pack), pack[0]?.text));
    placed.pages += 1;
    placed.texts += pack.length;
    await podium.question.fill(`What is wrong with ${index}?`);
    await podium.run.click();
    const alert = podium.answer.getByRole('alert');
    await expect(alert).toContainText(endOf(pack.at(-1)?.number ?? -1));
    await podium.ended();
    expect(missing(pack, await alert.textContent()), 'texts that the error should show but does not').toEqual([]);
    await lookout.expectCalm();
    placed.recovered += 1;
  }
});

test('saved runs with hostile text in every field send no request and run no script', async ({
  page,
  podium,
  corpus,
  placed,
  lookout,
}) => {
  placed.corpus = 'saved runs: title, label, Conductor, plan, pool, steps, faults';
  const short = corpus.filter(({ text }) => text.length < 1_000);
  const size = textsIn(RUN_STEPS);
  const runs = Array.from({ length: Math.ceil(short.length / size) }, (_, run) => {
    const texts = short.slice(run * size, (run + 1) * size);
    return hostileRun(`hostile-${run}`, texts, 1_760_000_000_000 + run, run % 3 === 2);
  });
  await podium.open('/#/runs');
  await importText(page, runs.map(({ line }) => `${line}\n`).join(''));
  await expect(page.getByText(`${runs.length} runs`).first()).toBeVisible();
  await lookout.expectCalm();
  placed.pages += 1;
  placed.recovered += 1;
  for (const { id, texts, used } of runs.filter((_, run) => run % 7 === 2)) {
    placed.pages += 1;
    placed.texts += texts.length;
    await page.goto(`/#/runs/${id}`);
    for (const [step, output] of used.entries()) {
      await page.locator(`a[href="#/runs/${id}?step=0.${step}"]`).first().click();
      await expect(page.getByRole('main')).toContainText(endOf(output?.number ?? -1));
    }
    for (const name of ['Prompt', 'Output']) await page.getByText(name, { exact: true }).first().click();
    await lookout.expectCalm();
    placed.recovered += 1;
  }
  await page.reload();
  await expect(page.getByRole('region', { name: 'Events' })).toBeVisible();
});

test('a link in an answer shows its real address before it is opened', async ({
  page,
  podium,
  server,
  plan,
  trap,
  lookout,
}) => {
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

test('the lookout of these tests detects scripts, and requests that are sent or blocked by the CSP', async ({
  page,
  server,
  baseURL,
}) => {
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
      // The browser reports the violation twice, because the page and a header both set the CSP.
      refused: expect.arrayContaining([expect.stringContaining(`${trap.address}/picture`)]),
      caught: expect.arrayContaining(['GET /call HTTP/1.1']),
    });
  trap.close();
});
