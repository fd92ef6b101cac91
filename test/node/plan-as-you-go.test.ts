/** @file Tests a language model that plans as it goes, on a real server. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Preferences } from '../../src/core/contract';
import { createEngine } from '../../src/node/engine';
import { createPassingStore } from '../../src/node/serve/passing-store';
import { streamText, type Exchange } from '../fixtures/openai-scenarios';
import { startOpenAiServer, type OpenAiServer } from '../fixtures/openai-server';
import { planText } from '../fixtures/plans';
import { temporaryFolder, writePool } from '../fixtures/podium-server';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: OpenAiServer;
beforeEach(async () => {
  [folder, server] = await Promise.all([temporaryFolder(), startOpenAiServer()]);
});
afterEach(() => Promise.all([folder.remove(), server.close()]));

const QUESTION = 'Which bridge is older?';
const [DESK, SHELF] = [1, 2];
/** The Conductor itself is the last entry of the pool. */
const SELF = 3;
/** The plans in order. After the last one, the answer is kept. */
const PLANS = [
  [
    { worker: DESK, subtask: 'Name both bridges.', access: [] },
    { worker: SELF, subtask: 'Plan again.', access: [0] },
  ],
  [
    { worker: SHELF, subtask: 'Compare the years.', access: [] },
    { worker: DESK, subtask: 'Check this.', access: [0] },
    { worker: SELF, subtask: 'Plan again.', access: [0, 1] },
  ],
  [],
];

const promptOf = ({ messages }: Exchange) => messages.map(({ content }) => content).join('\n');

async function engineWith(settings: Partial<Preferences>) {
  const workers = ['planner', 'desk', 'shelf'].map((id) => ({ id, baseUrl: server.url, model: id, price: 1 }));
  const all = { settings: { effort: 'balanced', recursion: true, ...settings } };
  const pool = await writePool(folder.path, workers, all);
  const rest = { keys: null, environment: {}, conductor: 'endpoint:planner', usd: null };
  const engine = await createEngine({ pool, ...rest, store: createPassingStore() });
  const request = engine.request(QUESTION, { seed: 1 });
  return { engine, request: { ...request, caps: { ...request.caps, rounds: 4 } } };
}

it('a model in short rounds sees the outputs of each round before it plans the next one, and keeps the answer', async () => {
  const prompts: string[] = [];
  server.script('planner', (exchange) => {
    prompts.push(promptOf(exchange));
    return streamText(exchange, planText(PLANS[prompts.length - 1] ?? []));
  });
  server.script('desk', (exchange) =>
    streamText(exchange, prompts.length === 1 ? 'Old Bridge and New Bridge.' : 'It holds.'),
  );
  server.script('shelf', (exchange) => streamText(exchange, 'Old Bridge is older.'));
  const { engine, request } = await engineWith({ recursionMode: 'rounds' });
  expect(request).toMatchObject({ recursion: true, recursionMode: 'rounds', maxSteps: 3 });
  const run = await (await engine.runs.start(request)).done;

  expect(run.status).toBe('finished');
  expect(run.rounds.map(({ steps }) => steps.length)).toEqual([2, 3, 0]);
  expect(prompts).toHaveLength(3);
  for (const prompt of prompts) expect(prompt).toContain('a workflow of one or two steps');
  expect(prompts[0]).not.toContain('Old Bridge');
  expect(prompts[1]).toContain('Old Bridge and New Bridge.');
  expect(prompts[2]).toContain('Old Bridge is older.');
  expect(run.answer).toBe('It holds.');
});

it('the price of short rounds includes every round, and is lower than that of long rounds', async () => {
  const [usual, short] = [await engineWith({ recursionMode: 'self' }), await engineWith({ recursionMode: 'rounds' })];
  const rangeOf = ({ engine, request }: typeof usual) => engine.runs.ceiling(request);
  expect(short.request.maxSteps).toBe(3);
  expect(usual.request.maxSteps).toBe(5);
  expect(rangeOf(short).calls).toBe(12);
  const [one, other] = [rangeOf(short).range, rangeOf(usual).range];
  expect(one?.low).toBe(other?.low);
  expect(one?.high).toBeLessThan(other?.high ?? 0);
  const single = rangeOf({ ...short, request: { ...short.request, caps: { ...short.request.caps, rounds: 1 } } }).range;
  expect(one?.high).toBeGreaterThan(4 * (single?.high ?? Infinity));
});

it('other plans ignore short rounds', async () => {
  const { engine, request } = await engineWith({ recursionMode: 'rounds' });
  expect(
    engine.request(QUESTION, { conductor: { ...request.conductor.info, id: 'policy', kind: 'policy' } }),
  ).toMatchObject({ recursionMode: 'self', maxSteps: 3 });
});
