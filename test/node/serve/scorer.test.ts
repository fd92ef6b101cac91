import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { formatWorkflow } from '../../../src/core/conductor/format';
import { fault, FaultError, type RunStore } from '../../../src/core/contract';
import { createEngine } from '../../../src/node/engine';
import { createPassingStore } from '../../../src/node/serve/passing-store';
import { createScorer } from '../../../src/node/serve/score/scorer';
import type { FileRunStore } from '../../../src/node/store/run-files';
import { systemClock } from '../../../src/platform/clock';
import { startOpenAiServer, type OpenAiServer } from '../../fixtures/openai-server';
import { temporaryFolder, writePool } from '../../fixtures/podium-server';
import { step } from '../../fixtures/run-events';

// For a task with the reference `broken`, the grader fails for every answer except the empty one. The scorer checks the grader
// with an empty answer before each run, and that check must pass.
vi.mock(import('../../../src/core/graders/grader-for'), async (original) => {
  const graders = await original();
  return {
    ...graders,
    graderFor(kind, profile, parts) {
      const grader = graders.graderFor(kind, profile, parts);
      return (
        grader && {
          ...grader,
          grade: (task, answer, signal) =>
            task.reference === 'broken' && answer !== ''
              ? Promise.reject(new Error('The grader is broken.'))
              : grader.grade(task, answer, signal),
        }
      );
    },
  };
});

let upstream: OpenAiServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  upstream = await startOpenAiServer();
  folder = await temporaryFolder();
});
afterEach(async () => {
  vi.useRealTimers();
  await upstream.close();
  await folder.remove();
});

const ITEM = {
  id: 'a',
  task: { question: 'What is it?', reference: '.*last\\.', grader: 'pattern' as const },
  pool: ['desk'],
  seed: 1,
  completion: formatWorkflow({ steps: [step(0, 'Say it.')] }, { access: 'fine' }),
};

interface Given {
  readonly patience?: number;
  readonly longestRun?: number;
  readonly models?: readonly string[];
  readonly store?: RunStore;
  /** Stores runs in files. `null`: the runs are not stored. */
  readonly runs?: FileRunStore | null;
  readonly more?: object;
}

async function scorerWith({
  patience = 60_000,
  longestRun = 60_000,
  models = ['slow'],
  runs = null,
  store = runs ?? createPassingStore(),
  more = {},
}: Given) {
  const ids = ['desk', 'lamp'];
  const workers = models.map((model, index) => ({ id: ids[index] ?? '', baseUrl: upstream.url, model }));
  const pool = await writePool(folder.path, workers, { ...more });
  const engine = await createEngine({ pool, keys: null, environment: {}, conductor: null, usd: null, store });
  const options = { engine, clock: systemClock, runs, usd: null, concurrency: 1, patience, longestRun };
  const reported: unknown[] = [];
  return { store, reported, scorer: createScorer({ ...options, report: (thrown) => void reported.push(thrown) }) };
}

it('returns a timeout if a run takes too long, and later the reward without another call', async () => {
  const { scorer, store } = await scorerWith({ patience: 1 });
  const [late] = await scorer.score([ITEM]);
  expect(late).toMatchObject({ reward: null, error: { code: 'timeout', retryable: true } });
  await expect.poll(() => upstream.calls('slow').length).toBe(1);
  upstream.release();
  await expect.poll(async () => (await scorer.score([ITEM]))[0]?.reward).toBe(1);
  expect(upstream.calls('slow')).toHaveLength(1);
  expect(await store.count()).toBe(0);
});

