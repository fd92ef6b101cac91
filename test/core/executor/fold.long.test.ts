/**
 * @file Tests `foldEvents`, which computes the state of a run from its events. The state must be the same if
 * the texts of deltas are replaced by their lengths, if the events are converted to JSON and read again, or if events arrive
 * twice. Some of the runs are stopped, interrupted or resumed. For each run, a prefix of its events is also tested.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expandDeltas, foldEvents, shrinkDeltas, type RunEvent, type StoredEvent } from '../../../src/core/contract';
import { parseStoredEvent } from '../../../src/core/contract/storage/schema';
import { MemoryStore } from '../../fixtures/memory-store';
import { randomRun, sceneOf, type RandomRun } from './random-scenes';
import { fold, play, stage } from './scripted';

interface Story {
  readonly random: RandomRun;
  /** How the run's first session ends: by itself, because the user stops it, or because its page closes. */
  readonly end: 'itself' | 'stopped' | 'interrupted';
  /** When the first session ends, as a share of its events. */
  readonly endsAt: number;
  /** Length of the tested prefix, as a share of all events. */
  readonly seenAt: number;
  readonly resumed: boolean;
}

const share = fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100);
const story: fc.Arbitrary<Story> = fc.record({
  random: randomRun,
  end: fc.constantFrom('itself', 'stopped', 'interrupted'),
  endsAt: share,
  seenAt: share,
  resumed: fc.boolean(),
});

async function record({ random, end, endsAt, resumed }: Story): Promise<RunEvent[]> {
  const { events: whole } = await play(sceneOf(random));
  const length = Math.max(1, Math.ceil(endsAt * whole.length));
  const first = end === 'stopped' ? await stopAfter(random, length) : whole;
  const before = end === 'interrupted' ? interruptAfter(whole, length) : first;
  const prior = fold(before);
  if (!resumed || prior.status === 'finished') return before;
  const store = new MemoryStore();
  for (const event of before) await store.append(event);
  const { events: after } = await play({ ...sceneOf(random), prior: { kind: 'resume', run: prior }, store });
  return [...before, ...after];
}

async function stopAfter(random: RandomRun, length: number): Promise<RunEvent[]> {
  const { events, controller } = stage(sceneOf(random));
  const seen: RunEvent[] = [];
  for await (const event of events) if (seen.push(event) === length) controller.abort();
  return seen;
}

/** A closed page loses its unstored events. Another page then marks the run as interrupted. */
function interruptAfter(events: readonly RunEvent[], length: number): RunEvent[] {
  const kept = events.slice(0, length);
  const last = kept.at(-1);
  if (!last || fold(kept).status !== 'running') return kept;
  const { runId, at, segment, elapsed, seq } = last;
  return [...kept, { type: 'run-interrupted', runId, at, segment, elapsed, seq: seq + 1 }];
}

function imported(events: readonly StoredEvent[]): StoredEvent[] {
  return events.map((event) => {
    const parsed = parseStoredEvent(JSON.parse(JSON.stringify(event)));
    if (!parsed.ok) throw new Error(parsed.message);
    return parsed.event;
  });
}

/** All tests use the same random runs, so each run is recorded only once. */
const seed = Math.floor(Math.random() * 2 ** 31);
const recorded = new Map<string, Promise<RunEvent[]>>();

function recordOnce(each: Story): Promise<RunEvent[]> {
  const key = JSON.stringify(each);
  const events = recorded.get(key) ?? record(each);
  recorded.set(key, events);
  return events;
}

async function everyMoment(check: (events: readonly RunEvent[]) => void) {
  await fc.assert(
    fc.asyncProperty(story, async (each) => {
      const events = await recordOnce(each);
      check(events);
      check(events.slice(0, Math.max(1, Math.ceil(each.seenAt * events.length))));
    }),
    { numRuns: 150, seed },
  );
}

describe('the events of a run give the same run', () => {
  it('when deltas of ended attempts have lengths instead of texts, and the texts can be restored', () =>
    everyMoment((events) => {
      const shrunk = shrinkDeltas(events);
      expect(foldEvents(shrunk)).toEqual(foldEvents(events));
      expect(expandDeltas(shrunk)).toEqual(events);
    }));

  it('when they are converted to JSON and read again', () =>
    everyMoment((events) => {
      expect(imported(events)).toEqual(events);
      expect(foldEvents(imported(shrinkDeltas(events)))).toEqual(foldEvents(events));
    }));

  it('when some events arrive twice', () =>
    everyMoment((events) => {
      const twice = events.flatMap((event, index) => [event, ...events.slice(Math.max(0, index - 3), index + 1)]);
      expect(foldEvents(twice)).toEqual(foldEvents(events));
    }));
});
