import 'fake-indexeddb/auto';
import { expect, it, vi } from 'vitest';
import { fault, FaultError, foldEvents, type WorkerClient } from '../../../../src/core/contract';
import { createBatchRunner } from '../../../../src/core/evaluation/batches/runner';
import type { PlayerDependencies } from '../../../../src/core/evaluation/batches/player';
import type { UnitGraders } from '../../../../src/core/evaluation/batches/grading';
import { createPuzzleGrader } from '../../../../src/core/graders/puzzle';
import { createSimulatedWorkers } from '../../../../src/core/simulation/client';
import { createDatabase } from '../../../../src/platform/store/database';
import { createRunStore } from '../../../../src/platform/store/run-store';
import {
  practiceConductor,
  practiceMethods,
  practicePlayer,
  practiceTasks,
} from '../../../fixtures/evaluation/practice';
import { openPage, World } from './world';

type WorkersOn = PlayerDependencies['workersOn'];

const sound: WorkersOn = (clock) => {
  const client = createSimulatedWorkers({ clock, isCoarse: true });
  return () => client;
};

/** Simulated workers. All calls to one of them fail. */
const broken: WorkersOn = (clock) => {
  const client = createSimulatedWorkers({ clock, isCoarse: true });
  const failing: WorkerClient = {
    async *run(messages, options, signal) {
      if (options.worker.id !== 'sim:birch') return yield* client.run(messages, options, signal);
      yield { type: 'failed', fault: fault('unauthorized', 'Birch is away.'), usage: null, cost: 0 };
    },
  };
  return () => failing;
};

const puzzles: UnitGraders = {
  graderFor: (_kind, profile) => (profile === 'strict' ? createPuzzleGrader() : null),
  checkGradable: async () => null,
};

const lost: UnitGraders = {
  ...puzzles,
  graderFor: () => {
    throw new FaultError(fault('internal', 'The grader is gone.'));
  },
};

/**
 * A browser with a batch in which only simulated workers are called. Each unit of the batch is one task with one method.
 * `world.calls` records the calls in real time. There should be none.
 */
async function setUp(name: string) {
  const world = new World(practiceTasks(5));
  await world.add({ methods: practiceMethods() });
  const page = openPage(world);
  const store = createRunStore(createDatabase({ name }));
  const open = (workersOn: WorkersOn, graders = puzzles) =>
    createBatchRunner({
      locks: world.locks.tab(),
      store,
      runs: page.runs,
      graders,
      conductorFor: practiceConductor,
      policyRevision: async () => 'first',
      player: practicePlayer({ datasets: world.datasets, batches: world.batches, store, workersOn, graders }),
      clock: world.clock,
      datasets: world.datasets,
      batches: world.batches,
    });
  return { world, store, open, runs: page.runs };
}

it('retries failed units with simulated workers in virtual time, and keeps their finished steps', async () => {
  const { world, store, open } = await setUp('retried');
  const failed = await (await open(broken).start('batch')).done;
  expect(failed).toMatchObject({ status: 'finished', done: 40 });
  expect(failed.failed).toBeGreaterThan(0);
  const runs = await store.count();
  const before = new Map((await world.batches.outcomes('batch')).map(({ runId = '', status }) => [runId, status]));

  const retried = await (await open(sound).retryFailed('batch')).done;
  expect(retried).toMatchObject({ status: 'finished', done: 40, failed: 0, graded: 40 });
  // No worker was called in real time, and no real time has passed.
  expect([world.calls, (await world.runs()).length, world.clock.monotonic()]).toEqual([[], 0, 0]);
  expect(await store.count()).toBe(runs);
  let kept = 0;
  for (const { runId = '', verdicts } of await world.batches.outcomes('batch')) {
    const events = await store.read(runId);
    const run = foldEvents(events);
    expect(run).toMatchObject({ status: 'finished', grade: { correct: verdicts.strict?.correct } });
    expect(events.some(({ type }) => type === 'run-resumed')).toBe(before.get(runId) === 'failed');
    const finished = events.flatMap((event) =>
      event.type === 'step-finished' ? [JSON.stringify([event.round, event.step])] : [],
    );
    expect(new Set(finished).size).toBe(finished.length);
    const resumed = events.findIndex(({ type }) => type === 'run-resumed');
    kept += events.slice(0, Math.max(0, resumed)).filter(({ type }) => type === 'step-finished').length;
  }
  expect(kept).toBeGreaterThan(0);
});

it('reports a batch as finished only after the cached runs are reloaded', async () => {
  const { open, runs } = await setUp('reloaded');
  let finish: () => void = () => undefined;
  const reading = new Promise<void>((resolve) => (finish = resolve));
  const reload = vi.spyOn(runs, 'reloadRuns').mockReturnValue(reading);
  const live = await open(sound).start('batch');
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce(), { timeout: 30_000 });
  expect(live.progress).toMatchObject({ status: 'running', done: 40 });
  finish();
  expect((await live.done).status).toBe('finished');
});

it('regrades stored runs without calling workers if only the grader failed', async () => {
  const { world, store, open } = await setUp('regraded');
  expect(await (await open(sound, lost).start('batch')).done).toMatchObject({ failed: 40 });
  const never: WorkersOn = () => () => {
    throw new Error('A worker was called.');
  };
  expect(await (await open(never).retryFailed('batch')).done).toMatchObject({ failed: 0, graded: 40 });
  for (const { runId = '', verdicts } of await world.batches.outcomes('batch')) {
    expect(foldEvents(await store.read(runId))?.grade?.correct).toBe(verdicts.strict?.correct);
  }
});