describe('if the client of a request is gone', () => {
  async function lostRequest(more: Given = {}) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const given = await scorerWith(more);
    const gone = new AbortController();
    const pending = given.scorer.score([ITEM], gone.signal);
    await expect.poll(() => upstream.calls('slow').length).toBe(1);
    return { ...given, pending, lose: () => gone.abort() };
  }

  it('cancels its run, and continues the run for a later request', async () => {
    const { scorer, pending, lose, store } = await lostRequest();
    lose();
    await pending;
    await vi.advanceTimersByTimeAsync(2000);
    expect(await upstream.calls('slow')[0]?.ended).toBe('early');
    const again = scorer.score([ITEM]);
    await expect.poll(() => upstream.calls('slow').length).toBe(2);
    upstream.release();
    expect((await again)[0]).toMatchObject({ reward: 1, calls: 2 });
    expect(await store.count()).toBe(0);
  });

  it('does not cancel a run that another request waits for', async () => {
    const { scorer, pending, lose } = await lostRequest();
    const other = scorer.score([ITEM]);
    lose();
    await pending;
    await vi.advanceTimersByTimeAsync(10_000);
    upstream.release();
    expect((await other)[0]?.reward).toBe(1);
    expect(upstream.calls('slow')).toHaveLength(1);
  });

  it('does not cancel a run that its client requests again at once', async () => {
    const { scorer, pending, lose } = await lostRequest();
    lose();
    await pending;
    await vi.advanceTimersByTimeAsync(1000);
    const again = scorer.score([ITEM]);
    await vi.advanceTimersByTimeAsync(10_000);
    upstream.release();
    expect((await again)[0]?.reward).toBe(1);
    expect(upstream.calls('slow')).toHaveLength(1);
  });

  it('does not start its waiting items', async () => {
    const { scorer, pending, lose } = await lostRequest();
    const gone = new AbortController();
    const waiting = scorer.score([{ ...ITEM, id: 'b' }], gone.signal);
    gone.abort();
    await waiting;
    await vi.advanceTimersByTimeAsync(2000);
    upstream.release();
    expect((await pending)[0]?.reward).toBe(1);
    await scorer.stop();
    expect(upstream.calls('slow')).toHaveLength(1);
    lose();
  });
});

it('cancels a run after a timeout if no request asks for its result', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  const { scorer } = await scorerWith({ patience: 1000, longestRun: 600_000 });
  const late = scorer.score([ITEM]);
  await expect.poll(() => upstream.calls('slow').length).toBe(1);
  await vi.advanceTimersByTimeAsync(1000);
  expect((await late)[0]?.error?.code).toBe('timeout');
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await upstream.calls('slow')[0]?.ended).toBe('early');
});

it('`stop` cancels the current run, starts no waiting items, and waits until all runs have ended', async () => {
  const { scorer, store } = await scorerWith({ patience: 1 });
  await scorer.score(['a', 'b', 'c'].map((id) => ({ ...ITEM, id })));
  await expect.poll(() => upstream.calls('slow').length).toBe(1);
  await scorer.stop();
  expect(await upstream.calls('slow')[0]?.ended).toBe('early');
  expect(upstream.calls('slow')).toHaveLength(1);
  expect(await store.summaries({ limit: 9 })).toMatchObject({ summaries: [{ status: 'cancelled' }] });
});

it('gives no reward to a run that is starting when the scorer stops', async () => {
  const inner = createPassingStore();
  let stopped: Promise<void> | null = null;
  const store: RunStore = {
    ...inner,
    summary(runId) {
      stopped ??= scorer.stop();
      return inner.summary(runId);
    },
  };
  const { scorer } = await scorerWith({ store });
  expect((await scorer.score([ITEM]))[0]).toMatchObject({ reward: null, error: { retryable: true } });
  await stopped;
});

