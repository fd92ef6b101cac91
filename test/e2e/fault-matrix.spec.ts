/**
 * @file Tests faults of the fault matrix in the built page: those that depend on the browser, and one of each kind. The others
 * are tested in `test/composition/faults/`. Each run has two steps. The worker `Steady` answers the first step. The fault occurs
 * in the second. The results must match docs/fault-matrix.md. The command `npm run faults` writes that file.
 */
import { FIRST_WORDS, refusal } from '../fixtures/fault-replies';
import { compareRow, plain, tableLines, type FaultRow } from '../fixtures/faults/fault-lines';
import {
  crashAt,
  CRASHES,
  DECISIONS,
  EDITED,
  FAULTS,
  jumpBy,
  JUMPS,
  QUESTION,
  ROWS,
  SECOND_TAB,
  stepsOf,
  STORAGE_FULL,
} from '../fixtures/faults/fault-rows';
import { endlessReply, textReply } from '../fixtures/plans';
import { crashOf, stopAfter } from './crashing';
import { Podium } from './podium';
import { Rehearsal } from './rehearsal';
import { expect, test } from './stage';

test.use({ quick: false });

function matchRow(row: FaultRow): void {
  const { stored, line } = compareRow(row);
  expect(stored, 'If the new row is right, run npm run faults').toBe(line);
}

for (const row of ROWS) {
  if (row.inPage === undefined) continue;
  const { worker = 'Desk', calls = 1, output = '' } = row;
  test(row.fault, async ({ page, podium, server, plan }) => {
    await page.clock.install();
    plan(...stepsOf(worker));
    server.script('desk', row.reply ?? 'ok');
    const rehearsal = new Rehearsal(podium, server);
    const callsBefore = server.calls('desk').length;
    await podium.open();
    await podium.question.fill(QUESTION);
    await podium.run.click();
    const retries = await rehearsal.runToEnd(row.meanwhile ?? null);

    const events = await podium.storedEvents();
    const end = events.find(({ type, step }) => step === 1 && (type === 'step-failed' || type === 'step-finished'));
    expect(events.find(({ type, step }) => step === 0 && type === 'step-finished')).toBeDefined();
    expect(end?.output).toEqual(typeof output === 'string' ? output : expect.stringMatching(output));
    expect(rehearsal.calls).toEqual({ planner: 1, steady: 1, desk: calls });
    const reached = server.calls('desk').length - callsBefore;
    expect(reached).toBeGreaterThanOrEqual(row.needsOtherWorker ? 0 : calls);
    expect(reached).toBeLessThanOrEqual(row.needsOtherWorker ? 0 : row.resent ? 2 * calls : calls);
    const partial = row.code !== undefined && output !== '' ? `; of step 2: “${String(end?.output)}”` : '';
    const record = {
      fault: row.fault,
      called: `${calls} ×${row.resent ? ', and perhaps each once more by the browser' : ''}`,
    };

    if (row.code === undefined) {
      expect(events.at(-1)).toMatchObject({ type: 'run-finished', step: 1 });
      expect(retries.join(' ')).toMatch(row.reads ?? /^$/);
      await expect(podium.answer.getByRole('alert')).toBeHidden();
      await expect(podium.answer.getByText(String(end?.output).slice(0, 40)).first()).toBeVisible();
      const read = [...retries.map((sentence) => `${sentence} Retrying.`), 'The answer.'].join(' ');
      matchRow({ ...record, read: plain(read), kept: 'both steps', again: 'nothing' });
      return;
    }
    expect(end).toMatchObject({ type: 'step-failed', fault: { code: row.code } });
    expect(events.at(-1)).toMatchObject({ type: 'run-failed', fault: { code: row.code } });
    const alert = podium.answer.getByRole('alert');
    await expect(alert).toContainText(row.reads ?? /./);
    await expect(alert).toContainText('Step 1 is kept and won’t be called again.');
    if (output !== '') await expect(podium.answer.getByText(String(end?.output))).toBeVisible();
    await expect(podium.question).toHaveValue(QUESTION);
    const read = (await alert.locator('strong').textContent()) ?? '';

    const again = await rehearsal.fixAndResume(row);
    matchRow({ ...record, read: plain(read), kept: `step 1${partial}`, again });
  });
}

