/**
 * @file Tests that imported files can't redirect paid calls to another model, or bypass the daily budget.
 */
import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import * as z from 'zod/mini';
import { expect, test } from './podium';
import { importText, savedRunText, withoutPicker } from './run-files';
import { readStoredRun } from './stored-run';

const lineShape = z.looseObject({
  events: z.array(z.looseObject({ type: z.string(), seq: z.number(), runId: z.string() })),
});
type Events = z.infer<typeof lineShape>['events'];

/** Copies the newest run's events under a new id, and cancels the copy before its first step. */
async function unfinishedCopy(page: Page, id: string): Promise<Events> {
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await page
    .getByRole('link', { name: /six times seven/ })
    .first()
    .click();
  const text = await savedRunText(page);
  const { events } = lineShape.parse(JSON.parse(text));
  const end = events.findIndex(({ type }) => type === 'step-started');
  const kept = events.slice(0, end);
  const last = kept.at(-1);
  if (!last) throw new Error('The run has no beginning.');
  return [...kept, { ...last, type: 'run-cancelled', seq: last.seq + 1 }].map((event) => ({
    ...event,
    runId: id,
    // The time is later, so that the copy is the newest run.
    at: Number(event.at) + 1000,
  }));
}

/** Returns a line of a run file. `start` overrides fields of the first event, and `worker` overrides fields of each worker. */
function forged(events: Events, worker: object, start: object): string {
  const [first, ...rest] = events;
  const pool = z.array(z.looseObject({})).parse(first?.pool);
  const edited = { ...first, ...start, pool: pool.map((each) => ({ ...each, ...worker })) };
  return `${JSON.stringify({ format: 'podium-run', version: 1, events: [edited, ...rest] })}\n`;
}

async function importAndOpen(page: Page, text: string, id: string): Promise<void> {
  await page.goto('/#/runs');
  await importText(page, text);
  await expect(page.getByText('1 run added.')).toBeVisible();
  await page.goto(`/#/runs/${id}`);
  await expect(page.getByText('imported', { exact: true })).toBeVisible();
}

const limitShape = z.looseObject({
  model: z.string(),
  max_tokens: z.optional(z.number()),
  max_completion_tokens: z.optional(z.number()),
});

test('an imported run resumes after a confirmation with the worker, prices and limits of this browser, and no file raises the daily budget', async ({
  page,
  podium,
  server,
}) => {
  await withoutPicker(page);
  await podium.storeWorkers({ address: server.url, model: 'ok@own', name: 'Desk', price: { input: 1, output: 2 } });
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByLabel('Daily budget (USD)').fill('0.05');
  await page.getByLabel('Daily budget (USD)').blur();
  await podium.runWithOnly('Desk');
  await podium.ended();
  const events = await unfinishedCopy(page, 'forged');
  const unpriced = events.map((event) => ({ ...event, runId: 'unpriced', at: Number(event.at) + 1000 }));
  const text = forged(
    events,
    { model: 'ok@dear', price: { input: 0, output: 0 } },
    { sampling: { temperature: 0.2, maxTokens: 900_000 }, caps: { rounds: 9, calls: 999, tokens: null, usd: null } },
  );
  await importAndOpen(page, text, 'forged');

  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(dialog).toContainText('This run used ok@dear for Desk. Desk now uses ok@own.');
  await expect(dialog).toContainText('This run came from a file.');
  await expect(dialog).toContainText('up to 4,096 tokens per answer');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
  expect([server.calls('ok@dear').length, server.calls('ok@own').length]).toEqual([0, 1]);

  await page.getByRole('button', { name: 'Resume' }).click();
  await dialog.getByRole('button', { name: 'Continue with ok@own' }).click();
  await expect(page.getByRole('button', { name: 'Right' })).toBeVisible();
  expect([server.calls('ok@dear').length, server.calls('ok@own').length]).toEqual([0, 2]);
  const sent = limitShape.parse(server.calls('ok@own')[1]?.body);
  expect(sent.max_tokens ?? sent.max_completion_tokens).toBe(4096);

  const stored = await readStoredRun(page);
  expect(stored?.events.find(({ type }) => type === 'run-resumed')).toMatchObject({
    pool: [{ name: 'Desk', model: 'ok@own', price: { input: 1, output: 2 } }],
    caps: { calls: 16 },
    sampling: { maxTokens: 4096 },
  });
  expect(stored?.run.rounds[0]?.steps[0]?.attempts.at(-1)?.worker).toMatchObject({ model: 'ok@own' });
  expect(stored?.run.spent.usd).toBeGreaterThan(0);

  // The file says that the worker is free.
  await importAndOpen(page, forged(unpriced, { price: { input: 0, output: 0 } }, {}), 'unpriced');
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByLabel('Daily budget (USD)').fill('0.0001');
  await page.getByLabel('Daily budget (USD)').blur();
  await page.goto('/#/runs/unpriced');
  await page.getByRole('button', { name: 'Resume' }).click();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('alert').first()).toContainText('Your daily budget is $0.0001,');
  expect(server.calls('ok@own')).toHaveLength(2);

  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  const day = await page.evaluate(() => {
    const now = new Date();
    return [now.getFullYear(), now.getMonth() + 1, now.getDate()]
      .map((part) => String(part).padStart(2, '0'))
      .join('-');
  });
  const row = { day, workerId: 'nobody', name: 'Nobody', calls: 1, tokens: 1, usd: -1e6, billed: 0, unpriced: 0 };
  const head = { format: 'podium-backup', version: 1, app: '1', madeAt: 0, sections: [{ name: 'spending', lines: 1 }] };
  const backup = [head, { section: 'spending', value: row }].map((line) => `${JSON.stringify(line)}\n`).join('');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Restore a backup' }).click();
  const buffer = gzipSync(Buffer.from(backup));
  await (await chooser).setFiles({ name: 'edited.podium-backup.jsonl.gz', mimeType: 'application/gzip', buffer });
  await expect(page.getByText('1 of 1 spending record is damaged: line 2.')).toBeVisible();
  await page.getByRole('button', { name: 'Add missing items' }).click();
  await expect(page.getByText(/^Restored/)).toBeVisible();
  await podium.runWithOnly('Desk');
  await podium.ended();
  await expect(podium.answer.getByRole('alert')).toContainText('Your daily budget is $0.0001,');
  expect(server.calls('ok@own')).toHaveLength(2);
});
