import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldEvents, shrinkDeltas, type EventBody, type StoredEvent } from '../../../src/core/contract';
import { Timeline } from '../../../src/app/run/timeline';
import { finishedRunBodies, stampEvents } from '../../fixtures/run-events';

/**
 * Returns a run with so many pieces of text that its timeline has several checkpoints. The run finishes, and is
 * then resumed, cancelled and graded.
 */
function longRun(): StoredEvent[] {
  const bodies = finishedRunBodies();
  const texts: EventBody[] = Array.from({ length: 300 }, (_, index) => ({
    type: 'step-delta',
    round: 0,
    step: 0,
    attempt: 0,
    channel: index % 5 === 0 ? 'reasoning' : 'content',
    text: `word${index} `,
  }));
  const place = bodies.findIndex(({ type }) => type === 'step-delta');
  const whole = (channel: string) =>
    [...texts, ...bodies]
      .flatMap((body) => (body.type === 'step-delta' && body.step === 0 && body.channel === channel ? [body.text] : []))
      .join('');
  const withTexts = [...bodies.slice(0, place), ...texts, ...bodies.slice(place)].map((body) =>
    body.type === 'step-finished' && body.step === 0
      ? { ...body, output: whole('content'), reasoning: whole('reasoning') }
      : body,
  );
  const later: (EventBody & { elapsed: number; segment: number })[] = [
    { type: 'run-resumed', elapsed: 0, segment: 1 },
    { type: 'run-cancelled', elapsed: 250, segment: 1 },
    { type: 'run-graded', correct: false, by: 'person', detail: '', elapsed: 250, segment: 1 },
  ];
  return stampEvents([...withTexts, ...later], { gap: 20 });
}

const EVENTS = longRun();
const prefix = (position: number) => foldEvents(EVENTS.slice(0, position));

describe('the run at a position of a timeline', () => {
  test('is the fold of the events before the position, if positions are read forward', () => {
    const timeline = new Timeline(EVENTS);
    for (let position = 0; position <= EVENTS.length; position++) {
      expect(timeline.runAt(position)).toEqual(prefix(position));
    }
  });

  test('is the fold of the events before the position, if positions are read backward', () => {
    const timeline = new Timeline(EVENTS);
    for (let position = EVENTS.length; position >= 0; position--) {
      expect(timeline.runAt(position)).toEqual(prefix(position));
    }
  });

  test('is the fold of the events before the position, if positions are read in any order', () => {
    const timeline = new Timeline(EVENTS);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: EVENTS.length }), (position) => {
        expect(timeline.runAt(position)).toEqual(prefix(position));
      }),
    );
  });

  test('has all text streamed before the position, even if the stored deltas have lost their text', () => {
    const stored = shrinkDeltas(EVENTS);
    const timeline = new Timeline(stored);
    expect(stored).not.toEqual(EVENTS);
    for (let position = 0; position <= EVENTS.length; position += 7) {
      expect(timeline.runAt(position)).toEqual(prefix(position));
    }
  });

  test('is `null` before the start, and the whole run after the end', () => {
    const timeline = new Timeline(EVENTS);
    expect(timeline.runAt(-3)).toBeNull();
    expect(timeline.runAt(EVENTS.length + 3)).toEqual(prefix(EVENTS.length));
  });
});

test('a move by one position folds one event forward, and at most one checkpoint interval back', () => {
  let read = 0;
  const counted = EVENTS.map(
    (event) =>
      new Proxy(event, {
        get(target, name) {
          if (name === 'seq') read += 1;
          return Reflect.get(target, name);
        },
      }),
  );
  const timeline = new Timeline(counted);
  timeline.runAt(EVENTS.length - 10);
  const reads = (position: number) => {
    read = 0;
    timeline.runAt(position);
    return read;
  };
  const readsOfOne = reads(EVENTS.length - 9);
  expect(readsOfOne).toBeGreaterThan(0);
  expect(readsOfOne).toBeLessThan(8);
  expect(reads(EVENTS.length - 10)).toBeLessThan(64 * 8);
});

test('a timeline converts positions to active time and back', () => {
  const timeline = new Timeline(EVENTS);
  for (let index = 0; index < EVENTS.length; index++) {
    expect(timeline.timeOf(index)).toBe(prefix(index + 1)?.time);
    const position = timeline.positionAt(timeline.timeOf(index));
    expect(position).toBeGreaterThan(index);
    expect(timeline.timeOf(position - 1)).toBe(timeline.timeOf(index));
  }
  expect(timeline.positionAt(-1)).toBe(0);
  expect(timeline.positionAt(timeline.end)).toBe(EVENTS.length);
});

test('a timeline adds new events and skips known ones', () => {
  const timeline = new Timeline(EVENTS.slice(0, 10));
  expect(timeline.append(EVENTS.slice(5, 10))).toBe(false);
  for (const event of EVENTS.slice(8)) timeline.append([event]);
  expect(timeline.length).toBe(EVENTS.length);
  expect(timeline.run).toEqual(prefix(EVENTS.length));
  expect(timeline.runAt(150)).toEqual(prefix(150));
});

test('a timeline adds only the new events of a later read from the store', () => {
  const timeline = new Timeline(EVENTS.slice(0, 200));
  expect(timeline.catchUp(shrinkDeltas(EVENTS))).toBe(true);
  expect(timeline.catchUp(shrinkDeltas(EVENTS))).toBe(false);
  expect(timeline.run).toEqual(prefix(EVENTS.length));
  expect(timeline.runAt(250)).toEqual(prefix(250));
});

test('a timeline is rebuilt if a different copy has replaced the stored run', () => {
  const cut = EVENTS.slice(0, 200);
  const later = stampEvents([...finishedRunBodies(), { type: 'run-interrupted' }]).at(-1);
  if (!later) throw new Error('The fixture has no run-interrupted event.');
  const mark: StoredEvent = { ...later, seq: 200, at: later.at + 5_000_000 };
  const timeline = new Timeline([...cut, mark]);
  expect(timeline.runAt(150)).toEqual(prefix(150));
  expect(timeline.run?.status).toBe('interrupted');
  expect(timeline.catchUp(shrinkDeltas(EVENTS))).toBe(true);
  for (const position of [0, 150, 201, EVENTS.length]) expect(timeline.runAt(position)).toEqual(prefix(position));
  expect(timeline.timeOf(EVENTS.length - 1)).toBe(prefix(EVENTS.length)?.time);
  expect(timeline.events).toEqual(EVENTS);
  expect(timeline.catchUp([...cut, mark])).toBe(true);
  expect(timeline.run?.status).toBe('interrupted');
  expect(timeline.catchUp(cut), 'an older read that arrives late').toBe(false);
});

test('a timeline without the first events has no run', () => {
  const timeline = new Timeline(EVENTS.slice(4));
  expect(timeline.run).toBeNull();
  expect(timeline.end).toBe(0);
  expect(timeline.runAt(3)).toBeNull();
});
