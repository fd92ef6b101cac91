/**
 * @file Tests that pathological model output doesn't freeze the page. Each text is streamed to the built page, and must be
 * stored up to the character limit. The tests print how long the main thread was blocked and how long Stop took. They don't
 * assert these times.
 */
import type { Page } from '@playwright/test';
import { chunk, event, openStream, send, type Reply } from '../fixtures/openai-scenarios';
import { PATHOLOGICAL_TEXTS, type PathologicalText } from '../fixtures/hostile/pathological-texts';
import { expect, test, type Podium } from './podium';

/** Podium's character limit for an answer with an output limit of 4,096 tokens. */
const MOST = 2 ** 18;
const DELTA = 2_000;

interface Watch {
  /** Durations of main-thread tasks longer than 50 ms, in ms. */
  readonly blocks: number[];
  /** Time from the click on Stop until the button disappears, in ms. -1 before that. */
  stopLatency: number;
}

declare global {
  interface Window {
    watch: Watch;
  }
}

/**
 * Records main-thread tasks and the time that Stop takes. Measures inside the page, because a query from outside would
 * wait for a busy page.
 */
async function watch(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.watch = { blocks: [], stopLatency: -1 };
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.watch.blocks.push(duration);
    }).observe({ type: 'longtask' });
    const isStop = (button: Element | null | undefined) => button?.textContent?.trim() === 'Stop';
    addEventListener(
      'click',
      ({ target, timeStamp }) => {
        if (!(target instanceof Element) || !isStop(target.closest('button'))) return;
        const look = () => {
          if ([...document.querySelectorAll('button')].some(isStop)) requestAnimationFrame(look);
          else window.watch.stopLatency = performance.now() - timeStamp;
        };
        requestAnimationFrame(look);
      },
      true,
    );
  });
}

async function reset(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.watch.blocks.length = 0;
    window.watch.stopLatency = -1;
  });
}

async function figures(page: Page): Promise<{ longest: number; stopLatency: number }> {
  await expect.poll(() => page.evaluate(() => window.watch.stopLatency)).toBeGreaterThanOrEqual(0);
  return page.evaluate(() => ({ longest: Math.max(0, ...window.watch.blocks), stopLatency: window.watch.stopLatency }));
}

/** Streams a text and doesn't end the response. */
function streams(text: string): Reply {
  return async ({ response }) => {
    openStream(response);
    const signs = text.match(new RegExp(`[^]{1,${DELTA}}`, 'gu')) ?? [];
    for (const content of signs) await send(response, event(chunk({ content })));
  };
}

function floods(piece: string): Reply {
  return async ({ response }) => {
    openStream(response);
    const pieces = piece.repeat(Math.ceil(2 ** 16 / piece.length));
    let isClosed = false;
    const closed = new Promise<void>((resolve) => response.on('close', () => resolve(void (isClosed = true))));
    while (!isClosed) await Promise.race([send(response, pieces), closed]);
  };
}

async function textSoFar(podium: Podium): Promise<number> {
  const deltas = (await podium.storedEvents()).filter(({ type }) => type === 'step-delta');
  // After the step has ended, stored deltas contain only their length.
  return deltas.reduce((sum, { text, length }) => sum + (typeof length === 'number' ? length : String(text).length), 0);
}

/** Characters at the end that may begin a tag around thoughts, such as `[`. They wait for more text, which never comes. */
const HELD_BACK = 1;

async function run({ page, podium }: { page: Page; podium: Podium }, { name, text, fallback }: PathologicalText) {
  const whole = text();
  await reset(page);
  const newest = async () => (await podium.storedEvents())[0];
  const before = await newest();
  await podium.run.click();
  // A text over the limit may end its run before anyone could see Stop.
  await expect.poll(newest, { message: name }).not.toEqual(before);
  await expect
    .poll(() => textSoFar(podium), { message: name })
    .toBeGreaterThanOrEqual(Math.min(whole.length, MOST) - HELD_BACK);
  if (fallback !== null)
    await expect.poll(() => podium.answer.locator('.plain').count(), { message: name }).toBeGreaterThan(0);
  // An answer that reached its limit has already ended.
  if (whole.length <= MOST) await podium.stop.click();
  else await page.evaluate(() => (window.watch.stopLatency = 0));
  await podium.ended();
  const { longest, stopLatency } = await figures(page);
  // If the answer is only white space, the step fails and keeps the text.
  const stored = (await podium.storedEvents()).find(({ type }) => /^step-(?:cancelled|finished|failed)$/.test(type));
  const output = String(stored?.output);
  const expected = whole.slice(0, MOST);
  const isStored = expected.startsWith(output) && expected.length - output.length <= HELD_BACK;
  expect(isStored, `${name} is stored up to the limit`).toBe(true);
  const plain = await podium.answer.locator('.plain').count();
  return { name, size: whole.length, plain, longest, stopLatency };
}

