import { beforeEach, describe, expect, test } from 'vitest';
import { AppState } from '../../../src/app/state/app-state.svelte';
import type { ConductState } from '../../../src/app/state/conduct.svelte';
import { conductStage } from '../conduct/conduct-services';

const QUESTION = 'What is 2 + 2?';

beforeEach(() => sessionStorage.clear());

/** The state of *Conduct* without the page. Calls to workers wait for `stage.release`. */
async function open() {
  const stage = conductStage({ held: true });
  const app = new AppState(stage.services, QUESTION);
  await app.load();
  return { stage, app, conduct: app.conduct };
}

/** Requests the plan as the page does, and waits until it is there. */
async function planned(conduct: ConductState): Promise<void> {
  conduct.plan.follow(conduct.request);
  await expect.poll(() => conduct.status).toBe('planned');
}

describe('the state of Conduct', () => {
  test('is idle without a question or without a chosen worker', async () => {
    const { app, conduct } = await open();
    conduct.question = ' ';
    expect(conduct.status).toBe('idle');
    conduct.question = QUESTION;
    for (const { id } of app.workers.pool) app.workers.choose(id, false);
    expect(conduct.status).toBe('idle');
  });

  test('changes from planning to planned, to editing during an edit, and back when the edit is discarded', async () => {
    const { conduct } = await open();
    expect(conduct.status).toBe('planning');
    await planned(conduct);
    conduct.edit();
    expect(conduct.status).toBe('editing');
    conduct.plan.draft = null;
    expect(conduct.status).toBe('planned');
  });

  test('is running during the run, then finished, and planned again when the question changes', async () => {
    const { stage, conduct } = await open();
    await planned(conduct);
    await conduct.start();
    expect([conduct.status, conduct.isRunning]).toEqual(['running', true]);
    stage.release();
    await expect.poll(() => conduct.status).toBe('finished');
    expect(conduct.isRunning).toBe(false);
    conduct.question = 'What is 3 + 3?';
    expect([conduct.status, conduct.run]).toEqual(['planned', null]);
  });

  test('keeps the ceiling (maximum calls and cost) of a started run when a cap is changed', async () => {
    const { stage, app, conduct } = await open();
    await planned(conduct);
    const { ceiling } = conduct;
    await conduct.start();
    app.preferences.change({ caps: { ...app.preferences.current.caps, calls: 1 } });
    expect(conduct.ceiling?.calls).toBe(1);
    expect(conduct.runCeiling).toEqual(ceiling);
    expect(ceiling?.calls).toBeGreaterThan(1);
    stage.release();
    await expect.poll(() => conduct.status).toBe('finished');
  });

  test('is held while a plan waits for approval, and cancelled after Stop', async () => {
    const { app, conduct } = await open();
    app.preferences.change({ approval: true });
    await planned(conduct);
    await conduct.start();
    await expect.poll(() => conduct.status).toBe('held');
    expect(conduct.isRunning).toBe(true);
    conduct.stop();
    await expect.poll(() => conduct.status).toBe('cancelled');
  });

  test('is failed if a worker cannot be reached', async () => {
    const { stage, conduct } = await open();
    stage.refuse('Cedar');
    await planned(conduct);
    await conduct.start();
    stage.release();
    await expect.poll(() => conduct.status).toBe('failed');
  });

  test('stays idle if the run cannot start because the question is empty', async () => {
    const { conduct } = await open();
    conduct.question = '';
    await conduct.start();
    expect([conduct.status, conduct.refusal?.code]).toEqual(['idle', 'empty-question']);
  });
});

describe('after a run', () => {
  async function finished() {
    const opened = await open();
    const { stage, conduct } = opened;
    await planned(conduct);
    await conduct.start();
    stage.release();
    await expect.poll(() => conduct.status).toBe('finished');
    expect([conduct.hasRunBehind, conduct.hasPlanBehind]).toEqual([false, false]);
    return opened;
  }

  test.each<[string, (parts: Awaited<ReturnType<typeof open>>) => void]>([
    ['the question', ({ conduct }) => (conduct.question = 'What is 3 + 3?')],
    ['the pool', ({ app }) => app.workers.choose('sim:birch', false)],
    ['a setting that shapes the plan', ({ app }) => app.preferences.change({ access: 'binary' })],
  ])('a change of %s shows the plan, and the run stays reachable', async (_what, change) => {
    const parts = await finished();
    const { conduct } = parts;
    const { run } = conduct;
    change(parts);
    expect([conduct.run, conduct.hasRunBehind]).toEqual([null, true]);
    conduct.backToRun();
    expect([conduct.run, conduct.hasRunBehind, conduct.hasPlanBehind]).toEqual([run, false, true]);
    conduct.showPlan();
    expect([conduct.run, conduct.hasRunBehind]).toEqual([null, true]);
  });

  test('a change of outer spaces or of a setting that plans do not use keeps the run in view', async () => {
    const { app, conduct } = await finished();
    conduct.question = ` ${QUESTION} `;
    app.preferences.change({ approval: true, maxTokens: 100 });
    expect(conduct.status).toBe('finished');
  });

  test('editing the plan leaves the run reachable, and showing the run does not discard the edit', async () => {
    const { conduct } = await finished();
    conduct.edit();
    expect([conduct.status, conduct.hasRunBehind]).toEqual(['editing', true]);
    conduct.backToRun();
    expect(conduct.status).toBe('finished');
    conduct.showPlan();
    expect(conduct.status).toBe('editing');
  });

  test('the run stays in view when it ends, even if the question was changed during the run', async () => {
    const { stage, conduct } = await open();
    await planned(conduct);
    await conduct.start();
    conduct.question = 'What is 3 + 3?';
    stage.release();
    await expect.poll(() => conduct.status).toBe('finished');
    expect(conduct.hasPlanBehind).toBe(true);
  });
});
