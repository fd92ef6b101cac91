import { expect, test } from 'vitest';
import { LiveRunView } from '../../../src/app/state/live-run.svelte';
import { applyEvent, foldEvents, type Run } from '../../../src/core/contract';
import type { LiveRun, RunListener } from '../../../src/core/runs/live-run';
import { finishedRunBodies, stampEvents } from '../../fixtures/run-events';
import { HandFrames } from '../hand-frames';

function scriptedView() {
  const events = stampEvents(finishedRunBodies());
  const listeners = new Set<RunListener>();
  let sent = 3;
  let run = foldEvents(events.slice(0, sent));
  let end: (run: Run) => void = () => undefined;
  const done = new Promise<Run>((resolve) => (end = resolve));
  const current = () => {
    if (!run) throw new Error('no run');
    return run;
  };
  const live: LiveRun = {
    id: 'run-1',
    get run() {
      return current();
    },
    done,
    notice: null,
    stop: () => undefined,
    decide: () => undefined,
    answerNow: () => undefined,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const dispatch = (count: number) => {
    for (const event of events.slice(sent, sent + count)) {
      run = applyEvent(run, event);
      for (const listener of listeners) listener(current(), event);
    }
    sent += count;
  };
  return { live, dispatch, listeners, finish: () => (dispatch(events.length), end(current())) };
}

test('updates the shown run at most once every 50 ms, however many events arrive', () => {
  const { live, dispatch } = scriptedView();
  const frames = new HandFrames();
  const view = new LiveRunView(live, frames);
  const first = view.run;
  dispatch(5);
  frames.time = 49;
  frames.draw();
  expect(view.run).toBe(first);
  frames.time = 50;
  frames.draw();
  expect(view.run).toBe(live.run);
  const second = view.run;
  dispatch(1);
  expect(view.run).toBe(second);
  frames.time = 100;
  frames.draw();
  expect(view.run).toBe(live.run);
});

test('advances the clock between events while the run is in progress, and stops the clock at the end', async () => {
  const { live, dispatch, finish } = scriptedView();
  const frames = new HandFrames();
  const view = new LiveRunView(live, frames);
  frames.time = 60;
  frames.draw();
  expect(view.now).toBe(view.run.time + 60);
  frames.time = 100;
  frames.draw();
  expect(view.now).toBe(view.run.time + 60);
  frames.time = 110;
  dispatch(1);
  frames.draw();
  expect(view.now).toBe(live.run.time);
  finish();
  await view.ended;
  expect(view.isRunning).toBe(false);
  expect(view.now).toBe(live.run.time);
  frames.time = 9000;
  frames.draw();
  expect(view.now).toBe(live.run.time);
  expect(frames.hasPending).toBe(false);
});

test('shows the finished run even if no frame is drawn', async () => {
  const { live, finish } = scriptedView();
  const view = new LiveRunView(live, new HandFrames());
  finish();
  await view.ended;
  expect(view.run.status).toBe('finished');
});

test('a closed view is unsubscribed from the run and has no pending frame', () => {
  const { live, listeners } = scriptedView();
  const frames = new HandFrames();
  const view = new LiveRunView(live, frames);
  view.close();
  expect(listeners.size).toBe(0);
  expect(frames.hasPending).toBe(false);
});
