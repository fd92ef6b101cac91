/**
 * @file Tests that a sentence model, which embeds questions, is downloaded, used for plans and searches, and removed. The test
 * model is tiny and has random weights. Its similarities are meaningless, so the tests only check that the model is used and
 * that the page shows its name.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Locator, Page } from '@playwright/test';
import { writeTinySentenceModel } from '../../scripts/tiny-sentence-model.mjs';
import { startModelServer, type ModelServer } from '../fixtures/model-server';
import { expect, test as base, type Podium } from './podium';

const test = base.extend<object, { models: ModelServer }>({
  models: [
    async ({ browserName: _browser }, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'podium-sentence-'));
      await writeTinySentenceModel(folder);
      const server = await startModelServer({ sentence: folder });
      await use(server);
      await server.close();
      await rm(folder, { recursive: true });
    },
    { scope: 'worker' },
  ],
});

test.use({ serviceWorkers: 'allow' });

test.setTimeout(180_000);

const ASKED = 'Use 3, 4, 7, 8, 25 and 50, each at most once, with + − × ÷ to reach 537.';
const ALIKE = 'Make 812 out of 2, 5, 6, 9, 75 and 100 with the four operations.';
const OTHER = 'Which numbers among 2, 4, 6, 9, 50 and 75 give 377, and how?';
const WEIGHTS = 'onnx/model_quantized.onnx';

/** How the fake hub behaves. `held`: it sends every file except the weights. */
type Mood = 'up' | 'down' | 'held';

class Hub {
  mood: Mood = 'up';
  readonly requested: string[] = [];
  readonly #server: ModelServer;

  constructor(server: ModelServer) {
    this.#server = server;
  }

  async intercept(context: BrowserContext): Promise<void> {
    await context.route('https://huggingface.co/**', async (route) => {
      const { pathname } = new URL(route.request().url());
      const path = /^\/Xenova\/all-MiniLM-L6-v2\/resolve\/[\da-f]{40}\/(.+)$/.exec(pathname)?.[1] ?? '';
      this.requested.push(path);
      if (this.mood === 'down') return route.abort('connectionrefused');
      if (this.mood === 'held' && path === WEIGHTS && !route.request().headers()['range']) return;
      const response = await route.fetch({ url: `${this.#server.url}sentence/plain-journey/resolve/main/${path}` });
      await route.fulfill({ response });
    });
  }
}

const questions = (page: Page) => page.getByRole('region', { name: 'Similar questions' });
const kept = (page: Page) => page.getByRole('region', { name: 'On this machine' });

const openModels = (page: Page) => page.getByRole('link', { name: 'Models', exact: true }).click();
const openConduct = (page: Page) => page.getByRole('link', { name: 'Conduct', exact: true }).click();

async function use(page: Page): Promise<void> {
  await questions(page).getByRole('button', { name: 'Download and use MiniLM, English' }).click();
  await expect(questions(page).getByText('compared by meaning')).toBeVisible({ timeout: 60_000 });
}

/**
 * Enters the question again until the plan's reasons match `words`, because the first plan may be made before
 * the model is loaded.
 */
async function expectReasons(podium: Podium, question: string, words: RegExp): Promise<Locator> {
  const why = podium.workflow.getByRole('group').filter({ hasText: 'Why these workers' }).last();
  await expect(async () => {
    await podium.question.fill('');
    await podium.question.fill(question);
    await why.waitFor({ timeout: 5_000 });
    if ((await why.getAttribute('open')) === null) await why.getByText('Why these workers').click();
    await expect(why).toContainText(words, { timeout: 5_000 });
  }).toPass({ timeout: 60_000 });
  return why;
}

/** Runs a question, and grades the run as right. */
async function grade(podium: Podium, question: string): Promise<void> {
  await podium.question.fill(question);
  await podium.run.click();
  await podium.ended(60_000);
  await podium.answer.getByRole('button', { name: 'Right' }).click();
  await expect.poll(async () => (await podium.storedTypes()).at(-1)).toBe('run-graded');
}

