/** @file Tests the pages of lessons: the form, a search that has ended, its proof, and the lessons in use. */
import { describe, expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import { page } from 'vitest/browser';
import type { LearningDesk, Services } from '../../../src/app/services';
import { searchLines } from '../../../src/app/train/export-search';
import { endpointConductorInfo } from '../../../src/core/conductor/endpoint-info';
import {
  fault,
  FaultError,
  toPoolWorker,
  type ConductorPrompts,
  type PoolWorker,
  type WorkerSetup,
} from '../../../src/core/contract';
import { withPractice } from '../../../src/core/evaluation/datasets/practice/with-practice';
import { learnedBy } from '../../../src/core/lessons/learned';
import { winnerOf } from '../../../src/core/lessons/next-step';
import { search } from '../../../src/core/lessons/search';
import type { SearchEvent } from '../../../src/core/lessons/search-events';
import { newProofPlan, proofStart, tasksForTest } from '../../../src/core/lessons/search-plan';
import { applySearchEvent, foldSearch } from '../../../src/core/lessons/search-state';
import { createSearches, type Searches } from '../../../src/core/lessons/searches';
import type { SearchSetup, StoredSearchEvent } from '../../../src/core/lessons/stored-search';
import { createMemoryDatasetStore } from '../../fixtures/evaluation/memory-stores';
import { methodSettings } from '../../fixtures/evaluation/practice';
import { FakeClock } from '../../fixtures/fake-clock';
import { MemoryLogs } from '../../fixtures/lessons/memory-logs';
import { drawSociety } from '../../fixtures/lessons/society';
import { societySearch } from '../../fixtures/lessons/society-search';
import { isMarked } from '../../fixtures/only-marked';
import { MemoryLocks } from '../../fixtures/memory-locks';
import { memorySetups } from '../../fixtures/memory-setups';
import { conductStage } from '../conduct/conduct-services';
import { count } from '../../../src/app/ui/figures';
import LearnHost from './LearnHost.svelte';

const PLANNER: WorkerSetup = {
  id: 'planner',
  name: 'Planner',
  model: 'planner',
  baseUrl: 'https://api.example.com/v1',
  mark: 'Pl',
  colour: 1,
  price: { input: 1, output: 1 },
  description: '',
  needsKey: false,
};
const CONDUCTOR = endpointConductorInfo(toPoolWorker(PLANNER));
const SOCIETY = drawSociety(1);
const POOL = SOCIETY.workers.map(({ id, name }) => toPoolWorker({ ...PLANNER, id, name, model: name }));

const SETUP: SearchSetup = {
  settings: { ...methodSettings({ pool: POOL }), conductor: CONDUCTOR },
  reflector: toPoolWorker(PLANNER),
  showsReference: true,
  concurrency: 4,
  dataset: { id: 'society', name: 'Society', isConfidential: false },
};

/** The events of a search in the society, with the lessons that it found. */
async function searched({ proved }: { readonly proved: boolean }) {
  const rates = { useful: 1, harmful: 0, leaking: 0 };
  const { plan, calls, rules } = societySearch(SOCIETY, { seed: 1, rates, tasks: 400, runs: 400 });
  const events: SearchEvent[] = [{ type: 'search-started', plan }];
  const append = (event: SearchEvent) => Promise.resolve(void events.push(event));
  const { signal } = new AbortController();
  const options = { calls, rules, append, concurrency: 1 };
  let state = await search(applySearchEvent(null, { type: 'search-started', plan }), options, signal);
  const proof = proved ? proofStart(state, []) : null;
  if (proof) {
    events.push(proof);
    state = await search(applySearchEvent(state, proof), options, signal);
  }
  const stored = events.map((event, seq): StoredSearchEvent => {
    return { id: plan.id, seq, at: 1_760_000_000_000 + seq, ...event, ...(seq === 0 ? { setup: SETUP } : {}) };
  });
  return { id: plan.id, stored, lessons: winnerOf(state)?.lessons ?? [] };
}

/** The events of a proof of the same lessons with another pool. @param events of the search that found them */
async function provedAgain(
  events: readonly StoredSearchEvent[],
  lessons: readonly string[],
  pool: readonly PoolWorker[],
) {
  const state = foldSearch(events);
  if (!state) throw new Error('There is no search.');
  const plan = newProofPlan(state, { lessons, pool, conductor: CONDUCTOR });
  const rates = { useful: 1, harmful: 0, leaking: 0 };
  const { calls, rules } = societySearch(SOCIETY, { seed: 1, rates, tasks: 400, runs: 400 });
  const own: SearchEvent[] = [
    { type: 'search-started', plan },
    { type: 'proof-started', candidate: 1, lessons, tasks: plan.split.test, isUnseen: false },
  ];
  const started = foldSearch(own);
  if (!started) throw new Error('The proof has not started.');
  const append = (event: SearchEvent) => Promise.resolve(void own.push(event));
  await search(started, { calls, rules, append, concurrency: 1 }, new AbortController().signal);
  const setup = { ...SETUP, settings: { ...SETUP.settings, pool } };
  const stored = own.map((event, seq): StoredSearchEvent => {
    return { id: plan.id, seq, at: 1_770_000_000_000 + seq, ...event, ...(seq === 0 ? { setup } : {}) };
  });
  return { id: plan.id, stored };
}

async function show(
  shown: string,
  {
    events = [],
    prompts,
    setups = [PLANNER],
    proveAgain,
  }: {
    readonly events?: readonly StoredSearchEvent[];
    readonly prompts?: ConductorPrompts;
    readonly setups?: readonly WorkerSetup[];
    /** Replaces the start of a new proof. */
    readonly proveAgain?: Searches['proveAgain'];
  } = {},
) {
  const stage = conductStage();
  const logs = new MemoryLogs<StoredSearchEvent>();
  logs.events.push(...events);
  const datasets = withPractice(createMemoryDatasetStore());
  const unused = () => {
    throw new Error('unused');
  };
  const searches = createSearches({
    logs,
    locks: new MemoryLocks().tab(),
    clock: new FakeClock('auto'),
    runs: stage.services.runs,
    datasets,
    graders: { graderFor: unused, checkGradable: unused },
    conductorFor: stage.services.conductor,
    current: () => Promise.resolve({ isPrivate: false, dayUsd: null }),
  });
  const learning: LearningDesk = {
    searches: proveAgain ? { ...searches, proveAgain } : searches,
    datasets: { ...datasets, testTasks: (own, seed) => Promise.resolve([...tasksForTest(own, seed)]) },
    confidentiality: () => Promise.resolve(isMarked),
  };
  const services: Services = {
    ...stage.services,
    setups: memorySetups(...setups).setups,
    conductors: (workers) =>
      workers.flatMap((worker) =>
        worker.kind === 'endpoint'
          ? [{ info: endpointConductorInfo(worker), description: '', instant: false, group: 'worker' as const }]
          : [],
      ),
    learning: () => Promise.resolve(learning),
  };
  if (prompts) await services.preferences.write({ prompts });
  await render(LearnHost, { services, shown });
  return { ...stage, logs, searches };
}
const button = (name: string) => page.getByRole('button', { name, exact: true });

describe('the form of a search', () => {
  test('shows the split, what a gain needs, and the estimates of the search and of the proof', async () => {
    await show('new');
    // Simulated workers can solve only the puzzles of the practice set.
    for (const name of ['Alder', 'Birch', 'Planner']) await page.getByRole('checkbox', { name }).click({ force: true });
    await expect.element(page.getByText('50 for training, 50 for validation, 100 for the test')).toBeVisible();
    await expect.element(page.getByText('About 189 test tasks show a gain of 10 points')).toBeVisible();
    await expect.element(page.getByText('At most 500 runs')).toBeVisible();
    await expect.element(page.getByText(/^The proof is started apart: 200 runs, /)).toBeVisible();
    await expect.element(button('Start search')).toBeEnabled();
  });

  test('names what is missing', async () => {
    await show('new', { setups: [{ ...PLANNER, price: null }] });
    await page.getByRole('textbox', { name: 'Budget (USD)' }).fill('5');
    await page.getByRole('textbox', { name: 'Graded runs' }).click();
    await expect.element(page.getByText(/^The price of Planner is unknown/)).toBeVisible();
    await expect.element(button('Start search')).toBeDisabled();
  });

  test('offers to add a worker if no language model conducts', async () => {
    await show('new', { setups: [] });
    await expect.element(page.getByText('Only a language model can learn lessons.')).toBeVisible();
    await expect.element(page.getByRole('link', { name: 'Add a worker' })).toBeVisible();
  });
});

describe('a search that has ended', () => {
  test('offers no use before the proof', async () => {
    const { id, stored, lessons } = await searched({ proved: false });
    await show(id, { events: stored });
    const found = page.getByRole('region', { name: 'Best lessons' });
    await expect.element(found.getByText(lessons[0] ?? '')).toBeVisible();
    await expect.element(found.getByText('new', { exact: true }).first()).toBeVisible();
    await expect.element(button('Prove the lessons')).toBeVisible();
    await expect.element(button('Use these lessons')).not.toBeInTheDocument();
  });

  test('can go on with a higher budget until it is proved', async () => {
    const before = await searched({ proved: false });
    await show(before.id, { events: before.stored });
    await page.getByText('Raise the budget').click();
    await expect.element(page.getByRole('textbox', { name: 'Graded runs' })).toHaveValue('500');
    await expect.element(button('Continue the search')).toBeEnabled();
    await page.getByRole('textbox', { name: 'Graded runs' }).fill('400');
    await page.getByRole('textbox', { name: 'Budget (USD)' }).click();
    await expect.element(button('Continue the search')).toBeDisabled();
  });

  test('shows what each lesson gives, or what it costs to find out', async () => {
    const { id, stored, lessons } = await searched({ proved: true });
    await show(id, { events: stored });
    await expect.element(page.getByText('Raise the budget')).not.toBeInTheDocument();
    await expect.element(button('Show what each lesson gives')).toBeEnabled();
    await expect.element(page.getByText(`${count(200 * lessons.length)} runs, `)).toBeVisible();
  });

  test('stores proved lessons for the Conductor and the pool, as the user has changed them', async () => {
    const { id, stored, lessons } = await searched({ proved: true });
    const { preferences } = await show(id, { events: stored });
    await expect.element(page.getByText(/^Better than the current prompt: /)).toBeVisible();
    await page.getByRole('checkbox', { name: 'Use lesson 1' }).click();
    await button('Edit lesson 2').click();
    await page.getByRole('textbox', { name: 'Lesson 2' }).fill('Ask Umber first.');
    await button('Use these lessons').click();
    await expect.element(page.getByText('in use', { exact: true })).toBeVisible();
    expect(preferences().prompts.learned).toEqual([
      {
        conductor: 'endpoint:planner',
        model: 'planner',
        pool: POOL.map(({ id: worker, name, model }) => ({ id: worker, name, model })),
        lessons: [
          { text: lessons[0], isOff: true },
          { text: 'Ask Umber first.' },
          ...lessons.slice(2).map((text) => ({ text })),
        ],
      },
    ]);
  });

  test('uses lessons that were proved again with another pool', async () => {
    const { stored, lessons } = await searched({ proved: true });
    const pool = [...POOL, toPoolWorker({ ...PLANNER, id: 'other', name: 'Other', model: 'other' })];
    const again = await provedAgain(stored, lessons, pool);
    const before = learnedBy(CONDUCTOR, POOL, lessons);
    const prompts = { all: {}, single: {}, learned: [before] };
    const { preferences } = await show(again.id, { events: [...stored, ...again.stored], prompts });
    await expect.element(page.getByText(/^Better than the current prompt: /)).toBeVisible();
    await button('Use these lessons').click();
    await expect.element(page.getByText('in use', { exact: true })).toBeVisible();
    expect(preferences().prompts.learned).toEqual([learnedBy(CONDUCTOR, pool, lessons)]);
  });

  test('is exported without the texts of confidential tasks', async () => {
    const { id, stored } = await searched({ proved: false });
    const { searches } = await show(id, { events: stored });
    const open = await searches.open(id);
    if (!open) throw new Error('The search is not stored.');
    const linesOf = async (isConfidential: boolean) => {
      const dataset = { ...SETUP.dataset, isConfidential };
      const lines: string[] = [];
      for await (const line of searchLines({ ...open, setup: { ...SETUP, dataset } })) lines.push(line);
      return lines.join('');
    };
    expect(await linesOf(false)).toContain('A question of');
    expect(await linesOf(true)).not.toContain('A question of');
    expect((await linesOf(true)).split('\n')).toHaveLength(stored.length + 1);
  });
});

describe('lessons in use', () => {
  const learned = {
    conductor: 'endpoint:planner',
    pool: [
      { id: 'sim:alder', name: 'Alder', model: 'simulated' },
      { id: 'gone', name: 'Gorse', model: 'gorse' },
    ],
    lessons: [{ text: 'Ask Gorse first.' }, { text: 'Check each answer.' }],
  };

  test('can be proved again after the pool has changed, for a price', async () => {
    const { stored, lessons } = await searched({ proved: true });
    const own = { ...learned, lessons: lessons.map((text) => ({ text })) };
    const setups = [PLANNER, { ...PLANNER, id: 'other', name: 'Other' }];
    await show('lessons', { events: stored, setups, prompts: { all: {}, single: {}, learned: [own] } });
    await expect.element(page.getByText(/Prove them again, or learn new ones\.$/)).toBeVisible();
    await expect.element(button('Prove with this pool')).toBeEnabled();
    await expect.element(page.getByText(/^400 runs, .* calls, /)).toBeVisible();
  });

  test('can be proved again after the model of the Conductor has changed', async () => {
    const { id, stored, lessons } = await searched({ proved: true });
    const started: unknown[] = [];
    const proveAgain: Searches['proveAgain'] = (source, { conductor, lessons: proved, pool }) => {
      started.push([source, conductor.model, proved, pool.map(({ name }) => name)]);
      return Promise.reject(new FaultError(fault('offline', 'You are offline.')));
    };
    const setups = [PLANNER, { ...PLANNER, id: 'other', name: 'Other', model: 'other' }];
    const known = [...conductStage().services.simulated, ...setups.map((setup) => toPoolWorker(setup))];
    const own = { ...learnedBy(CONDUCTOR, known, lessons), model: 'planner-old' };
    await show('lessons', { events: stored, setups, prompts: { all: {}, single: {}, learned: [own] }, proveAgain });
    await expect
      .element(page.getByText(/^Learned by planner-old, and the Conductor’s model is now planner\. Prove them again/))
      .toBeVisible();
    await expect.element(page.getByText(/^400 runs, .* calls, /)).toBeVisible();
    await button('Prove with this pool').click();
    await expect.element(page.getByText('You are offline.')).toBeVisible();
    expect(started).toEqual([[id, 'planner', lessons, ['Planner', 'Other']]]);
  });

  test('are marked if a worker has left or is new, and can be removed', async () => {
    const { preferences } = await show('lessons', { prompts: { all: {}, single: {}, learned: [learned] } });
    await page.getByText('Show the lessons').click();
    await expect.element(page.getByText('Not used, because Gorse is not set up.')).toBeVisible();
    await expect.element(page.getByText(/^Not used, because they know nothing about /)).toBeVisible();
    await button('Remove the lessons of Planner').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect.element(page.getByText('Show the lessons')).not.toBeInTheDocument();
    expect(preferences().prompts.learned).toEqual([]);
  });
});