/**
 * One text of each kind. All texts are drawn in `test/app/ui/markdown/markup-client.browser.test.ts`, and received in
 * `test/platform/workers/pathological-texts.long.test.ts`.
 */
const SELECTED = [
  'emphasis that is never closed, 80 kB',
  'open tags',
  'nested lists',
  'a table of 20,000 rows',
  'a formula of nested fractions',
  'a program of 200 kB',
  '200,000 marks on one letter',
  'a word of joined letters',
  'one line without a space',
  '2^20 line breaks',
  'a book',
].map((name) => {
  const found = PATHOLOGICAL_TEXTS.find((each) => each.name === name);
  if (!found) throw new Error(`There is no text ${name}.`);
  return found;
});

test('stores pathological texts up to the limit, and Stop and Run still work', async ({ page, podium, server }) => {
  test.setTimeout(480_000);
  await watch(page);
  server.script('talker', streams('Nothing yet.'));
  await podium.storeWorkers({ address: server.url, model: 'talker', name: 'Talker' });
  await podium.choose('Talker');
  await podium.conductor.selectOption('template:best-single');
  await podium.question.fill('Say it.');
  for (const each of SELECTED) {
    server.script('talker', streams(each.text()));
    const { name, size, plain, longest, stopLatency } = await run({ page, podium }, each);
    const fallback = plain > 0 ? `${plain} plain pieces` : 'rendered';
    console.log(
      `${name.padEnd(42)} ${String(size).padStart(8)}  ${fallback.padEnd(18)} longest block ${longest.toFixed(0)} ms, Stop ${stopLatency.toFixed(0)} ms`,
    );
  }
  // The page accepts another question without a reload.
  server.script('talker', streams('**Still** here.'));
  await podium.question.fill('And now?');
  await podium.run.click();
  await expect(podium.answer.locator('strong').getByText('Still')).toBeVisible();
  await podium.stop.click();
  await podium.ended();
});

for (const [name, piece] of [
  ['empty chunks', event(chunk({}))],
  ['comments', ': ping\n\n'],
] as const) {
  test(`Stop works while a server floods the page with ${name}`, async ({ page, podium, server }) => {
    await watch(page);
    server.script(`flood@${name}`, floods(piece));
    await podium.storeWorkers({ address: server.url, model: `flood@${name}`, name: 'Flood' });
    await podium.runWithOnly('Flood');
    // The page shows Stop before its call reaches the server.
    await expect.poll(() => server.calls(`flood@${name}`).length).toBe(1);
    await reset(page);
    await podium.stop.click();
    await podium.ended();
    const { longest, stopLatency } = await figures(page);
    console.log(`flood of ${name}: longest block ${longest.toFixed(0)} ms, Stop ${stopLatency.toFixed(0)} ms`);
    expect(await server.calls(`flood@${name}`)[0]?.ended).toBe('early');
    expect((await podium.storedEvents()).at(-1)?.type).toBe('run-cancelled');
  });
}

test('cuts off an endless answer at the limit, and keeps the received text', async ({ page, podium, server }) => {
  await watch(page);
  server.script('endless', floods(event(chunk({ content: 'on and **on** ' }))));
  await podium.storeWorkers({ address: server.url, model: 'endless', name: 'Endless' });
  await podium.runWithOnly('Endless');
  await podium.ended();
  await expect(podium.steps.getByText('Cut off at the token limit')).toBeVisible();
  const finished = (await podium.storedEvents()).find(({ type }) => type === 'step-finished');
  expect(finished).toMatchObject({ finishReason: 'length' });
  expect(String(finished?.output)).toHaveLength(MOST);
  const longest = await page.evaluate(() => Math.max(0, ...window.watch.blocks));
  console.log(`endless answer: longest block ${longest.toFixed(0)} ms`);
});
