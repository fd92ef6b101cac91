import { expect, test } from './podium';

test('a first visit: the plan stands there, Run plays it, the answer comes, the run is there after a reload', async ({
  page,
  podium,
}) => {
  await podium.open();
  await expect(podium.question).toHaveValue(/537/);
  await expect(podium.conductor.locator('option:checked')).toHaveText(/Built in/);
  await expect(podium.workers.getByRole('checkbox', { checked: true })).toHaveCount(5);
  await expect(podium.workers.getByRole('checkbox', { name: 'Python' })).not.toBeChecked();
  await expect(podium.workers.getByText('simulated')).toBeVisible();
  await expect(podium.workflow.getByText('Nothing has been called yet')).toBeVisible();
  await expect(podium.workflow.getByRole('img', { name: /^Step 5, Decide/ })).toBeVisible();
  await expect(page.getByRole('link', { name: /Add a worker/ })).toBeVisible();

  await podium.run.click();
  await expect(podium.stop).toBeVisible();
  // Two solvers side by side: both write before either has ended.
  await expect(podium.steps.getByRole('heading', { name: /Solve/ })).toHaveCount(2);
  await podium.ended();
  await expect(
    podium.answer.getByText('= 537', { exact: false }).or(podium.answer.locator('math')).first(),
  ).toBeVisible();
  await expect(podium.answer.getByText(/tokens/)).toBeVisible();
  await expect(podium.answer.getByText('simulated')).toBeVisible();

  const events = await podium.storedEvents();
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
  expect(events[0]?.type).toBe('run-started');
  expect(events.at(-1)?.type).toBe('run-finished');
  expect(events.filter(({ type }) => type === 'step-finished')).toHaveLength(5);
  const starts = events.filter(({ type }) => type === 'step-started');
  const firstEnd = events.find(({ type }) => type === 'step-finished');
  expect(starts[1]?.seq, 'the second solver starts before the first has ended').toBeLessThan(firstEnd?.seq ?? 0);

  await podium.answer.getByRole('button', { name: 'Right' }).click();
  await expect.poll(async () => (await podium.storedTypes()).at(-1)).toBe('run-graded');
  await page.reload();
  await page.getByRole('link', { name: 'Runs' }).click();
  const row = page.getByRole('link', { name: /537/ });
  await expect(row).toBeVisible();
  await row.click();
  await expect(page.getByRole('heading', { level: 1, name: /537/ })).toBeVisible();
  await expect(page.getByRole('slider')).toBeVisible();
  const graded = await podium.storedEvents();
  expect(graded.at(-1)).toMatchObject({ type: 'run-graded', correct: true, by: 'person' });
});

test('works with the network off after the first visit', async ({ page, podium, context }) => {
  await podium.open();
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const worker = registration.active;
    if (worker && worker.state !== 'activated')
      await new Promise<void>((done) =>
        worker.addEventListener('statechange', () => worker.state === 'activated' && done()),
      );
  });
  await context.setOffline(true);
  await page.reload();
  await podium.run.click();
  await podium.ended();
  await expect(podium.answer.getByText('Answer:')).toBeVisible();
  for (const name of ['Runs', 'Workers', 'Models', 'Settings']) {
    await page.getByRole('link', { name, exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  }
});

test('fetches at most 150 kB of script until Run can be pressed, and nothing from another host', async ({
  page,
  podium,
}) => {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const scripts = new Map<string, number>();
  const urls = new Map<string, string>();
  const hosts = new Set<string>();
  session.on('Network.responseReceived', ({ requestId, response, type }) => {
    if (/^https?:/.test(response.url)) hosts.add(new URL(response.url).host);
    if (type === 'Script') urls.set(requestId, response.url);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const url = urls.get(requestId);
    if (url) scripts.set(url, encodedDataLength);
  });
  await page.goto('/');
  await expect(podium.run).toBeEnabled();
  await expect(podium.workflow.getByText('Nothing has been called yet')).toBeVisible();
  const fetched = [...scripts.keys()].filter((url) => !url.endsWith('/sw.js'));
  expect(fetched.length).toBeGreaterThan(0);
  // The preview server may not compress; what counts is the size gzipped.
  const { gzipSync } = await import('node:zlib');
  let bytes = 0;
  for (const url of fetched) bytes += gzipSync(await (await page.request.get(url)).body()).length;
  console.log(
    `JavaScript until Run can be pressed: ${(bytes / 1000).toFixed(1)} kB gzipped in ${fetched.length} files`,
  );
  expect(bytes).toBeLessThanOrEqual(150_000);
  expect([...hosts]).toEqual([new URL(page.url()).host]);
});

for (const scheme of ['light', 'dark'] as const) {
  for (const width of [1440, 390, 360]) {
    test(`fits ${width} px in ${scheme}, before and after a run`, async ({ page, podium }) => {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      const overflow = () =>
        page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      await podium.open();
      await expect(podium.run).toBeEnabled();
      expect(await overflow()).toBeLessThanOrEqual(0);
      await page.screenshot({ path: `test-results/conduct-${width}-${scheme}.png`, fullPage: true });
      await podium.run.click();
      await podium.ended();
      expect(await overflow()).toBeLessThanOrEqual(0);
      await page.screenshot({ path: `test-results/conduct-done-${width}-${scheme}.png`, fullPage: true });
      for (const path of ['runs', 'workers', 'models', 'settings']) {
        await page.goto(`/#/${path}`);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        expect(await overflow(), path).toBeLessThanOrEqual(0);
        await page.screenshot({ path: `test-results/${path}-${width}-${scheme}.png`, fullPage: true });
      }
    });
  }
}
