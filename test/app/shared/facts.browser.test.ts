import { expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import Facts from '../../../src/app/shared/Facts.svelte';
import { sampleRunId, type PoolWorker, type Run } from '../../../src/core/contract';
import { scriptedRun } from '../scripted-runs';
import { poolWorker } from '../../fixtures/run-events';

const paidRun = (kind: PoolWorker['kind']): Run => {
  const pool = [{ ...poolWorker(0), kind }];
  const run = scriptedRun({ pool, rounds: [{ steps: [{ worker: 0, start: 1, end: 5 }] }], end: 'finished' });
  return { ...run, spent: { input: 9, output: 1, usd: 0.25, billed: 0.25, unpriced: 0, calls: 1, estimated: false } };
};

test('labels a run with a recorded worker “recorded” and its cost “as recorded”, not as billed', async () => {
  const screen = await render(Facts, { time: 800, run: paidRun('recorded') });

  await expect.element(screen.getByText('recorded', { exact: true })).toBeVisible();
  await expect.element(screen.getByText('as recorded')).toBeVisible();
  expect(screen.container.textContent).not.toContain('billed');
});

test('says that a cost is billed if the provider reported it', async () => {
  const screen = await render(Facts, { time: 800, run: paidRun('endpoint') });

  await expect.element(screen.getByText('10 tokens', { exact: true })).toBeVisible();
  await expect.element(screen.getByText('as billed')).toBeVisible();
  expect(screen.container.textContent).not.toContain('recorded');
});

test('labels the cost of a sample run “at made-up prices”, not as estimated', async () => {
  const run = paidRun('simulated');
  const sample = { ...run, id: sampleRunId(1), spent: { ...run.spent, billed: 0 } };
  const screen = await render(Facts, { time: 800, run: sample });

  await expect.element(screen.getByText('$0.25 at made-up prices')).toBeVisible();
  expect(screen.container.textContent).not.toContain('estimated');
});

test('shows “cost unknown” instead of an amount if the price of the only call is unknown', async () => {
  const run = paidRun('endpoint');
  const unpriced = { ...run, spent: { ...run.spent, usd: 0, billed: 0, unpriced: 1 } };
  const screen = await render(Facts, { time: 800, run: unpriced });

  await expect.element(screen.getByText('cost unknown')).toBeVisible();
  expect(screen.container.textContent).not.toContain('$');
});
