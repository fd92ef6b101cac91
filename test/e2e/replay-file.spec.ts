/**
 * @file Tests the replay file: one HTML file that replays exported runs offline and runs no code
 * that a model wrote.
 */
import { copyFile, stat, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { BrowserContext, Page } from '@playwright/test';
import type { StoredEvent } from '../../src/core/contract';
import { bundleReplayViewer } from '../../scripts/replay-viewer';
import { createReplayFileWriter } from '../../src/platform/store/replay-file/write';
import { endOf, hostileOutputs } from '../fixtures/hostile/outputs';
import { hostileRun } from '../fixtures/hostile/runs';
import { Trap } from './lookout';
import { expect, test } from './podium';
import { saved, withoutPicker } from './run-files';

test.use({ serviceWorkers: 'allow' });

/**
 * Reads the score (the drawing of a run): worker names, notes (steps) with their positions, lines,
 * plans and the axis.
 */
async function drawnScore(page: Page) {
  const score = page.getByRole('group', { name: 'The run as a score' });
  // The times are drawn after the width of the score is known.
  await expect(score.locator('.axis span').first()).toHaveText(/s$/);
  return score.evaluate((element) => ({
    names: Array.from(element.querySelectorAll('.names > div'), (name) => name.textContent?.trim()),
    notes: Array.from(element.querySelectorAll('a.note'), (note) => [
      note.textContent?.trim(),
      note instanceof HTMLElement ? [note.style.left, note.style.width] : [],
    ]),
    lines: Array.from(element.querySelectorAll('.lanes > svg > *'), (line) =>
      ['d', 'x1', 'x2', 'y1', 'y2'].map((name) => line.getAttribute(name)),
    ),
    plans: Array.from(element.querySelectorAll('.plan'), (plan) => plan.textContent),
    axis: Array.from(element.querySelectorAll('.axis span'), (tick) => tick.textContent?.trim()),
  }));
}

const moment = (page: Page) => page.getByRole('slider', { name: 'Moment' });

/**
 * Reads the events from one line of a run file. Does not apply the schema, because the viewer must also
 * withstand events that the schema would reject.
 */
function eventsIn(line: string): readonly StoredEvent[] {
  const value: unknown = JSON.parse(line);
  const events = typeof value === 'object' && value !== null && 'events' in value ? value.events : null;
  if (!areEvents(events)) throw new Error('The line has no events.');
  return events;
}

function areEvents(value: unknown): value is readonly StoredEvent[] {
  return Array.isArray(value) && value.every((event) => typeof event === 'object' && event !== null && 'seq' in event);
}

/**
 * Opens a page without a network.
 * @returns the page, and a list of its errors and its network requests
 */
async function offlinePage(context: BrowserContext) {
  await context.setOffline(true);
  const requested: string[] = [];
  const page = await context.newPage();
  await context.route(/^(?!file:)/, (route) => route.abort());
  context.on('request', (request) => {
    if (!request.url().startsWith('file:')) requested.push(request.url());
  });
  page.on('pageerror', (error) => requested.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') requested.push(message.text());
  });
  return { page, requested };
}

