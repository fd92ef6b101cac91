/**
 * @file Tests faults of the fault matrix in the built page: those that the page shows in a way of their own. All of them but the full
 * storage are also tested in `test/composition/faults/`, like all other faults. Each run has two steps. The worker `Steady` answers
 * the first step. The fault occurs in the second. The results must match docs/fault-matrix.md. The command `npm run faults` writes
 * that file.
 */
import { FIRST_WORDS } from '../fixtures/fault-replies';
import { compareRow } from '../fixtures/faults/fault-lines';
import { plain, type FaultRow } from '../fixtures/faults/fault-row';
import { QUESTION, ROWS, stepsOf, STORAGE_FULL } from '../fixtures/faults/fault-rows';
import { ADVICE } from '../fixtures/faults/fault-table';
import type { Podium } from './podium';
import { Rehearsal } from './rehearsal';
import { expect, test } from './stage';

test.use({ quick: false });

function matchRow(row: FaultRow): void {
  const { stored, line } = compareRow(row);
  expect(stored, ADVICE).toBe(line);
}

for (const row of ROWS) {
  if (row.inPage === undefined) continue;
  const { calls = 1, output = '' } = row;
  test(row.fault, async ({ page, podium, server, plan }) => {
    await page.clock.install();
    plan(...stepsOf('Desk'));
    server.script('desk', row.reply ?? 'ok');
    const rehearsal = new Rehearsal(podium, server);
    const callsBefore = server.calls('desk').length;
    await podium.open();
    await podium.question.fill(QUESTION);
    await podium.run.click();
    const retries = await rehearsal.runToEnd(row.meanwhile === 'cut');

    const events = await podium.storedEvents();
    const end = events.find(({ type, step }) => step === 1 && (type === 'step-failed' || type === 'step-finished'));
    expect(events.find(({ type, step }) => step === 0 && type === 'step-finished')).toBeDefined();
    expect(end?.output).toEqual(typeof output === 'string' ? output : expect.stringMatching(output));
    expect(rehearsal.calls).toEqual({ planner: 1, steady: 1, desk: calls });
    const reached = server.calls('desk').length - callsBefore;
    expect(reached).toBeGreaterThanOrEqual(calls);
    expect(reached).toBeLessThanOrEqual(row.resent ? 2 * calls : calls);
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

    const again = await rehearsal.fixAndResume(row.needsKey === true);
    matchRow({ ...record, read: plain(read), kept: `step 1${partial}`, again });
  });
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
