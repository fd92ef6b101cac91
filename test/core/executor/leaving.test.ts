/**
 * @file Tests calls that wait before they are sent. Podium stores the end of the wait before it sends the call. No call
 * is sent after storage has failed, and a call that was never sent does not count.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyEvent,
  fault,
  FaultError,
  foldEvents,
  type Journal,
  type RunEvent,
  type StepKey,
  type StoredEvent,
  type WorkerDirectory,
  type WorkerEvent,
} from '../../../src/core/contract';
import { FakeClock } from '../../fixtures/fake-clock';
import { MemorySpending } from '../../fixtures/memory-spending';
import { MemoryStore } from '../../fixtures/memory-store';
import { step } from '../../fixtures/run-events';
import {
  collect,
  done,
  finished,
  fold,
  known,
  ofType,
  paidWorker,
  play,
  PRICE,
  retried,
  delta,
  stage,
  started,
  wait,
  type WorkerItem,
} from './scripted';

const full = new FaultError(fault('storage-full', 'There is no room left.'));
const pool = [0, 1, 2].map((index) => paidWorker(index));
const sampling = { temperature: 0, maxTokens: 1000 };
const free = { rounds: 1, calls: 100, tokens: null, usd: null };
/** The maximum cost of an answer. Podium reserves a little more for each call, because the prompt costs money too. */
const ANSWER = (sampling.maxTokens * PRICE.output) / 1e6;

const held: WorkerEvent = { type: 'waiting', for: 'limit', delay: 100 };
const leaves: WorkerEvent = { type: 'waiting', for: null, delay: null };
const waiting: readonly WorkerItem[] = [held, wait(100), leaves, delta('x'), done()];

function refusing(refuses: (event: StoredEvent) => boolean): MemoryStore {
  const store = new MemoryStore();
  store.intercept = (event) => {
    if (refuses(event)) throw full;
  };
  return store;
}

describe('a run whose storage has failed', () => {
  const plan = [step(0, 'at once'), step(1, 'later')];
  const firstEnds = (event: StoredEvent) => event.type === 'step-finished' && event.step === 0;

  it('ends without sending a call that waits for a rate limit', async () => {
    const clock = new FakeClock('auto');
    const left: number[] = [];
    const workers: WorkerDirectory = ({ colour }) => ({
      async *run(_messages, _options, signal) {
        if (colour === 2) {
          yield held;
          await clock.sleep(100, signal);
          yield leaves;
        }
        left.push(colour);
        await clock.sleep(10, signal);
        yield delta('x');
        yield done();
      },
    });
    const { events, run } = await play({
      clock,
      plan,
      start: { pool, sampling, caps: free },
      store: refusing(firstEnds),
      dependencies: { workers },
    });
    expect(left).toEqual([1]);
    expect(run.fault).toEqual(full.fault);
    expect(ofType(events, 'step-failed').map(({ step, sent }) => [step, sent])).toContainEqual([1, false]);
    expect(run.spent.calls).toBe(1);
    expect(clock.monotonic()).toBeLessThan(100);
  });

  it.each([
    ['a wait for a rate limit', [held, wait(100), leaves]],
    ['the end of its wait', [leaves]],
  ] as const)('never sends a call if %s is reported after the failure', async (_, waits) => {
    const ready = wait(20);
    const clock = new FakeClock('auto');
    const { events, run } = await play({
      clock,
      plan,
      start: { pool, sampling, caps: free },
      work: ({ options }) =>
        options.worker.colour === 1 ? [wait(10), delta('x'), done()] : [ready, ...waits, delta('left'), done()],
      store: refusing(firstEnds),
    });
    expect(ofType(events, 'step-delta').map(({ step, text }) => [step, text])).toEqual([[0, 'x']]);
    expect(ofType(events, 'step-failed').map(({ step, sent }) => [step, sent])).toContainEqual([1, false]);
    expect(run.fault).toEqual(full.fault);
    expect(run.spent).toMatchObject({ calls: 1, unpriced: 0 });
    expect(clock.monotonic()).toBeLessThan(100);
  });

  it('never sends a call that waits for the daily budget', async () => {
    const clock = new FakeClock('auto');
    const spending = new MemorySpending(clock, 1.5 * ANSWER);
    const { run, workers } = await play({
      clock,
      plan,
      start: { pool, sampling, caps: free },
      work: () => [wait(10), delta('x'), done()],
      store: refusing(firstEnds),
      dependencies: { spending },
    });
    expect(workers.calls).toHaveLength(1);
    expect(run.fault).toEqual(full.fault);
    expect(run.spent.calls).toBe(1);
    expect(spending.holds.size).toBe(0);
    expect((await spending.totals()).today.calls).toBe(1);
  });

  it('never sends a call if the end of its wait could not be stored', async () => {
    const { run, workers, events } = await play({
      plan: [step(0, 'a')],
      start: { pool, sampling, caps: free },
      work: () => waiting,
      store: refusing((event) => event.type === 'step-waiting' && event.for === null),
    });
    expect(workers.calls).toHaveLength(1);
    expect(ofType(events, 'step-delta')).toHaveLength(0);
    expect(run.fault).toEqual(full.fault);
  });
});

