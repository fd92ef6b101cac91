import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SearchEvent, SearchPlan } from '../../../src/core/lessons/search-events';
import { isUnseen as isUnseenBy } from '../../../src/core/lessons/search-plan';
import { rememberTests, usedTests } from '../../../src/node/teach/used-tests';
import { temporaryFolder } from '../../fixtures/podium-server';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

const planOf = (id: string, test: readonly string[]): SearchPlan => ({
  id,
  seed: 0,
  split: { train: [], validation: [], test, testTasks: 'own' },
  start: [],
  minibatch: 8,
  lessonTokens: 400,
  caps: { runs: 500, usd: null },
  mode: 'rewrite',
});

async function store(name: string, events: readonly SearchEvent[]): Promise<void> {
  const lines = events.map((event) => `${JSON.stringify(event)}\n`).join('');
  await writeFile(join(folder.path, `${name}.podium-search.jsonl`), lines);
}

const isUnseen = async (path: string, plan: SearchPlan) => isUnseenBy(plan.split.test, await usedTests(path, plan.id));
const started = (id: string): SearchEvent => ({ type: 'search-started', plan: planOf(id, ['a', 'b']) });
const proof: SearchEvent = { type: 'proof-started', candidate: 0, tasks: ['a', 'b'], isUnseen: true };

it('says that test tasks are unseen until another search was proved on one of them', async () => {
  await store('searched', [started('searched')]);
  expect(await isUnseen(folder.path, planOf('new', ['b', 'c']))).toBe(true);
  await store('proved', [started('proved'), proof]);
  expect(await isUnseen(folder.path, planOf('new', ['b', 'c']))).toBe(false);
  expect(await isUnseen(folder.path, planOf('new', ['c']))).toBe(true);
  expect(await isUnseen(folder.path, planOf('proved', ['a', 'b']))).toBe(true);
});

it('remembers the tasks of a proof after its search was deleted, also for the same search', async () => {
  const wait = { signal: new AbortController().signal, notify: () => undefined };
  await store('proved', [started('proved'), proof]);
  await rememberTests(folder.path, 'proved', ['a', 'b'], wait);
  await rememberTests(folder.path, 'proved', ['a', 'b'], wait);
  await rm(join(folder.path, 'proved.podium-search.jsonl'));
  expect(await isUnseen(folder.path, planOf('new', ['b', 'c']))).toBe(false);
  expect(await isUnseen(folder.path, planOf('proved', ['a', 'b']))).toBe(false);
  expect(await isUnseen(folder.path, planOf('new', ['c']))).toBe(true);
  const lines = await readFile(join(folder.path, 'podium-teach.used-tests.jsonl'), 'utf8');
  expect(lines.trim().split('\n')).toHaveLength(1);
});
