import { expect, test } from 'vitest';
import { applyEvent, fault, type Run } from '../../src/core/contract';
import { outcomeOf } from '../../src/core/evaluation/batches/outcome-of';
import { ScorePrinter } from '../../src/node/run/score-printer';
import { delta, done, fails, play } from '../core/executor/scripted';
import { step } from '../fixtures/run-events';

const incompleteRun = () =>
  play({
    plan: [step(0, 'Solve.'), step(1, 'Solve.'), step(2, 'Combine.', [0, 1])],
    start: { leaveOutFailed: true },
    work: ({ options }) =>
      options.worker.colour === 2
        ? [fails(fault('bad-request', 'The host rejected the request.', { detail: 'Only cats.\nNo dogs.' }))]
        : [delta('well'), done()],
  });

test('prints the server’s words, and the steps that a run went on without', async () => {
  const { events } = await incompleteRun();
  const lines: string[] = [];
  const printer = new ScorePrinter({ out: () => undefined, error: (text) => void lines.push(text) });
  let run: Run | null = null;
  for (const event of events) {
    run = applyEvent(run, event);
    if (run) printer.print(run, event);
  }
  const printed = lines.join('');
  expect(printed).toContain('The host rejected the request.\n  Only cats. No dogs.\n');
  expect(printed).toMatch(/▸ Step 3, .*, without step 2, which failed\n/);
  expect(printed).toContain('The answer is incomplete');
});

test('an outcome counts the steps that its run went on without', async () => {
  const { run } = await incompleteRun();
  const unit = { dataset: 0, taskId: 'task', method: 0, repeat: 0 };
  expect(outcomeOf('batch', unit, run, { status: 'waiting', verdicts: {} })).toMatchObject({ leftOut: 1 });
});
