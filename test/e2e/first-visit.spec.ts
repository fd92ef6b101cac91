import { expect, test } from './podium';

test('a first visit shows a plan without a click, runs it, and keeps the run through a reload, and nothing is wider than the page @smoke', async ({
  page,
  podium,
}) => {
  const size = page.viewportSize();
  if (!size) throw new Error('The window has no size.');
  const expectToFit = async (name: string) => {
    for (const width of [1440, 390, 360]) {
      await page.setViewportSize({ width, height: 900 });
      const over = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(over, `${name}, ${width} px wide`).toBeLessThanOrEqual(0);
    }
    await page.setViewportSize(size);
  };
  await podium.open();
  const introduction = page.getByText(/^Podium lets several language models/);
  await expect(introduction).toBeVisible();
  await expect(page.getByRole('link', { name: 'The paper' })).toHaveAttribute('href', /2512\.04388/);
  await page.getByRole('button', { name: 'How it works' }).click();
  await expect(page.getByRole('dialog', { name: 'How Podium works' })).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await expect(podium.question).toHaveValue(/537/);
  await expect(podium.conductor.locator('option:checked')).toHaveText('Automatic: trained policy');
  await expect(podium.workers.getByRole('checkbox', { checked: true })).toHaveCount(5);
  await expect(podium.workers.getByRole('checkbox', { name: 'Python' })).not.toBeChecked();
  await expect(podium.workers.getByText('simulated')).toBeVisible();
  await expect(podium.workflow.getByText('Nothing has been called yet')).toBeVisible();
  await expect(podium.workflow.getByRole('img', { name: /^Step 1, / })).toBeVisible();
  await expect(page.getByRole('link', { name: /Add a worker/ })).toBeVisible();
  const planned = await podium.workflow.getByRole('img', { name: /^Step \d, / }).count();
  await expectToFit('conduct');

  await podium.run.click();
  await expect(introduction).toHaveCount(0);
  await podium.ended();
  await expect(podium.answer.getByText('Answer:')).toBeVisible();
  await expect(podium.answer.getByText(/tokens/)).toBeVisible();
  await expect(podium.answer.getByText('simulated')).toBeVisible();

  const events = await podium.storedEvents();
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
  expect(events[0]).toMatchObject({ type: 'run-started', conductor: { kind: 'policy' } });
  expect(events.at(-1)?.type).toBe('run-finished');
  expect(events.find(({ type }) => type === 'plan-finished')).toMatchObject({ source: 'conductor' });
  expect(events.filter(({ type }) => type === 'step-finished' || type === 'step-settled')).toHaveLength(planned);

  await podium.answer.getByRole('button', { name: 'Right' }).click();
  await expect.poll(async () => (await podium.storedTypes()).at(-1)).toBe('run-graded');
  await expectToFit('conduct-done');
  await page.evaluate(() => localStorage.removeItem('podium.introduced'));
  await page.reload();
  await expect(podium.run).toBeVisible();
  await expect(introduction, 'there are runs').toHaveCount(0);
  await page.getByRole('link', { name: 'Runs' }).click();
  const row = page.getByRole('link', { name: /537/ });
  await expect(row).toBeVisible();
  await row.click();
  await expect(page.getByRole('heading', { level: 1, name: /537/ })).toBeVisible();
  await expect(page.getByRole('slider')).toBeVisible();
  const graded = await podium.storedEvents();
  expect(graded.at(-1)).toMatchObject({ type: 'run-graded', correct: true, by: 'person' });
  for (const path of ['runs', 'workers', 'models', 'settings']) {
    await page.goto(`/#/${path}`);
    // Waits for the lazy-loaded parts, because the heading is shown before them.
    await expect(page.getByRole('main').locator('h2, li, tr, section, search').first()).toBeVisible();
    await expectToFit(path);
  }
});

