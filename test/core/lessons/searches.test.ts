/** @file Tests searches of the page with real runs. The workers are right only if the Conductor asks them to be careful. */
import { beforeEach, describe, expect, it } from 'vitest';
import { createByHandConductor } from '../../../src/core/conductor/by-hand';
import { createLlmConductor } from '../../../src/core/conductor/llm';
import {
  FaultError,
  type Conductor,
  type ConductorInfo,
  type EngineEvent,
  type GenerateRequest,
  type PoolWorker,
  type TextEngine,
} from '../../../src/core/contract';
import { runsOf } from '../../../src/core/lessons/live-search';
import { lessonEffects, proofOf } from '../../../src/core/lessons/proof';
import { createSearches, isDone, type Searches } from '../../../src/core/lessons/searches';
import { searchPlan } from '../../../src/core/lessons/search-plan';
import { winnerOf } from '../../../src/core/lessons/next-step';
import { parseSearchRecord, type SearchRecord, type SearchSetup } from '../../../src/core/lessons/stored-search';
import { addDataset, methodSettings } from '../../fixtures/evaluation/practice';
import { MemoryLogs } from '../../fixtures/lessons/memory-logs';
import { EXACT, exactTasks, openPage, World, type PageOptions } from '../evaluation/batches/world';

const TASKS = exactTasks(100);
const LESSON = 'Ask each worker to be careful.';
const PLANNER: ConductorInfo = { id: 'endpoint:planner', label: 'Planner', kind: 'endpoint', model: 'planner' };

function worker(id: string): PoolWorker {
  const origin = 'https://api.example.com';
  return { id, name: id, mark: id.slice(0, 2), colour: 1, kind: 'endpoint', model: id, origin, price: null };
}
const POOL = [worker('ash'), worker('oak'), worker('elm')];

/** Writes a plan with one step. It follows the lesson. */
const planner: Conductor = {
  info: PLANNER,
  propose(request, signal) {
    const subtask = request.prompt?.lessons?.includes(LESSON) ? 'Be careful.' : 'Be quick.';
    return createByHandConductor({ steps: [{ worker: 0, subtask, access: [] }] }).propose(request, signal);
  },
};

function answer(id: string, prompt: string): string {
  if (id === 'reflector') return `<lessons>\n- ${LESSON}\n</lessons>`;
  return prompt.includes('Be careful.') ? 'yes' : 'no';
}

let world: World;
let logs: MemoryLogs<SearchRecord>;
let setup: SearchSetup;
beforeEach(async () => {
  world = new World(TASKS);
  logs = new MemoryLogs();
  const { id, name, isConfidential } = await addDataset(world.datasets, TASKS);
  setup = {
    settings: { ...methodSettings({ pool: POOL }), conductor: PLANNER },
    reflector: worker('reflector'),
    showsReference: true,
    concurrency: 4,
    dataset: { id, name, isConfidential },
  };
});

const PLAN = searchPlan({
  own: TASKS,
  areOwn: true,
  generated: [],
  seed: 1,
  start: [],
  lessonTokens: 400,
  caps: { runs: 75, usd: null },
  mode: 'rewrite',
  also: [],
});
function plan() {
  if (!PLAN) throw new Error('There are too few tasks.');
  return PLAN;
}

/** A tab. A crash ends its stores and its locks, and each promise that waits for them. */
function tab(options: PageOptions & { readonly isPrivate?: boolean; readonly conductor?: Conductor } = {}) {
  const { conductor = planner } = options;
  const page = openPage(world, { answer, conductors: () => conductor, costOf: () => 0.01, ...options });
  const locks = world.locks.tab();
  let isAlive = true;
  const searches = createSearches({
    logs: {
      list: () => logs.list(),
      read: (id) => logs.read(id),
      remove: (id) => logs.remove(id),
      append: (event) => (isAlive ? logs.append(event) : new Promise<never>(() => undefined)),
    },
    locks,
    clock: world.clock,
    runs: page.runs,
    datasets: world.datasets,
    graders: EXACT,
    conductorFor: () => conductor,
    current: () => Promise.resolve({ isPrivate: options.isPrivate ?? false, dayUsd: null }),
  });
  const crash = () => {
    isAlive = false;
    page.close();
    locks.close();
  };
  return { searches, runs: page.runs, crashed: page.crashed, crash };
}

/** Plans as `planner` does, and counts the words of its prompts. Like a local model, it keeps what the prompt before began with. */
class LocalModel implements TextEngine {
  readonly info = { engine: 'stand-in', model: 'planner', enforcesGrammar: true };
  /** Total number of words of the prompts. */
  words = 0;
  /** How many of them the prompt before did not begin with. */
  read = 0;
  /** How often the instructions, which end with the lessons, differed from those of the prompt before. */
  switches = 0;
  #last: readonly string[] = [];
  #instructions = 'none';