it('returns the reward of a paid run even if the grade can’t be stored', async () => {
  const inner = createPassingStore();
  const runs: FileRunStore = {
    ...inner,
    append: (event) =>
      event.type === 'run-graded'
        ? Promise.reject(new FaultError(fault('storage-full', 'The disk is full.')))
        : inner.append(event),
    addRuns: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  const { scorer, reported } = await scorerWith({ models: ['ok'], runs });
  expect((await scorer.score([ITEM]))[0]).toMatchObject({ reward: 0.5, calls: 1, error: null });
  expect(reported.map(String)).toEqual([expect.stringContaining('The disk is full.')]);
  await scorer.score([ITEM]);
  expect(upstream.calls('ok')).toHaveLength(1);
});

it('deletes a run whose grader failed, and does not pay for the run again', async () => {
  const { scorer, store, reported } = await scorerWith({ models: ['ok'] });
  const item = { ...ITEM, task: { ...ITEM.task, reference: 'broken' } };
  for (let time = 0; time < 2; time += 1) {
    expect((await scorer.score([item]))[0]).toMatchObject({
      reward: null,
      calls: 1,
      error: { code: 'not_graded', retryable: false },
    });
  }
  expect(reported).toHaveLength(1);
  expect(upstream.calls('ok')).toHaveLength(1);
  expect(await store.count()).toBe(0);
});

it('does not repeat a run that exceeded its time limit', async () => {
  const { scorer, store } = await scorerWith({ models: ['stall'], longestRun: 1000 });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const pending = scorer.score([ITEM]);
  await vi.waitUntil(() => {
    // Time advances only once the call has been sent, so that the run is not stopped before the call.
    if (upstream.calls('stall').length > 0) vi.advanceTimersByTime(1000);
    return upstream.calls('stall')[0]?.ending === 'early';
  }, 20_000);
  vi.useRealTimers();
  const [first] = await pending;
  expect(first).toMatchObject({ reward: null, error: { code: 'time_limit', retryable: false } });
  expect(await scorer.score([ITEM])).toEqual([first]);
  expect(upstream.calls('stall')).toHaveLength(1);
  expect(await store.count()).toBe(0);
});

it('does not repeat the finished steps of a failed run when its item is sent again', async () => {
  const { scorer, store } = await scorerWith({ models: ['ok', 'wrong-key'] });
  const completion = formatWorkflow({ steps: [step(0, 'Say it.'), step(1, 'Say more.')] }, { access: 'fine' });
  const item = { ...ITEM, pool: ['desk', 'lamp'], completion };
  const [failed] = await scorer.score([item]);
  expect(failed).toMatchObject({ reward: null, error: { code: 'worker_outage', retryable: true } });
  upstream.script('wrong-key', 'usage-last');
  const [scored] = await scorer.score([item]);
  expect(scored).toMatchObject({ reward: 0.5, run: failed?.run, error: null });
  expect(upstream.calls('ok')).toHaveLength(1);
  expect(upstream.calls('wrong-key')).toHaveLength(2);
  expect(await store.count()).toBe(0);
});

it('starts a new run if the caps of a failed run allow no further retry', async () => {
  const more = { settings: { caps: { rounds: 1, calls: 3, tokens: null, usd: null } } };
  const { scorer, store } = await scorerWith({ models: ['ok', 'wrong-key'], more });
  const completion = formatWorkflow({ steps: [step(0, 'Say it.'), step(1, 'Say more.')] }, { access: 'fine' });
  const item = { ...ITEM, pool: ['desk', 'lamp'], completion };
  for (let time = 0; time < 3; time += 1) {
    expect((await scorer.score([item]))[0]).toMatchObject({ error: { code: 'worker_outage', retryable: true } });
  }
  expect([upstream.calls('ok').length, upstream.calls('wrong-key').length]).toEqual([1, 2]);
  upstream.script('wrong-key', 'usage-last');
  expect((await scorer.score([item]))[0]).toMatchObject({ reward: 0.5, calls: 2 });
  expect(upstream.calls('ok')).toHaveLength(2);
  expect(await store.count()).toBe(0);
});

it('reports the pool’s cap per run as `run_cap`, not as a cap of the server', async () => {
  const more = { settings: { caps: { rounds: 1, calls: 1, tokens: null, usd: null } } };
  const { scorer } = await scorerWith({ models: ['ok', 'usage-last'], more });
  const completion = formatWorkflow({ steps: [step(0, 'Say it.'), step(1, 'Say more.')] }, { access: 'fine' });
  const [result] = await scorer.score([{ ...ITEM, pool: ['desk', 'lamp'], completion }]);
  expect(result).toMatchObject({ reward: null, error: { code: 'run_cap', retryable: false } });
});