test('while the policy loads, Run waits and nothing moves, and if it cannot be loaded, Podium plans by rules and says why', async ({
  page,
  podium,
}) => {
  const { workflow } = podium;
  let release: () => void = () => undefined;
  let held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/checkpoint*.json', async (route) => {
    await held;
    await route.continue();
  });
  await podium.open();
  await expect(workflow.getByText('Planning…')).toBeVisible();
  await page.evaluate(() => document.fonts.ready);
  const places = async () => {
    const boxes = [];
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      boxes.push(await page.getByRole('link', { name: /Add a worker/ }).boundingBox());
    }
    return boxes;
  };
  const before = await places();
  expect(before).not.toContain(null);
  release();
  await expect(workflow.getByRole('img', { name: /^Step 1, / })).toBeVisible();
  await expect(workflow.getByText('Why these workers')).toBeVisible();
  expect(await places(), 'the link does not move when the plan appears').toEqual(before);

  held = new Promise<void>((resolve) => (release = resolve));
  await page.reload();
  await expect(workflow.getByText('Planning…')).toBeVisible();
  await podium.run.click();
  await expect(podium.stop).toBeVisible();
  await expect(workflow.getByText('Planning', { exact: true })).toBeVisible();
  release();
  await podium.ended();
  const finished = (await podium.storedEvents()).find(({ type }) => type === 'plan-finished');
  expect(finished).toMatchObject({ source: 'conductor' });

  await page.route('**/checkpoint*.json', (route) => route.abort());
  await page.reload();
  await expect(workflow.getByText(/^Couldn't load the trained policy\..*Planned by rules instead\.$/)).toBeVisible();
  await podium.chooseEffort('Thorough');
  await expect(workflow.getByRole('img', { name: /^Step 5, Decide/ })).toBeVisible();
  await podium.run.click();
  await podium.ended();
  await expect(workflow.getByText(/by rules, because the trained policy couldn’t be loaded/)).toBeVisible();
  const events = await podium.storedEvents();
  expect(events.find(({ type }) => type === 'plan-retried')).toMatchObject({ next: 'fallback' });
  expect(events.find(({ type }) => type === 'plan-finished')).toMatchObject({ source: 'fallback' });
  expect(events.filter(({ type }) => type === 'step-finished')).toHaveLength(5);
  const starts = events.filter(({ type }) => type === 'step-started');
  const firstEnd = events.find(({ type }) => type === 'step-finished');
  expect(starts[1]?.seq, 'the second solver starts before the first has ended').toBeLessThan(firstEnd?.seq ?? 0);

  // Podium requests the policy again, so the policy makes the next plan.
  await page.unroute('**/checkpoint*.json');
  await podium.question.fill('What is 17 + 25?');
  await expect(workflow.getByText('Nothing has been called yet')).toBeVisible();
  await expect(workflow.getByText(/Planned by rules instead/)).toBeHidden();
});

test.describe('with the service worker and all pauses', () => {
  test.use({ serviceWorkers: 'allow', quick: false });

  test('Podium fetches at most 150 kB of HTML, code and styles before Run is enabled, then the policy, and nothing from other hosts, and then works offline @smoke', async ({
    page,
    podium,
    context,
  }) => {
    await page.addInitScript(() => {
      const look = () => {
        const run = [...document.querySelectorAll('button')].find(({ textContent }) => /^\s*Run/.test(textContent));
        if (!run || run.disabled || performance.getEntriesByName('run-enabled').length > 0) return;
        performance.mark('run-enabled');
      };
      new MutationObserver(look).observe(document, { childList: true, subtree: true, attributes: true });
    });
    await page.goto('/');
    await expect(podium.run).toBeEnabled();
    await expect(podium.workflow.getByRole('img', { name: /^Step 1, / })).toBeVisible();
    // The page preloads the executor and the result a little later.
    for (const late of ['/execute-', '/Result-']) {
      const isFetched = (part: string) =>
        performance.getEntriesByType('resource').some(({ name }) => name.includes(part) && name.endsWith('.js'));
      await page.waitForFunction(isFetched, late);
    }
    const { fetched, enabledAt } = await page.evaluate(() => ({
      fetched: performance.getEntriesByType('resource').map(({ name, startTime }) => ({ name, startTime })),
      enabledAt: performance.getEntriesByName('run-enabled')[0]?.startTime ?? 0,
    }));
    expect(enabledAt).toBeGreaterThan(0);
    const { gzipSync } = await import('node:zlib');
    // The preview server might not compress files, so the test gzips them itself.
    const size = async (urls: readonly string[]) => {
      let bytes = 0;
      for (const url of urls) bytes += gzipSync(await (await page.request.get(url)).body()).length;
      return bytes;
    };
    const files = fetched.filter(({ name }) => /\.(css|js|json)$/.test(name) && !name.endsWith('/sw.js'));
    const first = [page.url(), ...files.filter(({ startTime }) => startTime <= enabledAt).map(({ name }) => name)];
    const later = files.filter(({ startTime }) => startTime > enabledAt).map(({ name }) => name);
    const [firstBytes, laterBytes] = [await size(first), await size(later)];
    const sizeWords = (bytes: number, files: readonly string[]) =>
      `${(bytes / 1000).toFixed(1)} kB in ${files.length} files`;
    console.log(
      `Until Run can be pressed: ${sizeWords(firstBytes, first)}; then the policy: ${sizeWords(laterBytes, later)}, gzipped`,
    );
    expect(first.some((url) => url.endsWith('.css'))).toBe(true);
    expect(firstBytes).toBeLessThanOrEqual(150_000);
    expect(first.filter((url) => /\/(?:policy|checkpoint)[^/]*$/.test(url))).toEqual([]);
    expect(later.filter((url) => /checkpoint[^/]*\.json$/.test(url))).toHaveLength(1);
    expect(laterBytes).toBeLessThanOrEqual(199_000);
    expect(new Set(fetched.map(({ name }) => new URL(name).host))).toEqual(new Set([new URL(page.url()).host]));

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
    const planned = (await podium.storedEvents()).find(({ type }) => type === 'plan-finished');
    expect(planned, 'the trained policy is cached as well').toMatchObject({ source: 'conductor' });
    for (const name of ['Runs', 'Workers', 'Models', 'Settings']) {
      await page.getByRole('link', { name, exact: true }).click();
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    }
  });
});
