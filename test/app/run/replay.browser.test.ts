import { describe, expect, test } from 'vitest';
import { Replay } from '../../../src/app/run/replay.svelte';
import { Timeline } from '../../../src/app/run/timeline';
import { foldEvents } from '../../../src/core/contract';
import { finishedRunBodies, stampEvents } from '../../fixtures/run-events';
import { HandFrames } from '../hand-frames';

/** 22 events, 100 ms apart. Four of them are deltas: pieces of streamed text. */
const EVENTS = stampEvents(finishedRunBodies());
const END = 100 * (EVENTS.length - 1);
const DELTAS = EVENTS.flatMap(({ type }, index) => (type === 'step-delta' ? [index] : []));

function stage({ events = EVENTS, reduced = false } = {}) {
  const frames = new HandFrames();
  const replay = new Replay(new Timeline(events), frames, () => reduced);
  return { frames, replay };
}

describe('a replay', () => {
  test('starts at the end of the run', () => {
    const { replay } = stage();
    expect(replay.time).toBe(END);
    expect(replay.run).toEqual(foldEvents(EVENTS));
    expect(replay.follows).toBe(true);
  });

  test('shows the run as it was at each moment, seeking forward and back', () => {
    const { replay } = stage();
    const moments = EVENTS.map((_, index) => index * 100 + 40);
    for (const moment of [...moments, ...moments.toReversed()]) {
      replay.seek(moment);
      expect(replay.run).toEqual(foldEvents(EVENTS.slice(0, Math.floor(moment / 100) + 1)));
      expect(replay.whole).toEqual(foldEvents(EVENTS));
    }
  });

  test('seeks to the position just after an event', () => {
    const { replay } = stage();
    replay.seekEvent(5);
    expect(replay.position).toBe(6);
    expect(replay.time).toBe(500);
    expect(replay.follows).toBe(false);
  });

  test('steps from event to event, skipping deltas unless they are listed', () => {
    const { replay } = stage();
    const first = DELTAS[0] ?? 0;
    replay.seekEvent(first - 1);
    replay.step(1);
    expect(EVENTS[replay.position - 1]?.type).toBe('step-finished');
    replay.step(-1);
    expect(replay.position).toBe(first);
    replay.withDeltas = true;
    replay.step(1);
    expect(replay.position).toBe(first + 1);
  });

  test('steps through events of the same moment one by one', () => {
    const { replay } = stage({ events: stampEvents(finishedRunBodies(), { gap: 0 }) });
    replay.seekEvent(3);
    replay.step(1);
    expect(replay.position).toBe(5);
    replay.step(-1);
    expect(replay.position).toBe(4);
  });

  test('does not step beyond either end', () => {
    const { replay } = stage();
    replay.step(1);
    expect(replay.time).toBe(END);
    replay.seekEvent(0);
    replay.step(-1);
    expect(replay.position).toBe(1);
  });

  test('finds the latest listed event at or before the playhead', () => {
    const { replay } = stage();
    const [delta = 0] = DELTAS;
    replay.seekEvent(delta);
    expect(replay.listed[replay.current]).toBe(delta - 1);
    replay.withDeltas = true;
    expect(replay.listed[replay.current]).toBe(delta);
  });
});

describe('playback', () => {
  test('runs at the chosen speed, and stops at the end', () => {
    const { replay, frames } = stage();
    replay.seek(0);
    replay.play();
    frames.draw(250);
    expect(replay.time).toBe(250);
    expect(replay.position).toBe(3);
    replay.speed = 4;
    frames.draw(100);
    expect(replay.time).toBe(650);
    frames.draw(END);
    expect(replay.time).toBe(END);
    expect(replay.isPlaying).toBe(false);
    expect(frames.hasPending).toBe(false);
  });

  test('begins at the start of the run if the playhead is at the end', () => {
    const { replay, frames } = stage();
    replay.play();
    frames.draw(30);
    expect(replay.time).toBe(30);
  });

  test('stops when the user seeks or pauses', () => {
    const { replay, frames } = stage();
    replay.play();
    replay.seek(700);
    expect(replay.isPlaying).toBe(false);
    frames.draw(100);
    expect(replay.time).toBe(700);
    replay.play();
    replay.pause();
    frames.draw(100);
    expect(replay.time).toBe(700);
  });

  test('jumps from event to event if the user prefers reduced motion', () => {
    const { replay, frames } = stage({ reduced: true });
    replay.seek(0);
    replay.play();
    frames.draw(60);
    expect(replay.time).toBe(0);
    frames.draw(60);
    expect(replay.time).toBe(100);
    frames.draw(170);
    expect(replay.time).toBe(200);
  });
});

describe('a run in progress', () => {
  test('is followed while the playhead is at the end', () => {
    const { replay } = stage({ events: EVENTS.slice(0, 8) });
    replay.append(EVENTS.slice(8, 12));
    expect(replay.time).toBe(1100);
    expect(replay.run).toEqual(foldEvents(EVENTS.slice(0, 12)));
  });

  test('is not followed after a seek, until the playhead is back at the end', () => {
    const { replay } = stage({ events: EVENTS.slice(0, 8) });
    replay.seek(300);
    replay.append(EVENTS.slice(8, 12));
    expect(replay.time).toBe(300);
    expect(replay.whole).toEqual(foldEvents(EVENTS.slice(0, 12)));
    replay.seek(5000);
    replay.append(EVENTS.slice(12, 14));
    expect(replay.position).toBe(14);
  });
});
