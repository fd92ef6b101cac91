import { expect, test } from 'vitest';
import {
  applyEvent,
  foldEvents,
  spentOnAnswer,
  type AnswerComparison,
  type PoolWorker,
  type Run,
} from '../../../src/core/contract';
import { analysisCeiling, readAnalysis } from '../../../src/core/graders/answer-analysis';
import { answersDigest } from '../../../src/core/graders/disagreement';
import { comparisonIn } from '../../../src/core/graders/disagreement-words';
import type { Judge } from '../../../src/core/graders/judge';
import { compareAnswers } from '../../../src/core/runs/compare-answers';
import { finishedRunBodies, poolWorker, stampEvents } from '../../fixtures/run-events';

const WORKER: PoolWorker = poolWorker(4, {
  kind: 'endpoint',
  origin: 'https://api.example.com',
  price: { input: 1, output: 2 },
});
const ANSWERS = [
  { by: 'Alder', text: 'Cats purr.\nThey sleep.' },
  { by: 'Birch', text: 'Cats hiss.\nThey sleep.' },
];
const GOOD = '```json\n{"consensus": ["They sleep."], "contradictions": ["Purr or hiss."]}\n```';

/** A run, and a judge whose calls cost $0.25 each and reserve $1. */
function setUp(replies: readonly (string | Error)[]) {
  let run: Run | null = foldEvents(stampEvents(finishedRunBodies()));
  const records: AnswerComparison[] = [];
  const sent: string[] = [];
  const runs = {
    async addComparison(runId: string, call: AnswerComparison) {
      if (!run) throw new Error('unreachable');
      records.push(call);
      const seq = run.lastSeq + 1;
      run = applyEvent(run, { type: 'answers-compared', ...call, runId, seq, at: 0, segment: 0, elapsed: 0 });
      return run;
    },
  };
  const judge: Judge = {
    name: 'Elm',
    async ask(messages, _signal, room) {
      const reply = replies[sent.length] ?? '';
      sent.push(messages.map(({ content }) => content).join('\n'));
      const caps = await room?.(1);
      await caps?.announce?.();
      caps?.settle(null, { usage: { input: 10, output: 5 }, cost: 0.25 }, true);
      if (typeof reply !== 'string') throw reply;
      return reply;
    },
  };
  const request = { worker: WORKER, runId: 'run-1', question: 'Do cats purr?', answers: ANSWERS, revised: [] };
  const compare = () => compareAnswers(request, { runs, judge }, new AbortController().signal);
  return { before: run, compare, records, sent, now: () => run };
}

test('records the highest cost before the call, and then the comparison with its cost', async () => {
  const { before, compare, records, sent } = setUp([GOOD]);
  const run = await compare();
  expect(records.map(({ cost, pending }) => [cost, pending])).toEqual([
    [1, true],
    [0.25, undefined],
  ]);
  expect(run.spent.usd).toBeCloseTo((before?.spent.usd ?? 0) + 0.25);
  expect(run.spent.input).toBe((before?.spent.input ?? 0) + 10);
  expect(spentOnAnswer(run).usd).toBeCloseTo(before?.spent.usd ?? 0);
  expect(sent[0]).toContain('Cats hiss.');
  const found = comparisonIn([run], answersDigest('Do cats purr?', ANSWERS.toReversed()));
  expect(found).toMatchObject({ by: 'Elm', analysis: { consensus: ['They sleep.'], gaps: [] } });
  expect(comparisonIn([run], answersDigest('Do dogs purr?', ANSWERS))).toBeNull();
});

test('asks once more if the reply can’t be read, and counts both calls', async () => {
  const { before, compare, sent } = setUp(['They mostly agree.', GOOD]);
  const run = await compare();
  expect(sent).toHaveLength(2);
  expect(sent[1]).toContain('They mostly agree.');
  expect(run.spent.usd).toBeCloseTo((before?.spent.usd ?? 0) + 0.5);
  expect(run.compared.map(({ analysis }) => analysis !== null)).toEqual([false, true]);
});

test('counts the cost of calls that give no comparison', async () => {
  const unread = setUp(['no', 'no']);
  await expect(unread.compare()).rejects.toMatchObject({ fault: { code: 'broken-reply' } });
  expect(unread.now()?.spent.usd).toBeCloseTo((unread.before?.spent.usd ?? 0) + 0.5);
  const failed = setUp([new Error('The server is gone.')]);
  await expect(failed.compare()).rejects.toThrow('The server is gone.');
  expect(failed.now()?.spent.usd).toBeCloseTo((failed.before?.spent.usd ?? 0) + 0.25);
});

test('reads only JSON of the requested form that says something', () => {
  expect(readAnalysis(`Sure.\n${GOOD}`)?.contradictions).toEqual(['Purr or hiss.']);
  expect(readAnalysis('{}')).toBeNull();
  expect(readAnalysis('{"consensus": "yes"}')).toBeNull();
  expect(readAnalysis('[1]')).toBeNull();
});

test('states the highest cost of a comparison with its repair', () => {
  const messages = [{ role: 'user', content: 'Compare.' }] as const;
  const ceiling = analysisCeiling(WORKER, messages, 1000) ?? 0;
  // Two replies of 1,000 tokens at $2 a million, and the first one again as input at $1 a million.
  expect(ceiling).toBeGreaterThan(0.005);
  expect(ceiling).toBeLessThan(0.0055);
  expect(analysisCeiling({ ...WORKER, price: null }, messages, 1000)).toBeNull();
});
