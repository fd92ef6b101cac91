/**
 * @file Tests local models from the download to the answer. The real engine runs a tiny model with random weights on the CPU.
 * The model generates noise, and only the grammar makes its plans valid.
 */
import type { BrowserContext, Page } from '@playwright/test';
import { expect, type Podium, type StoredEvent } from './podium';
import { addModel, downloadModel, stage, test } from './tiny-model';

test.setTimeout(300_000);

/** Gives every run the same seed, because with other seeds about one plan in ten is too long. */
test.beforeEach(async ({ context }) => {
  await context.addInitScript(() => {
    const fill = crypto.getRandomValues.bind(crypto);
    crypto.getRandomValues = (array) => {
      const filled = fill(array);
      if (filled instanceof Uint32Array && filled.length === 1) filled[0] = 3;
      return filled;
    };
  });
});

/** Collects every text that the page shows from now on. */
async function watchWords(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen = new Set<string>();
    const observer = new MutationObserver(() => seen.add(document.body.textContent));
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
    Object.assign(globalThis, { seenWords: () => [...seen].join('\n') });
  });
}

function seenWords(page: Page): Promise<string> {
  return page.evaluate(() => {
    const read: unknown = Reflect.get(globalThis, 'seenWords');
    return typeof read === 'function' ? String(read()) : '';
  });
}

/** Resolves when the service worker has cached the page's files and handles the page's requests. */
async function keptForOffline(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (navigator.serviceWorker.controller) return;
    await new Promise((done) => navigator.serviceWorker.addEventListener('controllerchange', done, { once: true }));
  });
}

async function requestedPaths(page: Page, host: string, id: string): Promise<readonly string[]> {
  const response = await page.request.get(`${host}control/requests?model=${id}`);
  return (await response.json()) as readonly string[];
}

const ofType = (events: readonly StoredEvent[], type: string) => events.filter((event) => event.type === type);

