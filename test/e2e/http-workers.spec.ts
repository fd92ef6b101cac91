import { inTurn, refusal, scenario } from '../fixtures/fault-replies';
import { atMost } from '../fixtures/narrow-server';
import { RIGHT_KEY, SPLIT_TEXT } from '../fixtures/openai-scenarios';
import { textReply } from '../fixtures/plans';
import { expect, test, type Podium } from './podium';

// The pauses after a refusal must be as long as the limits that are learned from it.
test.use({ quick: false });

const hostOf = (url: string) => new URL(url).host;
/** The message of the failed run. */
const faultOf = (podium: Podium) => podium.answer.getByRole('alert').locator('strong');

test.describe('Podium with an OpenAI-compatible server as a worker', () => {
  test('streams without a key, and shows each line of the sent prompt in the run @smoke', async ({
    page,
    podium,
    server,
  }) => {
    await podium.addWorker({ address: server.url, model: 'slow@streams', name: 'Desk' });
    await podium.runWithOnly('Desk');
    // The first words are shown before the server sends the other words.
    await expect(podium.answer.getByText('The first words')).toBeVisible();
    await expect(podium.stop).toBeVisible();
    server.release();
    await podium.ended();
    await expect(podium.answer.getByText('The first words and the last.')).toBeVisible();
    const [call] = server.calls('slow@streams');
    expect(call?.headers.authorization).toBeUndefined();
    expect(Object.keys(call?.headers ?? {}).filter((name) => name.startsWith('x-stainless'))).toEqual([]);
    const events = await podium.storedEvents();
    expect(events.find(({ type }) => type === 'step-finished')).toMatchObject({ usage: { input: 9, output: 6 } });

    await page.getByRole('link', { name: 'Replay' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const body = call?.body as { messages: { content: string }[] };
    await page.getByText('Prompt', { exact: true }).first().click();
    for (const line of (body.messages[0]?.content ?? '').split('\n').filter((each) => each.trim() !== ''))
      await expect(page.getByText(line.trim(), { exact: false }).first()).toBeVisible();
  });

  test('shows an unknown cost in the list of runs if the worker has no price, also in narrow windows', async ({
    page,
    podium,
    server,
  }) => {
    await podium.storeWorkers({ address: server.url, model: 'ok@unpriced', name: 'Desk' });
    await podium.runWithOnly('Desk');
    await podium.ended();
    await podium.open('/#/runs');
    await expect(page.getByRole('cell', { name: 'unknown', exact: true })).toBeVisible();
    await page.setViewportSize({ width: 390, height: 800 });
    const cost = page.getByRole('cell', { name: 'cost unknown' });
    await expect(cost.getByText('$?')).toBeVisible();
    const [left, right] = [await cost.boundingBox(), await page.getByRole('cell', { name: 'valid' }).boundingBox()];
    if (!left || !right) throw new Error('A cell is not visible.');
    expect(left.x + left.width, 'the cost ends before the next cell').toBeLessThanOrEqual(right.x);
  });

  const answers: [scenario: string, text: string][] = [
    ['split-utf8', SPLIT_TEXT],
    ['reasoning', 'It is 42.'],
    ['think-tags', 'It is 42.'],
    ['usage-last', 'Counted.'],
    ['no-usage', 'Uncounted.'],
    ['whole', 'All at once.'],
  ];
  test('reads the answer in each of these scenarios', async ({ podium, server }) => {
    await podium.storeWorkers({ address: server.url, model: 'answers@e2e', name: 'Desk' });
    await podium.choose('Desk');
    await podium.conductor.selectOption('template:best-single');
    for (const [name, text] of answers) {
      await test.step(name, async () => {
        server.script('answers@e2e', scenario(name));
        await podium.question.fill(`What is six times seven (${name})?`);
        await podium.run.click();
        await expect(podium.answer.getByText(text, { exact: true })).toBeVisible();
        await podium.ended();
        const events = await podium.storedEvents();
        const finished = events.find(({ type }) => type === 'step-finished');
        expect(finished).toMatchObject({ output: text });
        if (name === 'reasoning') expect(finished).toMatchObject({ reasoning: 'Six times seven makes forty-two.' });
        if (name === 'think-tags') expect(String(finished?.reasoning)).toContain('Six times seven.');
        if (name === 'usage-last')
          expect(finished).toMatchObject({ usage: { input: 11, output: 7, reasoning: 3 }, cost: 0.00042 });
        expect(events[0]).toMatchObject({ question: { text: `What is six times seven (${name})?` } });
        expect(events.at(-1)?.type).toBe('run-finished');
        // The stored deltas of an ended step no longer contain its text.
        expect(events.filter((event) => event.type === 'step-delta' && event.text !== '')).toEqual([]);
      });
    }
  });

  for (const name of ['429-then-ok', '500-then-ok']) {
    test(`retries the call in the scenario ${name}`, async ({ podium, server }) => {
      await podium.storeWorkers({ address: server.url, model: `${name}@e2e`, name: 'Desk' });
      await podium.runWithOnly('Desk');
      await podium.ended();
      expect(server.calls(`${name}@e2e`)).toHaveLength(2);
      const types = await podium.storedTypes();
      expect(types.filter((type) => /^step-/.test(type))).toEqual([
        'step-queued',
        'step-started',
        'step-retried',
        'step-started',
        'step-finished',
      ]);
    });
  }

  test('completes four parallel calls to a server that accepts only two at a time', async ({ podium, server }) => {
    const narrow = atMost(2, 'Too many requests.', 2_000);
    server.script('narrow', narrow.reply);
    await podium.storeWorkers({ address: server.url, model: 'narrow', name: 'Desk' });
    await podium.choose('Desk');
    await podium.conductor.selectOption('template:sample-and-aggregate');
    await podium.question.fill('What is six times seven?');
    await podium.run.click();
    await podium.ended();
    const types = await podium.storedTypes();
    expect(types.at(-1)).toBe('run-finished');
    expect(types.filter((type) => type === 'step-finished')).toHaveLength(5);
    expect(types).toContain('step-waiting');
    expect(narrow.busiest).toBe(2);
    expect(narrow.refused).toBeGreaterThan(0);
  });

  const cutOff = 'The connection to HOST ended before the answer of Desk was complete. Try again.';
  const unknownModel =
    'HOST has no model “failures@e2e”. Choose a model from its list, or load this model there first.';
  const webPage = "HOST sent a web page instead of a model's answer. Check the address. It usually ends in /v1.";
  const noCredit = 'The account at HOST has no credit left. Add credit there, or choose another worker.';
  /** `HOST` stands for the server's host. */
  const failures: [scenario: string, code: string, message: string, kept: string][] = [
    ['cut-later', 'cut-off', cutOff, 'The first words'],
    ['no-done', 'cut-off', cutOff, 'The first words'],
    ['error-in-stream', 'server-error', 'HOST had an internal error (502). Try again.', 'The first words'],
    ['unknown-model', 'not-found', unknownModel, ''],
    ['empty', 'empty-reply', 'Desk gave an empty answer. Run the step again, or use another worker.', ''],
    ['html', 'bad-address', webPage, ''],
    ['no-quota', 'payment-required', noCredit, ''],
  ];
  test('explains the failure in each of these scenarios, and keeps the received text', async ({ podium, server }) => {
    await podium.storeWorkers({ address: server.url, model: 'failures@e2e', name: 'Desk' });
    await podium.choose('Desk');
    await podium.conductor.selectOption('template:best-single');
    for (const [name, code, message, kept] of failures) {
      await test.step(name, async () => {
        server.script(
          'failures@e2e',
          name === 'unknown-model' ? refusal(404, 'No such model.', 'model_not_found') : scenario(name),
        );
        const before = server.calls('failures@e2e').length;
        const question = `What is six times seven (${name})?`;
        await podium.question.fill(question);
        await podium.run.click();
        if (name === 'cut-later') {
          await expect(podium.answer.getByText('The first words')).toBeVisible();
          server.release();
        }
        await expect.poll(async () => (await podium.storedEvents())[0]?.question).toMatchObject({ text: question });
        await expect(podium.stop).toBeHidden();
        await podium.ended();
        await expect(faultOf(podium)).toHaveText(
          `Step 1 (Desk) failed. ${message.replace('HOST', hostOf(server.url))}`,
        );
        if (kept !== '') await expect(podium.answer.getByText(kept, { exact: true })).toBeVisible();
        expect(server.calls('failures@e2e')).toHaveLength(before + 1);
        const events = await podium.storedEvents();
        expect(events.find(({ type }) => type === 'step-failed')).toMatchObject({ fault: { code }, output: kept });
        expect(events.at(-1)?.type).toBe('run-failed');
        await expect(podium.question).toHaveValue(question);
      });
    }
  });

  test('ends a stalled call and closes its connection when the user presses Stop', async ({ podium, server }) => {
    await podium.storeWorkers({ address: server.url, model: 'stall@e2e', name: 'Desk' });
    await podium.runWithOnly('Desk');
    await expect(podium.answer.getByText('The first words')).toBeVisible();
    await podium.stop.click();
    await podium.ended();
    expect(await server.calls('stall@e2e')[0]?.ended).toBe('early');
    const events = await podium.storedEvents();
    expect(events.find(({ type }) => type === 'step-cancelled')).toMatchObject({ output: 'The first words' });
    expect(events.at(-1)?.type).toBe('run-cancelled');
  });

  test('lets a stalled call time out if the user does not stop it', async ({ page, podium, server }) => {
    await page.clock.install();
    await podium.storeWorkers({ address: server.url, model: 'stall@clock', name: 'Desk' });
    await podium.runWithOnly('Desk');
    await expect(podium.answer.getByText('The first words')).toBeVisible();
    await page.clock.fastForward(61_000);
    await page.clock.runFor(2_000);
    await expect(faultOf(podium)).toHaveText(
      `Step 1 (Desk) failed. ${hostOf(server.url)} stopped sending for 60 seconds in the middle of its answer. Try again.`,
    );
    const events = await podium.storedEvents();
    expect(events.find(({ type }) => type === 'step-failed')).toMatchObject({
      fault: { code: 'stalled' },
      output: 'The first words',
    });
  });

  test('explains a wrong key, and does not store it with the run @smoke', async ({ podium, server }) => {
    await podium.addWorker({
      address: server.url,
      model: 'wrong-key@e2e',
      key: 'sk-wrong-canary-123456',
      name: 'Desk',
    });
    await podium.runWithOnly('Desk');
    await podium.ended();
    await expect(faultOf(podium)).toHaveText(
      `Step 1 (Desk) failed. ${hostOf(server.url)} refused the key. Enter it again under Workers, or create a new key with the provider.`,
    );
    const stored = JSON.stringify(await podium.storedEvents());
    expect(stored).not.toContain('canary');
    expect(stored).not.toContain(RIGHT_KEY);
  });

  test('lists the models with one click after the user corrects a wrong key', async ({ page, podium, server }) => {
    await page.route(`${server.url}/models`, (route) =>
      route.request().headers().authorization === `Bearer ${RIGHT_KEY}`
        ? route.continue()
        : route.fulfill({ status: 401, headers: { 'access-control-allow-origin': '*' }, body: 'Wrong key.' }),
    );
    await podium.connect({ address: server.url, key: 'wrong' });
    await expect(page.getByText('refused the key')).toBeVisible();
    await page.getByLabel('Key', { exact: true }).fill(RIGHT_KEY);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await expect(podium.modelPicker.getByText(/models, read today/)).toBeVisible();
  });

  for (const [mode, code, message] of [
    ['refused-preflight', 'unreachable', 'No answer from HOST. Is the server running? It must allow this page (CORS).'],
    ['redirect', 'bad-address', 'HOST redirects the call to another address.'],
  ] as const) {
    test(`reports a server that the page cannot reach: ${mode}`, async ({ podium, server }) => {
      await podium.addWorker({ address: server.urlOf(mode), model: `${mode}@e2e`, key: RIGHT_KEY, name: 'Desk' });
      await podium.runWithOnly('Desk');
      await expect(faultOf(podium)).toContainText(
        `Step 1 (Desk) failed. ${message.replace('HOST', hostOf(server.url))}`,
        { timeout: 45_000 },
      );
      await podium.ended();
      const events = await podium.storedEvents();
      expect(events.findLast(({ type }) => type === 'step-failed')).toMatchObject({ fault: { code } });
      expect(JSON.stringify(events)).not.toContain(RIGHT_KEY);
    });
  }

  test('reports an address where no server is running', async ({ podium }) => {
    await podium.addWorker({ address: 'http://127.0.0.1:9/v1', model: 'none', name: 'Desk' });
    await podium.runWithOnly('Desk');
    const message = 'Step 1 (Desk) failed. No answer from 127.0.0.1:9. Is the server running?';
    await expect(faultOf(podium)).toContainText(message, { timeout: 45_000 });
    await podium.ended();
  });
});

test('a worker can be tested, edited and removed', async ({ page, podium, server }) => {
  await podium.connect({ address: '' });
  await expect(page.getByText(/Enter the address/)).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await podium.addWorker({ address: server.url, model: 'ok' });
  await page.getByRole('button', { name: 'Edit ok' }).click();
  await page.getByRole('button', { name: 'Test' }).click();
  const checks = page.getByRole('list', { name: 'Test' });
  await expect(checks.getByText('works')).toHaveCount(7);
  await page.getByRole('combobox', { name: 'Model' }).fill('reasoning');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('reasoning', { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByText('reasoning', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Remove ok' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText(`${server.url}, 0 workers`)).toBeVisible();
});

test.describe('with short pauses of simulated workers', () => {
  test.use({ quick: true });

  test('a worker can write the plan, and two invalid answers lead to a fallback plan', async ({ podium, server }) => {
    server.script('planner', async ({ response }) => {
      const text =
        'Two of them will do.\n\nmodel_id = [0, 1]\nsubtasks = ["Solve it", "Check it and answer"]\naccess_list = [[], "all"]';
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const chunk = (delta: object, finish: string | null = null) =>
        `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
      response.end(`${chunk({ content: text })}${chunk({}, 'stop')}data: [DONE]\n\n`);
    });
    await podium.storeWorkers({ address: server.url, model: 'planner', name: 'Planner' });
    await podium.choose('Birch', 'Cedar');
    await podium.conductor.selectOption({ label: 'Planner' });
    await podium.question.fill('Use 3, 4, 7, 8, 25 and 50, each at most once, with + − × ÷ to reach 537.');
    await podium.run.click();
    await podium.ended();
    const events = await podium.storedEvents();
    expect(events.find(({ type }) => type === 'plan-finished')).toMatchObject({
      source: 'conductor',
      workflow: {
        steps: [
          { worker: 0, access: [] },
          { worker: 1, access: [0] },
        ],
      },
    });

    server.script('planner', async ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const text = 'model_id = [7]\nsubtasks = ["Solve it"]\naccess_list = [[]]';
      const chunk = (delta: object, finish: string | null = null) =>
        `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
      response.end(`${chunk({ content: text })}${chunk({}, 'stop')}data: [DONE]\n\n`);
    });
    await podium.run.click();
    await podium.ended();
    const again = await podium.storedEvents();
    expect(again.filter(({ type }) => type === 'plan-retried')).toMatchObject([
      { next: 'stricter', problem: { code: 'worker-outside-pool' } },
      { next: 'fallback', problem: { code: 'worker-outside-pool' } },
    ]);
    expect(again.find(({ type }) => type === 'plan-finished')).toMatchObject({ source: 'fallback' });
  });
});

test('a planning call is shown as waiting while a rate limit delays it', async ({ page, podium, server }) => {
  const plan = 'One will do.\n\nmodel_id = [0]\nsubtasks = ["Solve it"]\naccess_list = [[]]';
  const busy = refusal(429, 'Slow down.', 'rate_limit_exceeded', { 'retry-after': '20' });
  server.script('planner@waits', inTurn(busy, textReply(plan)));
  await page.clock.install();
  await podium.storeWorkers({ address: server.url, model: 'planner@waits', name: 'Planner' });
  await podium.choose('Birch');
  await podium.conductor.selectOption({ label: 'Planner' });
  await podium.question.fill('Use 3, 4, 7, 8, 25 and 50, each at most once, with + − × ÷ to reach 537.');
  await podium.run.click();
  const waits = podium.workflow.getByText(/^Planning\. Waiting for the rate limit of 127\.0\.0\.1:\d+, .* left\.$/);
  await expect(waits).toBeVisible();
  await page.clock.fastForward(21_000);
  await expect(waits).toBeHidden();
  await podium.ended();
  const waiting = (await podium.storedEvents()).filter(({ type }) => type === 'plan-waiting');
  expect(waiting.map((event) => event.for)).toEqual(['limit', null]);
  expect(server.calls('planner@waits')).toHaveLength(2);
});