for (const moment of CRASHES) {
  if (!moment.inPage) continue;
  const { type, step } = moment;
  test(crashAt(moment), async ({ page, podium, context, server, plan }) => {
    const planned = plan(...stepsOf('Desk'));
    const models = ['planner', 'ok@steady', 'desk'] as const;
    const texts = { planner: planned, 'ok@steady': 'Six and seven.', desk: 'It is 42.' };
    const script = (reply: typeof textReply) => models.forEach((model) => server.script(model, reply(texts[model])));
    script(textReply);
    // The reply hangs after its text, so that no later event is stored together with the delta.
    const speaker = type === 'plan-delta' ? 'planner' : type === 'step-delta' ? models[step === 0 ? 1 : 2] : null;
    if (speaker) server.script(speaker, endlessReply(texts[speaker]));
    if (type === 'step-retried') server.script('desk', refusal(500, 'Broken.'));
    const callsOf = () => models.map((model) => server.calls(model).length);
    const since = (before: readonly number[]) => callsOf().map((calls, index) => calls - (before[index] ?? 0));
    const crash = await crashOf(page);
    const { reached } = await stopAfter(page, { type, ...(step === undefined ? {} : { step }) });
    await podium.open();
    await podium.question.fill(QUESTION);
    if (DECISIONS.has(type)) await page.getByRole('switch', { name: 'Ask me first' }).check();
    // These actions may never resolve, because the page crashes during them.
    void podium.run.click().catch(() => undefined);
    if (type === 'plan-edited')
      void page
        .getByLabel('Subtask of step 2')
        .fill(EDITED)
        .catch(() => undefined);
    if (type === 'plan-approved') void letRun(podium).catch(() => undefined);
    await reached;
    await crash();

    script(textReply);
    const called = callsOf();
    const next = new Podium(await context.newPage());
    await next.open();
    const row = { fault: crashAt(moment), called: 'nothing' };
    if (type === 'run-finished') {
      await next.page.goto('/#/runs');
      await next.page.getByRole('link', { name: QUESTION }).click();
      await expect(next.page.getByText('It is 42.').first()).toBeVisible();
      expect((await next.storedTypes()).at(-1)).toBe('run-finished');
      matchRow({ ...row, read: 'The answer, under Runs.', kept: 'all of it', again: 'nothing' });
      return;
    }
    const isHeld = type === 'plan-held' || type === 'plan-edited';
    const sentence = next.page.getByText(isHeld ? 'A plan waits for you' : 'A run was interrupted');
    await expect(sentence).toBeVisible();
    const read = (await sentence.textContent()) ?? '';
    const before = await next.storedEvents();
    expect(before.at(-1)?.type).toBe('run-interrupted');
    expect(before.some((event) => event.type === type && (step === undefined || event.step === step))).toBe(true);
    expect(since(called), 'nothing is called automatically').toEqual([0, 0, 0]);

    const isPlanned = before.some((event) => event.type === 'plan-finished');
    const isDone = (index: number) => before.some((event) => event.type === 'step-finished' && event.step === index);
    await next.page.getByRole('button', { name: 'Resume' }).click();
    if (isHeld) {
      const subtask = type === 'plan-edited' ? EDITED : 'Answer the question.';
      await expect(next.page.getByLabel('Subtask of step 2')).toHaveValue(subtask);
      expect(since(called), 'nothing is called before the user approves the plan').toEqual([0, 0, 0]);
      await letRun(next);
    }
    await expect.poll(async () => (await next.storedEvents()).at(-1)?.type).toBe('run-finished');
    await expect(next.answer.getByText('It is 42.')).toBeVisible();
    if (type === 'plan-edited') expect(JSON.stringify(server.calls('desk').at(-1)?.body)).toContain(EDITED);
    expect(since(called)).toEqual([isPlanned, isDone(0), isDone(1)].map((had) => (had ? 0 : 1)));
    const names = [type === 'plan-edited' ? 'the plan as it was changed' : 'the plan', 'step 1', 'step 2'];
    const had = names.filter((_, index) => [isPlanned, isDone(0), isDone(1)][index]);
    const again = names.filter((name) => !had.includes(name));
    matchRow({
      ...row,
      read,
      kept: had.length === 0 ? 'the question' : had.join(', '),
      again: `“Resume”${isHeld ? ' and “Run this plan”' : ''}: ${again.length === 0 ? 'nothing' : again.join(', ')}`,
    });
    expect(next.errors).toEqual([]);
  });
}