describe('a call that was never sent', () => {
  it('does not count if the daily budget refuses it', async () => {
    const clock = new FakeClock('auto');
    const spending = new MemorySpending(clock, ANSWER / 2);
    const { run, events } = await play({
      clock,
      plan: [step(0, 'a')],
      start: { pool, sampling, caps: free },
      dependencies: { spending },
    });
    expect(run.spent.calls).toBe(0);
    expect(ofType(events, 'step-failed')).toMatchObject([{ sent: false }]);
    expect((await spending.totals()).today.calls).toBe(0);
  });

  it('does not count if the run is stopped during its wait', async () => {
    const { events, controller } = stage({
      plan: [step(0, 'a')],
      start: { pool, sampling, caps: free },
      work: () => waiting,
    });
    const all: RunEvent[] = [];
    for await (const event of events) {
      all.push(event);
      if (event.type === 'step-waiting') controller.abort();
    }
    expect(fold(all).spent).toMatchObject({ calls: 0, usd: 0, unpriced: 0 });
  });

  it('does not count towards the cap on calls if its step is discarded', async () => {
    const { run, workers } = await play({
      plan: () => [started, known(0, step(0, 'early')), wait(20), retried, finished([step(1, 'instead')])],
      start: { pool, sampling, caps: { ...free, calls: 1 } },
      work: ({ options }) => (options.worker.colour === 1 ? waiting : [delta('x'), done()]),
    });
    expect(run.status).toBe('finished');
    expect(run.spent.calls).toBe(1);
    expect(workers.calls).toHaveLength(2);
  });

  it('is neither counted nor charged if its page closes while it waits', async () => {
    const staged = stage({ plan: [step(0, 'a')], start: { pool, sampling, caps: free }, work: () => waiting });
    const all: RunEvent[] = [];
    for await (const event of staged.events) {
      all.push(event);
      if (event.type === 'step-waiting') break;
    }
    const until = all.slice(0, all.findIndex(({ type }) => type === 'step-waiting') + 1);
    const { runId, at, segment, elapsed, seq } = until.at(-1) ?? {
      ...all[0],
      runId: '',
      at: 0,
      segment: 0,
      elapsed: 0,
      seq: 0,
    };
    const run = applyEvent(fold(until), { runId, at, segment, elapsed, seq: seq + 1, type: 'run-interrupted' });
    expect(run.spent).toMatchObject({ calls: 0, unpriced: 0 });
    const store = new MemoryStore();
    store.append = () => Promise.resolve();
    const again = await play({
      plan: [step(0, 'a')],
      start: { pool, sampling, caps: { ...free, calls: 1 } },
      prior: { kind: 'resume', run: { ...run, caps: { ...free, calls: 1 } } },
      store,
    });
    expect(again.run.status).toBe('finished');
  });
});

/** A journal that takes `ms` to store each event. `kept` has the stored events. */
function slowJournal(clock: FakeClock, ms: number): Journal & { readonly kept: RunEvent[] } {
  const kept: RunEvent[] = [];
  let queue = Promise.resolve();
  return {
    kept,
    append(event) {
      queue = queue.then(async () => {
        await clock.sleep(ms, new AbortController().signal);
        kept.push(event);
      });
      return queue;
    },
  };
}

const call = fc.record({
  waits: fc.array(fc.nat(30), { maxLength: 2 }),
  ms: fc.nat(20),
});

it('the end of a call’s wait is stored before the call is sent', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(call, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 3 }),
      fc.nat(20),
      async (calls, room, slowness) => {
        const clock = new FakeClock('auto');
        const journal = slowJournal(clock, slowness);
        const spending = new MemorySpending(clock, 8 * ANSWER + room * ANSWER);
        const onRecord = ({ round, step: index, attempt }: StepKey) =>
          foldEvents(journal.kept)?.rounds[round]?.steps[index]?.attempts.find((each) => each.attempt === attempt);
        const left: (boolean | undefined)[] = [];
        const workers: WorkerDirectory = () => ({
          async *run(messages, { attempt }, signal) {
            const index = Number(/part (\d)/.exec(messages.at(-1)?.content ?? '')?.[1]);
            const { waits = [], ms = 0 } = calls[index] ?? {};
            for (const delay of waits) {
              yield { type: 'waiting', for: 'limit', delay };
              await clock.sleep(delay, signal);
            }
            if (waits.length > 0) yield leaves;
            left.push(onRecord({ round: 0, step: index, attempt })?.wait === null);
            await clock.sleep(ms, signal);
            yield delta('x');
            yield done({ input: 5, output: 5 });
          },
        });
        const plan = calls.map((_, index) => step(index % 3, `part ${index}`));
        const { events } = stage({
          clock,
          plan,
          start: { pool, sampling, caps: free },
          dependencies: { workers, journal, spending },
        });
        await collect(events);
        expect(left).toEqual(calls.map(() => true));
      },
    ),
    { numRuns: 60 },
  );
});