/** Runs the current question with this pool until the run ends. @returns the stored events */
async function conduct(podium: Podium, ...pool: string[]): Promise<readonly StoredEvent[]> {
  await podium.choose(...pool);
  await podium.run.click();
  await podium.ended(90_000);
  return podium.storedEvents();
}

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('a canceled download resumes, and the model plans with the grammar, also offline after a reload', async ({
    page,
    podium,
    models,
    context,
  }) => {
    const model = { host: models.url, id: 'tiny/slow-kept', name: 'Tiny' };
    await podium.open();
    await keptForOffline(page);
    await addModel(page, podium, model);

    await page.getByRole('button', { name: 'Download Tiny' }).click();
    const tiny = stage(page, 'Tiny');
    await expect(tiny.getByRole('progressbar')).toBeVisible();
    await expect(tiny.getByText(/ of .* (?:kB|MB)/)).toBeVisible();
    await expect(page.getByRole('region', { name: 'On this machine' }).getByText('downloading')).toBeVisible();
    await expect.poll(() => requestedPaths(page, model.host, model.id)).toContain('onnx/model.onnx_data_1');
    await tiny.getByRole('button', { name: 'Cancel' }).click();
    const here = page.getByRole('region', { name: 'On this machine' });
    await expect(here.getByText('incomplete')).toBeVisible();
    await expect(here.getByRole('button', { name: 'Resume download of Tiny' })).toBeVisible();
    await page.request.get(`${model.host}control/release?model=${model.id}`);
    const before = await requestedPaths(page, model.host, model.id);
    await watchWords(page);
    await downloadModel(page, 'Tiny', 'Resume download of');
    expect(await seenWords(page), 'the page shows no “Compiling” on the CPU').not.toContain('Compiling');
    const after = (await requestedPaths(page, model.host, model.id)).slice(before.length);
    expect(after.filter((path) => !path.endsWith('(range)'))).toEqual(['onnx/model.onnx_data_1']);

    await page.getByRole('link', { name: 'Conduct', exact: true }).click();
    await expect(podium.conductor.locator('option:checked')).toHaveText('Tiny, on this machine');
    const events = await conduct(podium, 'Alder', 'Birch', 'Cedar');
    expect(await seenWords(page)).toMatch(/Tiny is reading the prompt: [\d,]+ of [\d,]+ tokens\./);
    const [plan] = ofType(events, 'plan-finished');
    expect(plan).toMatchObject({ source: 'conductor', speed: { decode: expect.any(Number) } });
    expect(ofType(events, 'plan-started')[0]).toMatchObject({
      conductor: { kind: 'transformers', label: 'Tiny' },
      grammar: { hash: expect.any(String) },
    });
    expect(ofType(events, 'plan-retried')).toEqual([]);
    expect(events.at(-1)?.type).toBe('run-finished');
    await expect(podium.workflow.getByText(/tok\/s/)).toBeVisible();
    const firstCall = ofType(events, 'step-started')[0];
    expect(firstCall?.seq, 'the first step starts before the plan is complete').toBeLessThan(plan?.seq ?? 0);

    await page.reload();
    await expect(podium.conductor.locator('option:checked')).toHaveText('Tiny, not loaded');
    await podium.run.click();
    await expect(page.getByRole('alert').getByText('Tiny is not loaded.')).toBeVisible();
    await page.getByRole('link', { name: 'Load the model' }).click();
    await expect(stage(page, 'Tiny').getByText('loaded last')).toBeVisible();
    const requests = await requestedPaths(page, model.host, model.id);
    await context.setOffline(true);
    await stage(page, 'Tiny').getByRole('button', { name: 'Use' }).click();
    await expect(stage(page, 'Tiny').getByText('loaded on this CPU')).toBeVisible({ timeout: 60_000 });
    await page.getByRole('link', { name: 'Conduct', exact: true }).click();
    const offline = await conduct(podium, 'Alder', 'Birch');
    expect(offline.at(-1)?.type).toBe('run-finished');
    expect(ofType(offline, 'plan-finished')[0]).toMatchObject({ source: 'conductor' });
    await context.setOffline(false);
    expect(await requestedPaths(page, model.host, model.id)).toEqual(requests);
  });

  test('a model that was downloaded on the first visit writes a plan after an offline reload', async ({
    page,
    podium,
    models,
    context,
  }) => {
    const model = { host: models.url, id: 'tiny/plain-first', name: 'Tiny' };
    await addModel(page, podium, model);
    await downloadModel(page, 'Tiny');
    await context.setOffline(true);
    await page.reload();
    await stage(page, 'Tiny').getByRole('button', { name: 'Use' }).click();
    await expect(stage(page, 'Tiny').getByText('loaded on this CPU')).toBeVisible({ timeout: 60_000 });
    await page.getByRole('link', { name: 'Conduct', exact: true }).click();
    const events = await conduct(podium, 'Alder', 'Birch');
    expect(events.at(-1)?.type).toBe('run-finished');
    expect(ofType(events, 'plan-finished')[0]).toMatchObject({ source: 'conductor' });
    await context.setOffline(false);
  });
});

test('a local model writes subtasks for the policy’s steps, or whole plans that the policy ranks', async ({
  page,
  podium,
  models,
  axe,
}) => {
  await addModel(page, podium, { host: models.url, id: 'tiny/plain-policy', name: 'Tiny' });
  await downloadModel(page, 'Tiny');
  await page.getByRole('link', { name: 'Conduct', exact: true }).click();
  await podium.conductor.selectOption({ label: 'Policy, words by Tiny' });
  await podium.choose('Alder', 'Birch', 'Cedar');
  await expect(podium.workflow.getByText('The policy plans the steps when you press Run')).toBeVisible();
  await podium.run.click();
  await podium.ended(90_000);
  const events = await podium.storedEvents();
  expect(ofType(events, 'plan-started')).toMatchObject([
    { policy: { part: 'skeleton', logProbability: expect.any(Number) }, grammar: { hash: expect.any(String) } },
  ]);
  const [plan] = ofType(events, 'plan-finished');
  expect(plan).toMatchObject({ source: 'conductor' });
  expect(ofType(events, 'plan-retried')).toEqual([]);
  expect(ofType(events, 'step-started')[0]?.seq, 'the first step starts before the plan is complete').toBeLessThan(
    plan?.seq ?? 0,
  );
  await expect(podium.workflow.getByText(/steps by the policy, words by Tiny/)).toBeVisible();
  await axe.check('a plan in the words of a local model');

  await page.reload();
  await expect(podium.conductor.locator('option:checked')).toHaveText('Tiny, not loaded');
  await podium.open('/#/models');
  await stage(page, 'Tiny').getByRole('button', { name: 'Use' }).click();
  await expect(stage(page, 'Tiny').getByText('loaded on this CPU')).toBeVisible({ timeout: 60_000 });
  await page.getByRole('link', { name: 'Conduct', exact: true }).click();
  await expect(podium.conductor.locator('option:checked')).toHaveText('Policy, words by Tiny');

  await podium.conductor.selectOption({ label: 'Tiny, ranked by the policy' });
  const ranked = await conduct(podium, 'Alder', 'Birch');
  expect(ranked[0]).toMatchObject({ type: 'run-started', candidates: 4 });
  const drawn = ofType(ranked, 'plan-candidate');
  expect(drawn).toHaveLength(4);
  for (const { workflow, score } of drawn) expect(score === undefined).toBe(workflow === null);
  await expect(podium.workflow.getByText(/per choice, log-probability|ranked last/).first()).toBeVisible();
});

