import { expect, it } from 'vitest';
import { startOfRun } from '../../../src/core/runs/new-run';
import { forkOf } from '../../../src/core/runs/fork';
import { step } from '../../fixtures/run-events';
import { delta, done, play } from '../executor/scripted';

it('a fork calls a settled step that the user wants to run again, and otherwise skips settled steps as before', async () => {
  const plan = [step(0, 'Solve the task.'), step(1, 'Check the result.', [0]), step(2, 'Correct it.', [0, 1])];
  const work = () => [delta('Verdict: right'), done()];
  const { run } = await play({ plan, start: { skipSettled: true }, work });
  expect(run.rounds[0]?.steps[2]?.status).toBe('settled');
  const startAt = (index: number) => forkOf(run, { round: 0, step: index }, startOfRun(run), () => 7).start;
  expect(startAt(1)).toMatchObject({ skipSettled: true, seed: 7 });
  expect(startAt(2)).not.toHaveProperty('skipSettled');
});

it('a fork of a drawn run is not drawn', async () => {
  const { run } = await play({ plan: [step(0, 'Solve the task.')] });
  const drawn = { ...run, alone: { worker: run.pool[0]?.id ?? '', share: 1 } };
  const { start } = forkOf(drawn, { round: 0, step: 0 }, startOfRun(drawn), () => 7);
  expect(start).not.toHaveProperty('alone');
});