function letRun(podium: Podium): Promise<void> {
  return podium.page.getByRole('button', { name: 'Run this plan' }).click();
}

/** Starts a run, and waits until the page shows the first words of its second step. */
async function beginSlowly(podium: Podium): Promise<void> {
  await podium.open();
  await podium.question.fill(QUESTION);
  await podium.run.click();
  await expect(podium.answer.getByText(FIRST_WORDS)).toBeVisible();
}

test(STORAGE_FULL, async ({ page, podium, server, plan }) => {
  plan(...stepsOf('Desk'));
  server.script('desk', 'slow');
  const rehearsal = new Rehearsal(podium, server);
  await beginSlowly(podium);
  await page.evaluate(() => {
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
    };
    window.addEventListener('room-made', () => (IDBObjectStore.prototype.put = put));
  });
  server.release();
  const alert = podium.answer.getByRole('alert');
  await expect(alert).toContainText(/storage in this browser is full/);
  await expect(podium.run).toBeEnabled();
  const stored = await podium.storedEvents();
  expect(stored.filter(({ type }) => type === 'step-finished')).toMatchObject([{ step: 0 }]);
  expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, index) => index));
  await expect(podium.answer.getByText('The first words and the last.')).toBeVisible();
  const read = (await alert.locator('strong').textContent()) ?? '';

  await page.evaluate(() => window.dispatchEvent(new Event('room-made')));
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(async () => (await podium.storedEvents()).at(-1)?.type).toBe('run-finished');
  expect(rehearsal.calls, 'the page kept the text that it could not store').toEqual({ planner: 1, steady: 1, desk: 1 });
  matchRow({
    fault: STORAGE_FULL,
    read,
    kept: 'step 1 on disk, step 2 on the page',
    called: '1 ×',
    again: '“Try again”: nothing, the received text is saved',
  });
});

test(SECOND_TAB, async ({ podium, context, server, plan }) => {
  plan(...stepsOf('Desk'));
  server.script('desk', 'slow');
  const rehearsal = new Rehearsal(podium, server);
  await beginSlowly(podium);
  const other = new Podium(await context.newPage());
  await other.open('/#/runs');
  await expect(other.page.getByRole('link', { name: QUESTION })).toBeVisible();
  await other.page.getByRole('link', { name: 'Conduct' }).click();
  await expect(other.run).toBeVisible();
  await expect(other.page.getByText('A run was interrupted')).toBeHidden();
  server.release();
  await podium.ended();
  expect((await podium.storedTypes()).at(-1)).toBe('run-finished');
  expect(rehearsal.calls).toEqual({ planner: 1, steady: 1, desk: 1 });
  expect(other.errors).toEqual([]);
  matchRow({
    fault: SECOND_TAB,
    read: 'The answer, in the first tab. The second tab lists the run, but not as interrupted.',
    kept: 'both steps',
    called: '1 ×',
    again: 'nothing',
  });
});

for (const hours of JUMPS) {
  test(jumpBy(hours), async ({ page, podium, server, plan }) => {
    await page.clock.install();
    plan(...stepsOf('Desk'));
    server.script('desk', 'slow');
    const rehearsal = new Rehearsal(podium, server);
    await beginSlowly(podium);
    await page.clock.setSystemTime((await page.evaluate(() => Date.now())) + hours * 3_600_000);
    server.release();
    await podium.ended();
    const events = await podium.storedEvents();
    expect(events.at(-1)?.type).toBe('run-finished');
    const times = events.map(({ elapsed }) => Number(elapsed));
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(times.at(-1), 'the skipped hour does not count as elapsed time').toBeLessThan(600_000);
    expect(rehearsal.calls).toEqual({ planner: 1, steady: 1, desk: 1 });
    await page.reload();
    await page.getByRole('link', { name: 'Runs' }).click();
    await expect(page.getByRole('link', { name: QUESTION })).toBeVisible();
    matchRow({ fault: jumpBy(hours), read: 'The answer.', kept: 'both steps', called: '1 ×', again: 'nothing' });
  });
}

test('docs/fault-matrix.md has exactly one row for each fault', () => {
  expect(tableLines().map((line) => line.split(' | ')[0])).toEqual(FAULTS.map((fault) => `| ${fault}`));
});