test('with Private on, a local worker sends no requests, and its parallel steps wait in a queue', async ({
  page,
  podium,
  models,
  server,
  context,
}) => {
  await podium.addWorker({ address: `${server.url}/ok/v1`, model: 'outside', name: 'Outside' });
  await addModel(page, podium, { host: models.url, id: 'tiny/plain-worker', name: 'Tiny' });
  await downloadModel(page, 'Tiny');
  // Limits the output, because a model with random weights rarely ends its answer by itself.
  await podium.open('/#/settings');
  await page.getByRole('textbox', { name: 'Max output tokens' }).fill('64');
  await page.getByRole('textbox', { name: 'Max output tokens' }).blur();
  await page.getByRole('link', { name: 'Conduct', exact: true }).click();
  await expect(podium.workers.getByText('Outside')).toBeVisible();

  await page.getByRole('switch', { name: 'Private' }).check();
  await expect(podium.workers.getByText('Outside')).toHaveCount(0);
  await expect(podium.conductor.getByRole('option', { name: 'Outside' })).toHaveCount(0);
  const sent = requestsOf(context, page);
  const events = await conduct(podium, 'Tiny');
  expect(sent()).toEqual([]);
  expect(events[0]).toMatchObject({ pool: [{ kind: 'local', name: 'Tiny', origin: null }] });
  expect(ofType(events, 'step-finished').length).toBeGreaterThan(0);
  expect(events.at(-1)?.type).toBe('run-finished');
  await expect(podium.answer.getByText('simulated')).toHaveCount(0);

  await podium.conductor.selectOption({ label: 'Consensus, five samples' });
  const parallel = await conduct(podium, 'Tiny');
  const waiting = ofType(parallel, 'step-waiting').map((event) => event.for);
  expect(
    waiting.filter((reason) => reason === 'place').length,
    'waits of the five parallel steps',
  ).toBeGreaterThanOrEqual(4);
  expect(waiting).toContain(null);
});

test('shows the server and the missing header, but no Delete button, when CORS blocks a download', async ({
  page,
  podium,
  models,
}) => {
  await addModel(page, podium, { host: models.url, id: 'tiny/closed-cors', name: 'Tiny' });
  await page.getByRole('button', { name: 'Download Tiny' }).click();
  const tiny = stage(page, 'Tiny');
  const { host } = new URL(models.url);
  const { origin } = new URL(page.url());
  await expect(tiny.getByRole('alert')).toContainText(
    `${host} doesn’t let this page read its files (CORS). Set the header “Access-Control-Allow-Origin: ${origin}” on ${host}`,
  );
  await expect(tiny.getByRole('button', { name: 'Try again' })).toBeVisible();
  await expect(tiny.getByRole('button', { name: /Delete/ })).toHaveCount(0);
});

