import { beforeEach, describe, expect, it } from 'vitest';
import {
  DEFAULT_PREFERENCES,
  fault,
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
const REFERENCE = ['left', 'right'];
const unstopped = new AbortController().signal;
const PROGRESS = { phase: 'fetching', loaded: 1, total: 2, speed: null, cached: false } as const;
const CRASH = fault('interrupted', 'It stopped.', { retryable: true });

class MemoryVectors implements KeptVectors {
  readonly kept = new Map<string, Float32Array>();
  isRefusing = false;

  async read(modelId: string, questions: readonly string[]) {
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

  async deleteAll() {
    await this.#refuse();
    this.kept.clear();
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
/** Ids of models whose files are here. */
let files: Set<string>;
let toldOthers: number;
let hearOthers: () => void;
let states: SentenceModelState[];

beforeEach(() => {
  clock = new FakeClock();
  loader = new ScriptedLoader();
  vectors = new MemoryVectors();
  stored = known = DEFAULT_PREFERENCES;
  files = new Set();
  toldOthers = 0;
  states = [];
});

async function open(): Promise<SentenceModels> {
  const models = await createSentenceModels({
    clock,
    models: [SMALL, LARGE],
    loader,
    vectors,
    cache: {
      list: (asked) =>
        Promise.resolve(
          asked.filter(({ id }) => files.has(id)).map(({ id }) => ({ manifestId: id, bytes: 1, complete: true })),
        ),
      delete: ({ id }) => Promise.resolve(void files.delete(id)),
    },
    preferences: {
      known: () => known,
      read: () => Promise.resolve((known = stored)),
      write: (fields) => Promise.resolve(void (known = stored = { ...stored, ...fields })),
    },
    notices: {
      tellAll: () => void toldOthers++,
      listenAll: (heard) => {
        hearOthers = heard;
        return () => undefined;
      },
    },
    reference: REFERENCE,
    kernelWidthOf: (placed) => placed.length / 100,
  });
  models.subscribe((state) => states.push(state));
  return models;
}

/** As it is left by an earlier visit. */
function remember(model = SMALL): void {
  stored = { ...stored, sentenceModel: model.id };
  files.add(model.id);
}

async function inUse() {
  remember();
  const models = await open();
  const first = models.embed([], unstopped);
  await idle();
  const engine = loader.last.finish();
  await first;
  return { models, engine };
}

describe('a model that a user asks for', () => {
  it('is fetched with its progress told, used from then on, and remembered', async () => {
    const models = await open();
    expect(models.state).toEqual({ kind: 'none' });
    const used = models.use(SMALL);
    expect(loader.last).toMatchObject({ model: SMALL, fetches: true });
    loader.last.progress(PROGRESS);
    loader.last.finish();
    await used;
    expect(states.map(({ kind }) => kind)).toEqual(['loading', 'loading', 'ready', 'ready']);
    expect(states[1]).toEqual({ kind: 'loading', model: SMALL, progress: PROGRESS });
    expect(stored.sentenceModel).toBe(SMALL.id);
    expect(toldOthers).toBe(1);
    expect(await models.list()).toEqual([SMALL, LARGE]);
  });

  it('can be stopped on its way, and then none is in use', async () => {
    const models = await open();
    const used = models.use(SMALL).catch((thrown: unknown) => thrown);
    models.stop();
    expect(isAbort(await used)).toBe(true);
    expect(loader.last.signal.aborted).toBe(true);
    expect(models.state).toEqual({ kind: 'none' });
    expect(stored.sentenceModel).toBeNull();
  });

  it('says why it cannot be had, and is not remembered', async () => {
    const models = await open();
    const used = models.use(SMALL).catch((thrown: unknown) => thrown);
    const because = fault('offline', 'This device is offline.', { retryable: true });
    loader.last.fail(because);
    expect(await used).toMatchObject({ fault: because });
    expect(models.state).toEqual({ kind: 'failed', model: SMALL, fault: because });
    expect(stored.sentenceModel).toBeNull();
    expect(await models.embed(['a'], unstopped)).toBeNull();
  });

  it('is never loaded twice at once', async () => {
    const models = await open();
    const first = models.use(SMALL).catch((thrown: unknown) => thrown);
    const second = models.use(LARGE);
    expect(isAbort(await first)).toBe(true);
    expect(loader.loads.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    loader.last.finish();
    await second;
    expect(models.state).toEqual({ kind: 'ready', model: LARGE });
  });

  it('takes the place of the one before, which answers until then', async () => {
    const { models, engine } = await inUse();
    const used = models.use(LARGE);
    expect((await models.embed(['a'], unstopped))?.by).toBe('Small');
    const large = loader.last.finish();
    await used;
    expect(engine.isDisposed).toBe(true);
    expect((await models.embed(['a'], unstopped))?.by).toBe('Large');
    expect(large.asked.flat()).toContain('a');
    expect(stored.sentenceModel).toBe(LARGE.id);
  });

  it('is fetched anew after its files were damaged', async () => {
    const models = await open();
    files.add(SMALL.id);
    const used = models.use(SMALL).catch((thrown: unknown) => thrown);
    loader.last.fail(fault('broken-reply', 'Damaged.'));
    await used;
    expect([...files]).toEqual([]);
  });
});

describe('placing questions', () => {
  it('is left alone while no model is chosen', async () => {
    const models = await open();
    expect(await models.embed(['a'], unstopped)).toBeNull();
    expect(loader.loads).toEqual([]);
  });

  it('loads the remembered model from this machine alone', async () => {
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
    expect(engine.asked).toEqual([['a', 'left', 'right', 'b']]);
    expect(await models.embed(['a', 'b'], unstopped)).toEqual({
      by: 'Small',
      kernelWidth: 0.02,
      vectors: new Map(['a', 'b'].map((text) => [text, vectorOf(text)])),
    });
    expect(engine.asked).toHaveLength(1);
    expect(loader.loads).toHaveLength(1);
  });

  it('asks for what is not kept, and keeps what was said', async () => {
    const { models, engine } = await inUse();
    vectors.kept.set(`${SMALL.id} old`, vectorOf('old'));
    await models.embed(['new', 'old'], unstopped);
    expect(engine.asked.at(-1)).toEqual(['new']);
    expect([...vectors.kept.keys()].toSorted()).toEqual(['left', 'old', 'right'].map((text) => `${SMALL.id} ${text}`));
    // It is a run's by now.
    await models.embed(['newer', 'new', 'old'], unstopped);
    expect(engine.asked.at(-1)).toEqual(['newer']);
    expect(vectors.kept.has(`${SMALL.id} new`)).toBe(true);
    expect(vectors.kept.has(`${SMALL.id} newer`)).toBe(false);
  });

  it('does not begin with what nobody waits for any more', async () => {
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
    expect(engine.asked.at(-1)).toEqual(['first']);
    expect(models.state).toEqual({ kind: 'ready', model: SMALL });
  });

  it('lets a model go that nobody has asked for long, and loads it again', async () => {
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

  it('needs no model for what is kept', async () => {
    remember();
    for (const text of ['a', ...REFERENCE]) vectors.kept.set(`${SMALL.id} ${text}`, vectorOf(text));
    const models = await open();
    expect((await models.embed(['a'], unstopped))?.vectors.size).toBe(1);
    expect(loader.loads).toEqual([]);
  });

  it('asks in parts, one after the other, and keeps each', async () => {
    const { models, engine } = await inUse();
    const questions = Array.from({ length: 70 }, (_, index) => `question ${index}`);
    engine.isHeld = true;
    const first = models.embed(questions, unstopped);
    await idle();
    expect(engine.asked.at(-1)).toHaveLength(32);
    engine.release();
    expect((await first)?.vectors.size).toBe(70);
    expect(engine.asked.slice(-3).map((texts) => texts.length)).toEqual([32, 32, 6]);
    // Not the one asked, which may still be in writing.
    expect(vectors.kept.size).toBe(71);
    expect((await models.embed(questions, unstopped))?.vectors.size).toBe(70);
  });

  it('goes on in memory where storage refuses', async () => {
    const { models, engine } = await inUse();
    vectors.isRefusing = true;
    expect((await models.embed(['a'], unstopped))?.vectors.size).toBe(1);
    const before = engine.asked.length;
    expect((await models.embed(['a'], unstopped))?.vectors.size).toBe(1);
    expect(engine.asked).toHaveLength(before);
  });

  it('keeps nothing more of what is under way once runs are deleted, and remembers nothing of it', async () => {
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
    expect(engine.asked.slice(-3).map((texts) => texts.length)).toEqual([32, 32, 8]);
  });

  it('ends with an abort, and the work goes on', async () => {
    const { models, engine } = await inUse();
    engine.isHeld = true;
    const stop = new AbortController();
    const placed = models.embed(['a'], stop.signal).catch((thrown: unknown) => thrown);
    await idle();
    stop.abort();
    expect(isAbort(await placed)).toBe(true);
    engine.release();
    await idle();
    expect(engine.asked.flat()).toContain('a');
    expect(isAbort(await models.embed(['a'], stop.signal).catch((thrown: unknown) => thrown))).toBe(true);
  });
});

describe('a model that fails while it is in use', () => {
  it('says so, and is loaded again for the next question', async () => {
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

  it('is given up when it fails twice in a row, until the user asks for it', async () => {
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

  it('says that its files are gone, and fetches nothing by itself', async () => {
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

describe('removal', () => {
  it('ends the model, and deletes its files and what it said', async () => {
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
    expect(toldOthers).toBe(1);
    expect(await models.embed(['a'], unstopped)).toBeNull();
  });

  it('keeps nothing of an answer that was under way', async () => {
    const { models, engine } = await inUse();
    engine.isHeld = true;
    void models.embed(['a'], unstopped);
    await idle();
    await models.remove(SMALL);
    engine.release();
    await idle();
    expect(vectors.kept.size).toBe(0);
  });

  it('of another that could not be had leaves the one in use as it is', async () => {
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
    expect(engine.isDisposed).toBe(false);
  });

  it('of one that is on its way ends that, too', async () => {
    const models = await open();
    const used = models.use(SMALL).catch((thrown: unknown) => thrown);
    await models.remove(SMALL);
    expect(isAbort(await used)).toBe(true);
    expect(models.state).toEqual({ kind: 'none' });
    expect(stored.sentenceModel).toBeNull();
    expect(toldOthers).toBe(0);
  });

  it('in another tab is heard, and so is another choice', async () => {
    const { models, engine } = await inUse();
    stored = { ...stored, sentenceModel: null };
    hearOthers();
    await idle();
    expect(models.state).toEqual({ kind: 'none' });
    expect(engine.isDisposed).toBe(true);
    remember(LARGE);
    hearOthers();
    await idle();
    expect(models.state).toEqual({ kind: 'ready', model: LARGE });
  });
});
