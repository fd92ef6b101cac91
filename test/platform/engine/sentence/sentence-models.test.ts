import { beforeEach, describe, expect, it, test } from 'vitest';
import {
  DEFAULT_PREFERENCES,
  fault,
  FaultError,
  isAbort,
  type KeptVectors,
  type Preferences,
  type SentenceModels,
  type SentenceModelState,
} from '../../../../src/core/contract';
import { createSentenceModels } from '../../../../src/platform/engine/sentence/sentence-models';
import { FakeClock, idle } from '../../../fixtures/fake-clock';
import { ScriptedLoader, sentenceModel, vectorOf } from './scripted-loader';

const SMALL = sentenceModel('Small');
const LARGE = sentenceModel('Large');
const unstopped = new AbortController().signal;
const PROGRESS = { phase: 'fetching', loaded: 1, total: 2, speed: null, cached: false } as const;
const FULL = fault('storage-failed', 'Storage refuses.');
const DAMAGED = fault('broken-reply', 'Damaged.');
const CRASH = fault('interrupted', 'It stopped.', { retryable: true });

class MemoryVectors implements KeptVectors {
  readonly kept = new Map<string, Float32Array>();
  isRefusing = false;
  /** Reads wait for this. */
  beforeRead: Promise<void> = Promise.resolve();

  async read(modelId: string, questions: readonly string[]) {
    await this.beforeRead;
    await this.#refuse();
    return new Map(
      questions.flatMap((question) => {
        const vector = this.kept.get(`${modelId} ${question}`);
        return vector ? [[question, vector] as const] : [];
      }),
    );
  }

  async add(modelId: string, vectors: ReadonlyMap<string, Float32Array>) {
    await this.#refuse();
    for (const [question, vector] of vectors) this.kept.set(`${modelId} ${question}`, vector);
  }

  async deleteOf(modelId: string) {
    await this.#refuse();
    for (const key of this.kept.keys()) if (key.startsWith(`${modelId} `)) this.kept.delete(key);
  }

  async #refuse() {
    await Promise.resolve();
    if (this.isRefusing) throw new Error('Storage refuses.');
  }
}

let clock: FakeClock;
let loader: ScriptedLoader;
let vectors: MemoryVectors;
let stored: Preferences;
let known: Preferences;
/** Ids of models whose files are on this device. */
let files: Set<string>;
/** The kinds of storage that refuse writes. */
let refusing: Set<'files' | 'preferences'>;
let notifiedTabs: number;
let notifyFromOtherTab: () => void;
let states: SentenceModelState[];

beforeEach(() => {
  clock = new FakeClock();
  loader = new ScriptedLoader();
  vectors = new MemoryVectors();
  stored = known = DEFAULT_PREFERENCES;
  files = new Set();
  refusing = new Set();
  notifiedTabs = 0;
  states = [];
});

async function open(): Promise<SentenceModels> {
  const models = await createSentenceModels({
    clock,
    models: [SMALL, LARGE],
    loader,
    vectors,
    cache: {
      list: (requested) =>
        Promise.resolve(
          requested
            .filter(({ id }) => files.has(id))
            .map(({ id }) => ({ manifestId: id, bytes: 1, total: 1, complete: true })),
        ),
      delete({ id }) {
        if (refusing.has('files')) return Promise.reject(new FaultError(FULL));
        return Promise.resolve(void files.delete(id));
      },
    },
    preferences: {
      known: () => known,
      read: () => Promise.resolve((known = stored)),
      write(fields) {
        if (refusing.has('preferences')) return Promise.reject(new FaultError(FULL));
        return Promise.resolve(void (known = stored = { ...stored, ...fields }));
      },
    },
    notices: {
      notifyAll: () => void notifiedTabs++,
      listenAll: (listener) => {
        notifyFromOtherTab = listener;
        return () => undefined;
      },
    },
  });
  models.subscribe((state) => states.push(state));
  return models;
}

/** Sets up storage as if the user had chosen and downloaded this model in an earlier visit. */
function remember(model = SMALL): void {
  stored = { ...stored, sentenceModel: model.id };
  files.add(model.id);
}