test('several sampled plans are shown side by side, and one is chosen by vote', async ({ page, podium, models }) => {
  await addModel(page, podium, { host: models.url, id: 'tiny/plain-several', name: 'Tiny' });
  await downloadModel(page, 'Tiny');
  await podium.open('/#/settings');
  await page.getByRole('textbox', { name: 'Plans to choose from' }).fill('3');
  await page.getByRole('textbox', { name: 'Plans to choose from' }).blur();
  await page.getByRole('link', { name: 'Conduct', exact: true }).click();
  const events = await conduct(podium, 'Alder', 'Birch');
  expect(events[0]).toMatchObject({ type: 'run-started', candidates: 3 });
  expect(ofType(events, 'plan-candidate')).toHaveLength(3);
  expect(ofType(events, 'plan-chosen')).toHaveLength(1);
  const plan = ofType(events, 'plan-finished')[0];
  expect(ofType(events, 'step-started')[0]?.seq, 'no step starts before a plan is chosen').toBeGreaterThan(
    plan?.seq ?? Infinity,
  );
  const plans = podium.workflow.getByRole('list', { name: 'Candidate plans' });
  await expect(plans.getByRole('listitem')).toHaveCount(3);
  await expect(plans.getByText('chosen by vote')).toHaveCount(1);
});

test('keeps several plans across a reload until the user chooses one', async ({ page, podium, models, axe }) => {
  await addModel(page, podium, { host: models.url, id: 'tiny/plain-by-hand', name: 'Tiny' });
  await downloadModel(page, 'Tiny');
  await podium.open('/#/settings');
  await page.getByRole('textbox', { name: 'Plans to choose from' }).fill('3');
  await page.getByRole('textbox', { name: 'Plans to choose from' }).blur();
  await page.getByRole('group', { name: 'Choose', exact: true }).getByText('By me').click();
  await podium.choose('Alder', 'Birch');
  await expect(podium.workflow.getByText('Tiny writes 3 plans when you press Run, and you choose one.')).toBeVisible();
  await podium.run.click();
  const plans = page.getByRole('region', { name: 'Choose a plan' });
  await expect(plans).toBeVisible({ timeout: 90_000 });
  await expect(plans.getByText(/^3 plans/)).toBeVisible();
  await expect.poll(async () => (await podium.storedTypes()).at(-1)).toBe('plan-held');
  const drawn = ofType(await podium.storedEvents(), 'plan-candidate');
  expect(drawn).toHaveLength(3);
  await axe.check('several plans of a local model');

  await page.reload();
  await expect(page.getByText(/A plan waits for you/)).toBeVisible();
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(plans).toBeVisible();
  const readable = drawn.findLast(({ workflow }) => workflow !== null);
  const number = Number(readable?.candidate) + 1;
  await plans.getByRole('radio', { name: `Plan ${number}` }).check();
  await plans.getByRole('button', { name: `Run plan ${number}` }).click();
  await podium.ended(90_000);
  const events = await podium.storedEvents();
  expect(ofType(events, 'plan-started'), 'the model does not plan again').toHaveLength(1);
  expect(ofType(events, 'plan-candidate')).toHaveLength(3);
  expect(ofType(events, 'plan-chosen')).toMatchObject([{ candidate: number - 1, by: 'person' }]);
  expect(ofType(events, 'plan-finished')).toMatchObject([{ workflow: readable?.workflow }]);
  expect(events.at(-1)?.type).toBe('run-finished');
});

test('with the grammar off, the run shows a notice, and the page Models counts the plan as invalid', async ({
  page,
  podium,
  models,
}) => {
  await addModel(page, podium, { host: models.url, id: 'tiny/plain-free', name: 'Tiny' });
  await page.getByRole('group', { name: 'Grammar' }).getByText('Off').click();
  await downloadModel(page, 'Tiny');
  await page.getByRole('link', { name: 'Conduct', exact: true }).click();
  const events = await conduct(podium, 'Alder', 'Birch');
  expect(ofType(events, 'plan-started')[0]).not.toHaveProperty('grammar');
  expect(ofType(events, 'plan-finished')[0]).toMatchObject({ source: 'fallback' });
  await expect(podium.workflow.getByText(/without a grammar/)).toBeVisible();
  await page.getByRole('link', { name: 'Models', exact: true }).click();
  await expect(page.getByText('Without it, 0 of 1 plans in saved runs were valid')).toBeVisible();
});

/** Collects the requests that the page and its Web Workers send to other origins from now on. */
function requestsOf(context: BrowserContext, page: Page): () => readonly string[] {
  const own = new URL(page.url()).origin;
  const sent: string[] = [];
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (/^https?:$/.test(url.protocol) && url.origin !== own) sent.push(request.url());
  });
  return () => sent;
}