  async *generate({ messages }: GenerateRequest): AsyncGenerator<EngineEvent> {
    await Promise.resolve();
    const text = messages.map(({ content }) => content).join('\n\n');
    const words = text.split(/\s+/);
    const parting = words.findIndex((word, index) => word !== this.#last[index]);
    this.words += words.length;
    this.read += parting < 0 ? 0 : words.length - parting;
    this.switches += text.startsWith(this.#instructions) ? 0 : 1;
    [this.#last, this.#instructions] = [words, `${messages[0]?.content}\n\nThe workers`];
    const subtask = text.includes(LESSON) ? 'Be careful.' : 'Be quick.';
    yield {
      type: 'delta',
      text: `Short.\n\nmodel_id = [0]\nsubtasks = ["${subtask}"]\naccess_list = [[]]`,
      channel: 'content',
    };
    yield { type: 'finished', usage: null, cost: null, finishReason: 'stop' };
  }
}

/** Carries out the search and its proof. @returns what is stored then */
async function finish(searches: Searches) {
  const live = await searches.start(setup, plan());
  await live.done;
  await (
    await searches.prove(live.id)
  ).done;
  return stored(searches);
}

async function stored(searches: Searches) {
  const search = await searches.open(plan().id);
  if (!search) throw new Error('The search is not stored.');
  return search;
}

describe('searches of the page', () => {
  it('find the lesson, prove it, and store everything so that it can be read again', async () => {
    const { searches } = tab();
    const search = await finish(searches);
    expect(winnerOf(search.state)?.lessons).toEqual([LESSON]);
    expect(proofOf(search.state)).toMatchObject({ verdict: 'better', isOwn: true, isUnseen: true });
    expect(isDone(search)).toBe(true);
    expect(search.events.map((event) => parseSearchRecord(structuredClone(event)))).toEqual(search.events);
    const { summaries } = await world.store.summaries({ limit: 500 });
    expect(new Set(summaries.map(({ batch }) => batch))).toEqual(new Set([plan().id]));
  });

  it('start runs whose plans begin alike after one another, so that a local model reads little of each prompt', async () => {
    const engine = new LocalModel();
    const conductor = createLlmConductor({ info: PLANNER, engine, clock: world.clock });
    const search = await finish(tab({ conductor }).searches);
    expect(proofOf(search.state)).toMatchObject({ verdict: 'better' });
    // The proof alone compares fifty pairs of runs, which differ in their lessons.
    expect(engine.switches).toBeLessThanOrEqual(12);
    expect(engine.read / engine.words).toBeLessThan(0.025);
  });

  it.each([40, 333, 1_300])('continue after a crash at stored event %i, and pay for nothing twice', async (at) => {
    const first = tab({ crashAfter: at });
    void finish(first.searches).catch(() => undefined);
    await first.crashed;
    first.crash();
    const second = tab();
    await second.runs.recover();
    const search = await finish(second.searches);
    expect(proofOf(search.state)).toMatchObject({ verdict: 'better' });
    const graded = search.events.flatMap((event) =>
      event.type === 'run-graded' ? [`${event.candidate} ${event.task}`] : [],
    );
    expect(new Set(graded).size).toBe(graded.length);
    // Only calls that were in flight at the crash are repeated.
    expect(world.calls.length).toBeLessThanOrEqual(
      search.state.spent.calls + search.state.proofSpent.calls + setup.concurrency,
    );
  });

  it('let only one tab carry out a search', async () => {
    const [one, other] = [tab(), tab()];
    const live = await one.searches.start(setup, plan());
    await expect(other.searches.resume(live.id)).rejects.toThrow('This search is running');
    expect(await other.searches.isBusy(live.id)).toBe(true);
    await expect(other.searches.remove(live.id)).rejects.toBeInstanceOf(FaultError);
    live.stop();
    await live.done;
    expect(live.fault).toBeNull();
    await (
      await other.searches.resume(live.id)
    ).done;
    expect(winnerOf((await stored(other.searches)).state)).not.toBeNull();
  });

  it('pause at a fault that only the user can end, and try the run again later', async () => {
    let isSignedIn = false;
    const unauthorized = () => {
      const reason = { code: 'unauthorized', message: 'The key is wrong.', retryable: false } as const;
      throw new FaultError(reason);
    };
    const { searches } = tab({ answer: (...given) => (isSignedIn ? answer(...given) : unauthorized()) });
    const live = await searches.start(setup, plan());
    await live.done;
    expect(live.fault?.message).toContain('The key is wrong.');
    expect((await stored(searches)).state.runs).toBe(0);
    isSignedIn = true;
    await (
      await searches.resume(live.id)
    ).done;
    expect(winnerOf((await stored(searches)).state)).not.toBeNull();
  });

  it('call no server while Private is on', async () => {
    await expect(tab({ isPrivate: true }).searches.start(setup, plan())).rejects.toThrow(
      'Private is on, and ash runs on a server',
    );
    expect(world.calls).toEqual([]);
  });

  it('say that test tasks are no longer unseen in a second search', async () => {
    const { searches } = tab();
    await finish(searches);
    const second = { ...plan(), id: 'second' };
    await (
      await searches.start(setup, second)
    ).done;
    await (
      await searches.prove('second')
    ).done;
    expect((await searches.open('second'))?.state.proof?.isUnseen).toBe(false);
  });

  it('remember the tasks of a proof after its search was deleted', async () => {
    const { searches } = tab();
    await finish(searches);
    await searches.remove(plan().id);
    expect(await searches.list()).toEqual([]);
    expect(logs.events.map((event) => parseSearchRecord(structuredClone(event)))).toEqual(logs.events);
    expect(logs.events).toEqual([expect.objectContaining({ type: 'tests-used', tasks: plan().split.test })]);
    expect(JSON.stringify(logs.events)).not.toContain(LESSON);
    // Also the same search again, whose first proof may have been unlucky.
    for (const id of ['second', plan().id]) {
      await (
        await searches.start(setup, { ...plan(), id })
      ).done;
      await (
        await searches.prove(id)
      ).done;
      expect((await searches.open(id))?.state.proof?.isUnseen).toBe(false);
    }
  });

  it('go on with a higher budget, and pay for nothing twice', async () => {
    const { searches } = tab();
    await (
      await searches.start(setup, plan())
    ).done;
    const before = (await stored(searches)).state;
    expect(before).toMatchObject({ isEnded: true, proof: null });
    await (
      await searches.raise(plan().id, { runs: 110, usd: null })
    ).done;
    const { state, events } = await stored(searches);
    expect(state.isEnded).toBe(true);
    expect(state.runs).toBeGreaterThan(before.runs);
    expect(state.runs).toBeLessThanOrEqual(110);
    expect(state.iterations).toBeGreaterThan(before.iterations);
    const graded = events.flatMap((event) => (event.type === 'run-graded' ? [`${event.candidate} ${event.task}`] : []));
    expect(new Set(graded).size).toBe(graded.length);
    expect(world.calls).toHaveLength(state.spent.calls);
    expect(events.map((event) => parseSearchRecord(structuredClone(event)))).toEqual(events);
    await (
      await searches.prove(plan().id)
    ).done;
    await (
      await searches.raise(plan().id, { runs: 500, usd: null })
    ).done;
    expect((await stored(searches)).state.runs).toBe(state.runs);
  });

  it('show what each lesson gives, after the proof', async () => {
    const useless = 'Take the time that you need.';
    const { searches } = tab({
      answer: (id, prompt) =>
        id === 'reflector' ? `<lessons>\n- ${useless}\n- ${LESSON}\n</lessons>` : answer(id, prompt),
    });
    const proved = await finish(searches);
    expect(lessonEffects(proved.state)).toBeNull();
    const live = await searches.ablate(plan().id);
    expect(runsOf(live.state)).toEqual({ done: 100, of: 200 });
    await live.done;
    const { state, events } = await stored(searches);
    expect(isDone({ state })).toBe(true);
    expect(lessonEffects(state)).toEqual([
      { lesson: useless, gain: expect.objectContaining({ value: 0, verdict: null, tasks: 50 }) },
      { lesson: LESSON, gain: expect.objectContaining({ value: 1, verdict: 'better' }) },
    ]);
    expect(proofOf(state)).toEqual(proofOf(proved.state));
    expect(state.spent).toEqual(proved.state.spent);
    expect(state.proofSpent.calls).toBe(2 * proved.state.proofSpent.calls);
    expect(winnerOf(state)?.lessons).toEqual([useless, LESSON]);
    expect(events.map((event) => parseSearchRecord(structuredClone(event)))).toEqual(events);
  });

  it('prove lessons again with another pool, as a search of its own', async () => {
    const { searches } = tab();
    await finish(searches);
    const pool = [worker('ash'), worker('yew')];
    const again = { lessons: [LESSON], pool, conductor: PLANNER };
    const live = await searches.proveAgain(plan().id, again);
    await live.done;
    expect(live.fault).toBeNull();
    const search = await searches.open(live.id);
    if (!search) throw new Error('The search is not stored.');
    expect(search.setup.settings.pool).toEqual(pool);
    expect(winnerOf(search.state)?.lessons).toEqual([LESSON]);
    expect(proofOf(search.state)).toMatchObject({ verdict: 'better', isOwn: true, isUnseen: false });
    expect(search.state).toMatchObject({ runs: 0, isEnded: true });
    const paid = world.calls.length;
    expect((await searches.proveAgain(plan().id, again)).id).toBe(live.id);
    await searches.live(live.id)?.done;
    expect(world.calls).toHaveLength(paid);
  });

  it('refuse a search with a missing event', async () => {
    const { searches } = tab();
    await (
      await searches.start(setup, plan())
    ).done;
    logs.events.splice(5, 1);
    await expect(searches.resume(plan().id)).rejects.toThrow('is damaged or missing');
    expect(await searches.list()).toEqual([]);
    await searches.remove(plan().id);
    expect(logs.events).toEqual([]);
  });
});