test('a replay file shows a run offline, with the same score as in Podium', async ({ page, podium, browser }, info) => {
  await withoutPicker(page);
  await podium.open();
  await podium.question.fill('Use 3, 4, 7, 8, 25 and 50 to reach 537.');
  await podium.run.click();
  await podium.ended();
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await page
    .getByRole('link', { name: /Use 3, 4, 7/ })
    .first()
    .click();
  const final = await drawnScore(page);
  const end = Number(await moment(page).getAttribute('max'));
  await moment(page).fill(String(end / 2));
  const middle = await drawnScore(page);
  expect(middle).not.toEqual(final);

  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('button', { name: /^Replay file/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Save a replay file' });
  await expect(dialog).toContainText('1 run, simulated');
  await expect(dialog).toContainText('API keys, prompts of Conductors, the earlier exchange of a follow-up, notes');
  const path = info.outputPath('replay.html');
  await copyFile(await saved(page, () => dialog.getByRole('button', { name: 'Save' }).click()), path);
  await expect(dialog).toBeHidden();

  await page.getByRole('button', { name: 'Present' }).click();
  const presentation = page.getByRole('dialog', { name: 'Presentation' });
  await expect(presentation.getByRole('list', { name: 'Steps of the plan' })).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(presentation.getByRole('heading', { name: /^Step 1, / })).toBeVisible();
  await page.keyboard.press('End');
  await expect(presentation.getByRole('heading', { name: 'Answer' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(presentation).toBeHidden();
  await expect(page.getByRole('button', { name: 'Present' })).toBeFocused();

  const context = await browser.newContext();
  const { page: file, requested } = await offlinePage(context);
  const before = Date.now();
  await file.goto(pathToFileURL(path).href);
  await expect(file.getByRole('heading', { level: 1 })).toHaveText('Use 3, 4, 7, 8, 25 and 50 to reach 537.');
  const whole = Date.now() - before;
  const painted = await file.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0);
  console.log(
    `Replay file of ${(await stat(path)).size} bytes: shown after ${Math.round(painted)} ms, ${whole} ms with Playwright.`,
  );
  await expect(file.getByText('simulated', { exact: true })).toBeVisible();
  await expect(file.getByRole('region', { name: 'Answer' })).toBeVisible();
  expect(await drawnScore(file)).toEqual(final);
  await file.getByText('What it saw', { exact: true }).first().click();
  await expect(file.getByLabel(/^Message to .*, user$/)).toContainText('Use 3, 4, 7, 8, 25 and 50 to reach 537.');
  await expect(file.getByText('Matches what was sent')).toBeVisible();
  await file.getByText('What it saw', { exact: true }).first().click();
  await moment(file).fill(String(end / 2));
  expect(await drawnScore(file)).toEqual(middle);

  // Plays the run to its end with the keyboard.
  await file.getByRole('button', { name: /^Speed/ }).click();
  await file.getByRole('button', { name: /^Speed/ }).click();
  await file.getByRole('heading', { level: 1 }).click();
  await file.keyboard.press('Space');
  await expect.poll(() => drawnScore(file)).toEqual(final);
  await expect(file.getByRole('button', { name: 'Play' })).toBeVisible();
  expect(requested).toEqual([]);
  await context.close();
});

test('a replay file of 50 runs with hostile outputs makes no request and runs no script', async ({ browser }, info) => {
  const trap = await Trap.set();
  const corpus = hostileOutputs(trap.address);
  const size = Math.ceil(corpus.length / 50);
  const runs = Array.from({ length: 50 }, (_, index) => {
    const some = corpus.slice(index * size, (index + 1) * size);
    return hostileRun(`run-${index}`, some, 1_770_000_000_000 + index, index % 2 === 1);
  });
  const events = new Map(runs.map(({ id, line }) => [id, eventsIn(line)]));
  const viewer = await bundleReplayViewer();
  const writer = createReplayFileWriter({
    store: {
      read: (id) => Promise.resolve(events.get(id) ?? []),
      image: () => Promise.resolve(null),
    },
    clock: { now: () => 1_770_000_000_000 },
    viewer: () => Promise.resolve(viewer),
    keyFinder: () => Promise.resolve(() => false),
    confidentiality: () => Promise.resolve(() => Promise.resolve(false)),
  });
  const written = await writer.write({
    ids: [...events.keys()],
    attachments: true,
    signal: new AbortController().signal,
  });
  expect(written.runs + written.withheld.length).toBe(50);
  const path = info.outputPath('hostile.html');
  await writeFile(path, Buffer.from(await written.file.arrayBuffer()));

  const context = await browser.newContext();
  const { page, requested } = await offlinePage(context);
  context.on('page', (opened) => requested.push(`window: ${opened.url()}`));
  page.on('dialog', (dialog) => {
    requested.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('worker', (worker) => requested.push(`worker: ${worker.url()}`));
  await page.goto(pathToFileURL(path).href);
  const list = page.getByRole('list', { name: 'Runs' });
  await expect(list.getByRole('link')).toHaveCount(written.runs);
  for (let index = 0; index < written.runs; index += 1) {
    await page.evaluate((hash) => (location.hash = hash), `#${index + 1}`);
    await expect(page.getByRole('heading', { name: 'Steps' })).toBeVisible();
    const prompts = await page.evaluate(() => {
      const closed = document.querySelectorAll('details');
      for (const each of closed) each.open = true;
      return Array.from(closed, ({ textContent }) => textContent).filter((text) => text.startsWith('What it saw'))
        .length;
    });
    await expect(page.locator('details .prompt pre').first()).toBeVisible();
    expect(prompts).toBeGreaterThan(0);
    const shown = (await page.locator('main').textContent()) ?? '';
    const used = runs[index]?.used.flatMap((each) => (each ? [endOf(each.number)] : [])) ?? [];
    expect(
      used.filter((sign) => !shown.includes(sign)),
      `outputs of run ${index} that are not shown`,
    ).toEqual([]);
    const strange = await page.evaluate(() => {
      const never =
        'iframe, object, embed, base, img, picture, source, video, audio, input[type=image], form, body script ~ script, body style, body link, body meta, .markdown a, .markdown [href], .markdown [src], .markdown [style], .markdown [id]';
      const elements = Array.from(document.querySelectorAll(never), (each) => each.outerHTML.slice(0, 200));
      return [...elements, ...('attacked' in window ? ['script ran'] : [])];
    });
    expect(strange).toEqual([]);
  }
  expect(requested).toEqual([]);
  expect(trap.caught).toEqual([]);
  trap.close();
  await context.close();
});