async function inUse() {
  remember();
  const models = await open();
  const first = models.embed(['warm-up'], unstopped);
  await idle();
  const engine = loader.last.finish();
  await first;
  return { models, engine };
}

describe('a model that the user requests', () => {
  it('is downloaded with progress, used from then on, and stored as the chosen model', async () => {
    const models = await open();
    expect(models.state).toEqual({ kind: 'none' });
    const used = models.use(SMALL);
    expect(loader.last).toMatchObject({ model: SMALL, fetches: true });
    loader.last.progress(PROGRESS);
    loader.last.finish();
    await used;
    expect(states.map(({ kind }) => kind)).toEqual(['loading', 'loading', 'ready']);
    expect(states[1]).toEqual({ kind: 'loading', model: SMALL, progress: PROGRESS });
    expect(stored.sentenceModel).toBe(SMALL.id);
    expect(notifiedTabs).toBe(1);
    expect(await models.list()).toEqual([SMALL, LARGE]);
    expect(await models.missing()).toBe(7);
  });

  it('is not used when its download is stopped', async () => {
    const models = await open();
    const used = models.use(SMALL).catch((thrown: unknown) => thrown);
    models.stop();
    expect(isAbort(await used)).toBe(true);
    expect(loader.last.signal.aborted).toBe(true);
    expect(models.state).toEqual({ kind: 'none' });
    expect(stored.sentenceModel).toBeNull();
  });

  it('reports why it cannot be downloaded, and is not stored as the chosen model', async () => {
    const models = await open();
    const used = models.use(SMALL).catch((thrown: unknown) => thrown);
    const because = fault('offline', 'This device is offline.', { retryable: true });
    loader.last.fail(because);
    expect(await used).toMatchObject({ fault: because });
    expect(models.state).toEqual({ kind: 'failed', model: SMALL, fault: because });
    expect(stored.sentenceModel).toBeNull();
    expect(await models.embed(['a'], unstopped)).toBeNull();
  });

  it('stops loading if the user requests another model', async () => {
    const models = await open();
    const first = models.use(SMALL).catch((thrown: unknown) => thrown);
    const second = models.use(LARGE);
    expect(isAbort(await first)).toBe(true);
    expect(loader.loads.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    loader.last.finish();
    await second;
    expect(models.state).toEqual({ kind: 'ready', model: LARGE });
  });

  it('replaces the previous model, whose engine is disposed of first', async () => {
    const { models, engine } = await inUse();
    const used = models.use(LARGE);
    expect(engine.isDisposed).toBe(true);
    const large = loader.last.finish();
    await used;
    expect((await models.embed(['a'], unstopped))?.by).toBe('Large');
    expect(large.requested.flat()).toContain('a');
    expect(stored.sentenceModel).toBe(LARGE.id);
  });

  it('keeps its damaged files until the user requests it again', async () => {
    const models = await open();
    files.add(SMALL.id);
    const used = models.use(SMALL).catch((thrown: unknown) => thrown);
    loader.last.fail(DAMAGED);
    await used;
    expect([...files]).toEqual([SMALL.id]);
    const again = models.use(SMALL);
    expect(models.state).toEqual({ kind: 'loading', model: SMALL, progress: null });
    await idle();
    expect([...files]).toEqual([]);
    loader.last.finish();
    await again;
    expect(models.state).toEqual({ kind: 'ready', model: SMALL });
  });

  it('can be stopped while its damaged files are deleted', async () => {
    const models = await open();
    const used = models.use(SMALL).catch((thrown: unknown) => thrown);
    loader.last.fail(DAMAGED);
    await used;
    const again = models.use(SMALL).catch((thrown: unknown) => thrown);
    models.stop();
    expect(isAbort(await again)).toBe(true);
    expect(loader.loads).toHaveLength(1);
    expect(models.state).toEqual({ kind: 'none' });
  });

  it('discards its stored embeddings when its files are downloaded again', async () => {
    const { models, engine } = await inUse();
    await models.embed(['new', 'old'], unstopped);
    vectors.kept.set(`${LARGE.id} old`, vectorOf('old'));
    engine.lose(CRASH);
    await idle();
    const used = models.use(SMALL);
    loader.last.progress({ ...PROGRESS, cached: true });
    loader.last.progress(PROGRESS);
    const fetched = loader.last.finish();
    await used;
    expect([...vectors.kept.keys()]).toEqual([`${LARGE.id} old`]);
    await models.embed(['new', 'old'], unstopped);
    expect(fetched.requested).toEqual([['new', 'old']]);
  });

  it('keeps its stored embeddings when nothing is downloaded', async () => {
    const { models, engine } = await inUse();
    await models.embed(['new', 'old'], unstopped);
    engine.lose(CRASH);
    await idle();
    const used = models.use(SMALL);
    loader.last.progress({ ...PROGRESS, cached: true });
    const read = loader.last.finish();
    await used;
    await models.embed(['new', 'old'], unstopped);
    expect(read.requested).toEqual([]);
  });
});

describe('the model in use while another is requested', () => {
  it('computes no embeddings, and is loaded again after the download is stopped', async () => {
    const { models } = await inUse();
    const used = models.use(LARGE).catch((thrown: unknown) => thrown);
    loader.last.progress(PROGRESS);
    expect(await models.embed(['a'], unstopped)).toBeNull();
    expect(models.state).toEqual({ kind: 'loading', model: LARGE, progress: PROGRESS });
    models.stop();
    expect(isAbort(await used)).toBe(true);
    const placed = models.embed(['a'], unstopped);
    await idle();
    expect(loader.last).toMatchObject({ model: SMALL, fetches: false });
    loader.last.finish();
    expect((await placed)?.by).toBe('Small');
    expect(models.state).toEqual({ kind: 'ready', model: SMALL });
  });

  it('ends its requests without a fault', async () => {
    const { models, engine } = await inUse();
    engine.isHeld = true;
    const placed = models.embed(['a'], unstopped);
    await idle();
    const used = models.use(LARGE).catch((thrown: unknown) => thrown);
    engine.lose(CRASH);
    expect(await placed).toBeNull();
    expect(models.chosenFault).toBeNull();
    models.stop();
    await used;
    expect(models.state).toEqual({ kind: 'ready', model: SMALL });
  });

  it('stops loading', async () => {
    remember();
    const models = await open();
    const placed = models.embed(['a'], unstopped);
    await idle();
    const used = models.use(LARGE);
    expect(loader.loads[0]).toMatchObject({ model: SMALL, signal: { aborted: true } });
    expect(await placed).toBeNull();
    loader.last.finish();
    await used;
    expect(models.chosen).toEqual(LARGE);
    expect(models.state).toEqual({ kind: 'ready', model: LARGE });
  });

  it('still has its own fault after the other model fails to load or is stopped', async () => {
    stored = { ...stored, sentenceModel: SMALL.id };
    const models = await open();
    expect(models.chosenFault?.code).toBe('not-found');
    const used = models.use(LARGE).catch((thrown: unknown) => thrown);
    loader.last.fail(CRASH);
    await used;
    expect(models.state).toEqual({ kind: 'failed', model: LARGE, fault: CRASH });
    expect(models.chosen).toEqual(SMALL);
    expect(models.chosenFault?.code).toBe('not-found');
    expect(await models.embed(['a'], unstopped)).toBeNull();
    expect(loader.loads).toHaveLength(1);
    const again = models.use(LARGE).catch((thrown: unknown) => thrown);
    models.stop();
    await again;
    expect(models.state).toMatchObject({ kind: 'failed', model: SMALL, fault: { code: 'not-found' } });
  });
});

describe('a model that is loaded automatically', () => {
  async function onItsWay() {
    remember();
    const models = await open();
    const placed = models.embed(['a'], unstopped);
    await idle();
    expect(models.state.kind).toBe('loading');
    return { models, placed, load: loader.last };
  }

  it.each(['finish', 'fail'] as const)(
    'is dropped when another tab removes it, even if its load ends later (%s)',
    async (end) => {
      const { models, placed, load } = await onItsWay();
      stored = { ...stored, sentenceModel: null };
      notifyFromOtherTab();
      await idle();
      expect(load.signal.aborted).toBe(true);
      expect(models.state).toEqual({ kind: 'none' });
      if (end === 'finish') load.finish();
      else load.fail(CRASH);
      expect(await placed).toBeNull();
      expect(models.state).toEqual({ kind: 'none' });
      expect(models.chosen).toBeNull();
    },
  );

  it('is not loaded again after a stop, until the user requests it', async () => {
    const { models, placed } = await onItsWay();
    models.stop();
    expect(await placed).toBeNull();
    expect(models.state).toMatchObject({ kind: 'failed', model: SMALL, fault: { code: 'interrupted' } });
    expect(await models.embed(['ab'], unstopped)).toBeNull();
    expect(loader.loads).toHaveLength(1);
    const used = models.use(SMALL);
    loader.last.finish();
    await used;
    expect(models.chosenFault).toBeNull();
    expect((await models.embed(['ab'], unstopped))?.by).toBe('Small');
  });

  it('keeps its damaged files until the user requests it again', async () => {
    const { models, placed, load } = await onItsWay();
    load.fail(DAMAGED);
    expect(await placed).toBeNull();
    expect([...files]).toEqual([SMALL.id]);
    expect(await models.embed(['a'], unstopped)).toBeNull();
    expect(loader.loads).toHaveLength(1);
    const used = models.use(SMALL);
    await idle();
    expect([...files]).toEqual([]);
    loader.last.finish();
    await used;
    expect(models.state).toEqual({ kind: 'ready', model: SMALL });
  });
});

test('an unsupported chosen model stays chosen if another model fails to load', async () => {
  stored = { ...stored, sentenceModel: 'sentence:test/newer' };
  const models = await open();
  const used = models.use(LARGE).catch((thrown: unknown) => thrown);
  loader.last.fail(CRASH);
  await used;
  expect(await models.embed(['a'], unstopped)).toBeNull();
  expect(models.state).toEqual({ kind: 'failed', model: LARGE, fault: CRASH });
  expect(stored.sentenceModel).toBe('sentence:test/newer');
});

describe('embedding questions', () => {
  it('does nothing while no model is chosen', async () => {
    const models = await open();
    expect(await models.embed(['a'], unstopped)).toBeNull();
    expect(loader.loads).toEqual([]);
  });

  it('loads the chosen model when it is first needed, without a download', async () => {
    remember();
    const models = await open();
    expect(models.state).toEqual({ kind: 'ready', model: SMALL });
    expect(loader.loads).toEqual([]);
    const first = models.embed(['a', 'b'], unstopped);
    await idle();
    expect(loader.last).toMatchObject({ model: SMALL, fetches: false });
    expect(models.state.kind).toBe('loading');
    const engine = loader.last.finish();
    expect((await first)?.by).toBe('Small');
    expect(engine.requested).toEqual([['a', 'b']]);
    expect(await models.embed(['a', 'b'], unstopped)).toEqual({
      by: 'Small',
      storedAs: SMALL.id,
      vectors: new Map(['a', 'b'].map((text) => [text, vectorOf(text)])),
    });
    expect(engine.requested).toHaveLength(1);
    expect(loader.loads).toHaveLength(1);
  });

  it('computes missing embeddings, and stores them except for the question being edited', async () => {
    const { models, engine } = await inUse();
    vectors.kept.set(`${SMALL.id} old`, vectorOf('old'));
    await models.embed(['new', 'old'], unstopped);
    expect(engine.requested.at(-1)).toEqual(['new']);
    expect([...vectors.kept.keys()].toSorted()).toEqual([`${SMALL.id} old`]);
    // The first question is the one being edited. Now `new` comes later, so its embedding is stored.
    await models.embed(['newer', 'new', 'old'], unstopped);
    expect(engine.requested.at(-1)).toEqual(['newer']);
    expect(vectors.kept.has(`${SMALL.id} new`)).toBe(true);
    expect(vectors.kept.has(`${SMALL.id} newer`)).toBe(false);
  });

  it('skips a queued request that was aborted', async () => {
    const { models, engine } = await inUse();
    engine.isHeld = true;
    void models.embed(['first'], unstopped);
    await idle();
    const stop = new AbortController();
    const second = models.embed(['second'], stop.signal).catch((thrown: unknown) => thrown);
    stop.abort();
    expect(isAbort(await second)).toBe(true);
    engine.release();
    await idle();
    expect(engine.requested.at(-1)).toEqual(['first']);
    expect(models.state).toEqual({ kind: 'ready', model: SMALL });
  });

  it('unloads a model that is idle for ten minutes, and loads it again on demand', async () => {
    const { models, engine } = await inUse();
    await clock.advance(9 * 60_000);
    await models.embed(['a'], unstopped);
    await clock.advance(9 * 60_000);
    expect(engine.isDisposed).toBe(false);
    await clock.advance(60_000);
    expect(engine.isDisposed).toBe(true);
    expect(models.state).toEqual({ kind: 'ready', model: SMALL });
    const placed = models.embed(['b'], unstopped);
    await idle();
    loader.last.finish();
    expect((await placed)?.by).toBe('Small');
  });

  it('loads no model if all embeddings are stored', async () => {
    remember();
    vectors.kept.set(`${SMALL.id} a`, vectorOf('a'));
    const models = await open();
    expect((await models.embed(['a'], unstopped))?.vectors.size).toBe(1);
    expect(loader.loads).toEqual([]);
  });

  it('computes and stores embeddings in batches of at most 32', async () => {
    const { models, engine } = await inUse();
    const questions = Array.from({ length: 70 }, (_, index) => `question ${index}`);
    engine.isHeld = true;
    const first = models.embed(questions, unstopped);
    await idle();
    expect(engine.requested.at(-1)).toHaveLength(32);
    engine.release();
    expect((await first)?.vectors.size).toBe(70);
    expect(engine.requested.slice(-3).map((texts) => texts.length)).toEqual([32, 32, 6]);
    // The embedding of the first question isn't stored, because the user may still be typing this question.
    expect(vectors.kept.size).toBe(69);
    expect((await models.embed(questions, unstopped))?.vectors.size).toBe(70);
  });

  it('truncates a long question to 4,000 characters', async () => {
    const { models, engine } = await inUse();
    const long = 'x'.repeat(5000);
    const placed = await models.embed([long, `${long}y`], unstopped);
    expect(engine.requested.at(-1)).toEqual([long.slice(0, 4000), long.slice(0, 4000)]);
    expect([...(placed?.vectors.keys() ?? [])]).toEqual([long, `${long}y`]);
  });

  it('recomputes stored embeddings with a wrong number of dimensions', async () => {
    remember();
    vectors.kept.set(`${SMALL.id} good`, vectorOf('good'));
    vectors.kept.set(`${SMALL.id} odd`, Float32Array.of(1));
    const models = await open();
    const placed = models.embed(['a', 'good', 'odd'], unstopped);
    await idle();
    const engine = loader.last.finish();
    expect((await placed)?.vectors.get('odd')).toEqual(vectorOf('odd'));
    expect(engine.requested).toEqual([['a', 'odd']]);
  });

  it('stores embeddings at the next request if storing them failed at first', async () => {
    const { models } = await inUse();
    vectors.isRefusing = true;
    await models.embed(['new', 'old'], unstopped);
    expect(vectors.kept.has(`${SMALL.id} old`)).toBe(false);
    vectors.isRefusing = false;
    await models.embed(['new', 'old'], unstopped);
    expect(vectors.kept.has(`${SMALL.id} old`)).toBe(true);
    expect(vectors.kept.has(`${SMALL.id} new`)).toBe(false);
  });

  it('stores embeddings from memory again if the caller reports that storage has lost them', async () => {
    const { models, engine } = await inUse();
    await models.embed(['new', 'old'], unstopped);
    vectors.kept.clear();
    const before = engine.requested.length;
    await models.embed(['new', 'old'], unstopped);
    expect(vectors.kept.size).toBe(0);
    await models.embed(['new', 'old'], unstopped, true);
    expect([...vectors.kept.keys()]).toEqual([`${SMALL.id} old`]);
    expect(engine.requested).toHaveLength(before);
  });

  it('keeps embeddings in memory if storing them fails', async () => {
    const { models, engine } = await inUse();
    vectors.isRefusing = true;
    expect((await models.embed(['a'], unstopped))?.vectors.size).toBe(1);
    const before = engine.requested.length;
    expect((await models.embed(['a'], unstopped))?.vectors.size).toBe(1);
    expect(engine.requested).toHaveLength(before);
  });

  it('discards the results of pending work after all runs were deleted', async () => {
    const { models, engine } = await inUse();
    const questions = Array.from({ length: 70 }, (_, index) => `question ${index}`);
    engine.isHeld = true;
    const first = models.embed(questions, unstopped);
    await idle();
    models.forget();
    vectors.kept.clear();
    engine.release();
    expect(await first).toBeNull();
    expect([...vectors.kept.keys()]).toEqual([]);
    expect((await models.embed(questions, unstopped))?.vectors.size).toBe(70);
    expect(engine.requested.slice(-3).map((texts) => texts.length)).toEqual([32, 32, 6]);
  });

  it('rejects an aborted request, but continues the work that has begun', async () => {
    const { models, engine } = await inUse();
    engine.isHeld = true;
    const stop = new AbortController();
    const placed = models.embed(['a'], stop.signal).catch((thrown: unknown) => thrown);
    await idle();
    stop.abort();
    expect(isAbort(await placed)).toBe(true);
    engine.release();
    await idle();
    expect(engine.requested.flat()).toContain('a');
    expect(isAbort(await models.embed(['a'], stop.signal).catch((thrown: unknown) => thrown))).toBe(true);
  });
});

describe('a model that fails while it is in use', () => {
  it('reports the failure, and is loaded again for the next question', async () => {
    const { models, engine } = await inUse();
    engine.isHeld = true;
    const placed = models.embed(['a'], unstopped);
    await idle();
    engine.lose(CRASH);
    expect(await placed).toBeNull();
    expect(models.state).toEqual({ kind: 'failed', model: SMALL, fault: CRASH });
    const next = models.embed(['a'], unstopped);
    await idle();
    loader.last.finish();
    expect((await next)?.vectors.size).toBe(1);
    expect(models.state).toEqual({ kind: 'ready', model: SMALL });
  });

  it('is not reloaded after two failures in a row, until the user requests it', async () => {
    remember();
    const models = await open();
    for (const loads of [1, 2]) {
      const placed = models.embed(['a'], unstopped);
      await idle();
      expect(loader.loads).toHaveLength(loads);
      loader.last.fail(CRASH);
      expect(await placed).toBeNull();
    }
    expect(await models.embed(['a'], unstopped)).toBeNull();
    expect(loader.loads).toHaveLength(2);
    const used = models.use(SMALL);
    loader.last.finish();
    await used;
    expect((await models.embed(['a'], unstopped))?.by).toBe('Small');
  });

  it('reports missing files, and downloads nothing automatically', async () => {
    stored = { ...stored, sentenceModel: SMALL.id };
    const models = await open();
    expect(models.state).toMatchObject({ kind: 'failed', model: SMALL, fault: { code: 'not-found' } });
    expect(await models.embed(['a'], unstopped)).toBeNull();
    expect(loader.loads).toEqual([]);
    const used = models.use(SMALL);
    loader.last.finish();
    await used;
    expect(models.state).toEqual({ kind: 'ready', model: SMALL });
  });
});

test('a model whose files were missing is used once another tab has downloaded them', async () => {
  stored = { ...stored, sentenceModel: SMALL.id };
  const models = await open();
  notifyFromOtherTab();
  await idle();
  expect(models.state).toMatchObject({ kind: 'failed', model: SMALL });
  files.add(SMALL.id);
  notifyFromOtherTab();
  await idle();
  expect(models.state).toEqual({ kind: 'ready', model: SMALL });
  expect(models.chosenFault).toBeNull();
});

describe('removing a model', () => {
  it('unloads the model, and deletes its files and embeddings', async () => {
    const { models, engine } = await inUse();
    files.add(LARGE.id);
    await models.embed(['a'], unstopped);
    expect(models.chosen).toEqual(SMALL);
    await models.remove(SMALL);
    expect(engine.isDisposed).toBe(true);
    expect([...files]).toEqual([LARGE.id]);
    expect(models.chosen).toBeNull();
    expect(vectors.kept.size).toBe(0);
    expect(models.state).toEqual({ kind: 'none' });
    expect(stored.sentenceModel).toBeNull();
    expect(notifiedTabs).toBe(1);
    expect(await models.embed(['a'], unstopped)).toBeNull();
  });

  it('discards an embedding that the model is still computing', async () => {
    const { models, engine } = await inUse();
    engine.isHeld = true;
    void models.embed(['a'], unstopped);
    await idle();
    await models.remove(SMALL);
    engine.release();
    await idle();
    expect(vectors.kept.size).toBe(0);
  });

  it('stores nothing afterwards, even for a request in progress', async () => {
    const { models } = await inUse();
    await models.embed(['a'], unstopped);
    let release: () => void = () => undefined;
    vectors.beforeRead = new Promise((resolve) => (release = resolve));
    void models.embed(['b', 'a'], unstopped);
    await idle();
    await models.remove(SMALL);
    release();
    await idle();
    expect([...vectors.kept.keys()]).toEqual([]);
  });

  it('does not affect the model in use if the removed model failed to load', async () => {
    const { models, engine } = await inUse();
    const used = models.use(LARGE).catch((thrown: unknown) => thrown);
    loader.last.fail(CRASH);
    await used;
    expect(models.state).toMatchObject({ kind: 'failed', model: LARGE });
    expect(models.chosen).toEqual(SMALL);
    files.add(LARGE.id);
    await models.remove(LARGE);
    expect(models.state).toEqual({ kind: 'ready', model: SMALL });
    expect(stored.sentenceModel).toBe(SMALL.id);
    expect([...files]).toEqual([SMALL.id]);
    // The download of the other model replaced the engine, so it is loaded again.
    expect(engine.isDisposed).toBe(true);
    const placed = models.embed(['a'], unstopped);
    await idle();
    loader.last.finish();
    expect((await placed)?.by).toBe('Small');
  });

  it('deletes only the embeddings of the removed model', async () => {
    const { models } = await inUse();
    await models.embed(['a', 'b'], unstopped);
    vectors.kept.set(`${LARGE.id} b`, vectorOf('b'));
    await models.remove(LARGE);
    expect([...vectors.kept.keys()].every((key) => key.startsWith(`${SMALL.id} `))).toBe(true);
    expect(vectors.kept.size).toBe(1);
  });

  it('attempts every deletion even if one fails, and reports the error', async () => {
    const { models } = await inUse();
    refusing = new Set(['files', 'preferences']);
    expect(await models.remove(SMALL).catch((thrown: unknown) => thrown)).toMatchObject({ fault: FULL });
    expect(vectors.kept.size).toBe(0);
    expect([...files]).toEqual([SMALL.id]);
    refusing = new Set(['preferences']);
    await models.remove(SMALL).catch(() => undefined);
    expect([...files]).toEqual([]);
  });

  it('stops the download of the model', async () => {
    const models = await open();
    const used = models.use(SMALL).catch((thrown: unknown) => thrown);
    await models.remove(SMALL);
    expect(isAbort(await used)).toBe(true);
    expect(models.state).toEqual({ kind: 'none' });
    expect(stored.sentenceModel).toBeNull();
    expect(notifiedTabs).toBe(0);
  });
});

test('choosing or removing a model in another tab also applies in this tab', async () => {
  const { models, engine } = await inUse();
  stored = { ...stored, sentenceModel: null };
  notifyFromOtherTab();
  await idle();
  expect(models.state).toEqual({ kind: 'none' });
  expect(engine.isDisposed).toBe(true);
  remember(LARGE);
  notifyFromOtherTab();
  await idle();
  expect(models.state).toEqual({ kind: 'ready', model: LARGE });
});
