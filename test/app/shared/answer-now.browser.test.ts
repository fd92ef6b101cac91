import { describe, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-svelte';
import AnswerNow from '../../../src/app/shared/AnswerNow.svelte';
import { poolWorker } from '../../fixtures/run-events';
import { scriptedRun } from '../scripted-runs';

const paid = poolWorker(1, { kind: 'endpoint', origin: 'https://api.example.com', price: { input: 1, output: 2 } });
const open = { worker: 1, access: [0], start: 300, first: 310 };

describe('ending a run early', () => {
  test('is not possible until a step has finished', async () => {
    const run = scriptedRun({ rounds: [{ steps: [{ worker: 0, start: 100, first: 110 }, open] }] });
    const screen = await render(AnswerNow, { run, onanswer: vi.fn() });
    await expect.element(screen.getByRole('button', { name: 'Answer now' })).toBeDisabled();
    await expect.element(screen.getByText('once a step has finished')).toBeVisible();
  });

  test('names the step and the price, and passes on the choice', async () => {
    const done = { worker: 0, start: 100, first: 110, end: 200, output: '42' };
    const run = scriptedRun({
      pool: [poolWorker(0), paid],
      rounds: [{ steps: [done, done, { ...open, access: [0, 1] }] }],
    });
    const onanswer = vi.fn();
    const screen = await render(AnswerNow, { run, onanswer });
    await expect.element(screen.getByText('step 2 as it is, no further call')).toBeVisible();
    await expect.element(screen.getByText(/^one call to Birch, \$0\.\d+ to \$0\.\d+$/)).toBeVisible();
    await screen.getByRole('button', { name: 'Answer now' }).click();
    await screen.getByRole('button', { name: 'Combine 2 steps' }).click();
    const latest = { round: 0, step: 1 };
    expect(onanswer.mock.calls).toEqual([[latest], [{ ...latest, combinedBy: 1 }]]);
  });

  test('is not offered for a plan of one step, or once the run has ended', async () => {
    const one = scriptedRun({ rounds: [{ steps: [{ worker: 0, start: 100, first: 110 }] }] });
    const screen = await render(AnswerNow, { run: one, onanswer: vi.fn() });
    await expect.element(screen.getByRole('button')).not.toBeInTheDocument();
    const ended = scriptedRun({ rounds: [{ steps: [{ ...open, access: [] }, open] }], end: 'cancelled' });
    await screen.rerender({ run: ended, onanswer: vi.fn() });
    await expect.element(screen.getByRole('button')).not.toBeInTheDocument();
  });
});