test('plans compare questions by meaning, even offline, while a sentence model is stored', async ({
  page,
  podium,
  models,
  context,
  axe,
}) => {
  const hub = new Hub(models);
  await hub.intercept(context);
  await podium.open();
  await grade(podium, ASKED);
  await expectReasons(podium, ALIKE, /Most similar to this question: right on/);
  expect(hub.requested, 'nothing is downloaded before the user asks').toEqual([]);

  await openModels(page);
  await expect(questions(page).getByText('compared by spelling')).toBeVisible();
  await use(page);
  await expect(kept(page).getByRole('listitem')).toContainText('complete');
  await axe.check('Models with a sentence model');
  await openConduct(page);
  await expectReasons(
    podium,
    ALIKE,
    /Most similar in meaning to this question \(measured by MiniLM, English\): right on/,
  );
  await podium.run.click();
  await podium.ended(60_000);
  const plan = (await podium.storedEvents()).find(({ type }) => type === 'plan-finished');
  expect(plan?.['choices']).toEqual(expect.arrayContaining([expect.objectContaining({ nearBy: 'MiniLM, English' })]));
  const why = podium.workflow.getByText('Why these workers');
  await why.last().click();
  await axe.check('a plan with its reasons');

  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  hub.mood = 'down';
  const before = [...hub.requested];
  await context.setOffline(true);
  await page.reload();
  await expectReasons(podium, OTHER, /\(measured by MiniLM, English\): right on/);
  expect(hub.requested, 'the stored model is not requested again').toEqual(before);
  await context.setOffline(false);

  await openModels(page);
  await expect(questions(page).getByText('In use')).toBeVisible();
  await questions(page).getByRole('button', { name: 'Remove MiniLM, English' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(questions(page).getByText('compared by spelling')).toBeVisible();
  await expect(kept(page)).toContainText('None yet.');
  await openConduct(page);
  await expectReasons(podium, OTHER, /Most similar to this question: right on/);
});

test('compares by spelling while the model hub is unreachable, and resumes a stopped download', async ({
  page,
  podium,
  models,
  context,
  axe,
}) => {
  const hub = new Hub(models);
  await hub.intercept(context);
  await podium.open();
  await grade(podium, ASKED);
  await openModels(page);
  hub.mood = 'down';
  await questions(page).getByRole('button', { name: 'Download and use MiniLM, English' }).click();
  const alert = questions(page).getByRole('alert');
  await expect(alert).toContainText('huggingface.co', { timeout: 60_000 });
  await expect(alert).toContainText('Until then, similarity is based on spelling.');
  await expect(questions(page).getByText('compared by spelling')).toBeVisible();
  await axe.check('Models after a failed download');
  await openConduct(page);
  await expectReasons(podium, ALIKE, /Most similar to this question: right on/);

  await openModels(page);
  hub.mood = 'held';
  await questions(page).getByRole('button', { name: 'Try again' }).click();
  await expect(questions(page).getByRole('progressbar', { name: 'Download of MiniLM, English' })).toBeVisible();
  await expect.poll(() => hub.requested).toContain(WEIGHTS);
  await expect(kept(page).getByRole('listitem')).toContainText('downloading');
  await axe.check('Models during a download');
  await questions(page).getByRole('button', { name: 'Stop MiniLM, English' }).click();
  await expect(questions(page).getByRole('progressbar')).toHaveCount(0);
  await expect(questions(page).getByText('compared by spelling')).toBeVisible();
  await expect(kept(page).getByRole('listitem')).toContainText('incomplete');

  hub.mood = 'up';
  await kept(page).getByRole('button', { name: 'Resume download of MiniLM, English' }).click();
  await expect(questions(page).getByText('compared by meaning')).toBeVisible({ timeout: 60_000 });
  await openConduct(page);
  await expectReasons(podium, ALIKE, /\(measured by MiniLM, English\): right on/);
});

test('finds saved runs by meaning after the user presses Compute vectors', async ({
  page,
  podium,
  models,
  context,
  axe,
}) => {
  await new Hub(models).intercept(context);
  await podium.open();
  for (const question of [ASKED, OTHER]) {
    await podium.question.fill(question);
    await podium.run.click();
    await podium.ended(60_000);
  }
  const runs = page.getByRole('row').getByRole('link');
  const search = page.getByRole('searchbox', { name: 'Search runs' });
  const byMeaning = page.getByRole('button', { name: 'By meaning' });
  await page.goto('/#/runs');
  await expect(runs).toHaveCount(2);
  await expect(byMeaning).toHaveCount(0);

  await openModels(page);
  await use(page);
  await page.goto('/#/runs');
  await byMeaning.click();
  await search.fill(ASKED);
  await expect(page.getByText('2 runs can’t be found by meaning yet.')).toBeVisible({
    timeout: 60_000,
  });
  await axe.check('a search by meaning with missing vectors');
  await page.getByRole('button', { name: 'Compute vectors' }).click();
  await expect(page.getByText('Compared by MiniLM, English.')).toBeVisible();
  await expect(page.getByText(/can’t be found by meaning yet/)).toHaveCount(0);
  await expect(runs.first()).toHaveText(ASKED);
  const similarities = page.getByTitle('Similarity in meaning, at most 1');
  await expect(similarities.first()).toContainText('1.00');
  await axe.check('a search by meaning');

  await page.reload();
  await expect(byMeaning).toHaveAttribute('aria-pressed', 'true');
  await expect(similarities.first()).toContainText('1.00', { timeout: 60_000 });
  await page.goto(`/#/runs?q=${encodeURIComponent(ASKED)}&by=meaning&grade=right`);
  await expect(page.getByText(/^No question has a similar meaning/)).toBeVisible();
  await page.getByRole('button', { name: 'Search by words' }).click();
  await expect(page).not.toHaveURL(/by=meaning/);
});
