import { describe, expect, it, test } from 'vitest';
import {
  foldEvents,
  freePlanOf,
  ownComment,
  summarize,
  type ConductorInfo,
  type EventBody,
  type Grade,
  type PlanEvent,
  type PlanProblem,
} from '../../../../src/core/contract';
import { finishedRunBodies, poolWorker, runStarted, stampEvents, step } from '../../../fixtures/run-events';

const local: ConductorInfo = { id: 'local:x', label: 'X', kind: 'webllm' };
const problem: PlanProblem = { code: 'not-found', message: 'There is no list.', at: 0 };
const bill = { usage: null, cost: 0 };
const workflow = { steps: [step(0, 'Solve')] };
const grammar = { hash: 'a', text: 'root ::= "x"' };
const messages = [{ role: 'user' as const, parts: [{ kind: 'question' as const }] }];
const started: PlanEvent = { type: 'plan-started', conductor: local, messages };
const finished: PlanEvent = {
  type: 'plan-finished',
  workflow,
  thought: '',
  text: 'Solve.',
  source: 'conductor',
  finishReason: 'stop',
  ...bill,
};
const retried: PlanEvent = { type: 'plan-retried', problem, fault: null, text: 'Hm', next: 'stricter', ...bill };
const stalled: PlanEvent = {
  ...retried,
  problem: null,
  fault: { code: 'stalled', message: 'It stopped.', retryable: true },
  text: '',
};
const candidate: PlanEvent = { type: 'plan-candidate', candidate: 0, workflow: null, problem, text: '', ...bill };

function runOf(...plan: PlanEvent[]) {
  const bodies = plan.map((event): EventBody => ({ ...event, round: 0 }));
  const run = foldEvents(stampEvents([runStarted(), { type: 'round-started', round: 0 }, ...bodies]));
  if (!run) throw new Error('the events contain no run');
  return run;
}

describe('freePlanOf', () => {
  it.each([
    ['parsed', [started, finished]],
    ['refused', [started, retried, finished]],
    ['refused', [started, candidate, { ...candidate, candidate: 1, workflow, problem: null }, finished]],
    ['parsed', [started, { ...candidate, workflow, problem: null }, finished]],
    ['parsed', [started, stalled, finished]],
    ['refused', [started, stalled, retried, finished]],
  ] as const)('reports whether the first plan without a grammar could be parsed: “%s”', (problem, plan) => {
    expect(freePlanOf(runOf(...plan))).toBe(problem);
    expect(summarize(runOf(...plan)).freePlan).toBe(problem);
  });

  it.each([
    ['under a grammar', [{ ...started, grammar }, finished]],
    ['by no model', [{ ...started, messages: [] }, finished]],
    ['by an endpoint', [{ ...started, conductor: { ...local, kind: 'endpoint' as const } }, finished]],
    [
      'by the fallback, after the engine failed',
      [started, { ...stalled, next: 'fallback' as const }, { ...finished, source: 'fallback' as const }],
    ],
    ['only in part so far', [started]],
  ] as const)('returns null for a plan written %s', (_, plan) => {
    expect(freePlanOf(runOf(...plan))).toBeNull();
    expect(summarize(runOf(...plan))).not.toHaveProperty('freePlan');
  });
});

test('a summary shortens a long question or note without splitting a character', () => {
  const text = `${'a'.repeat(199)}🎼${'b'.repeat(100)}`;
  const bodies: EventBody[] = [runStarted({ question: { text } }), { type: 'run-annotated', note: text }];
  const run = foldEvents(stampEvents(bodies));
  expect(run && summarize(run)).toMatchObject({ question: 'a'.repeat(199), note: 'a'.repeat(199) });
});

describe('a run whose two answers the user is to compare', () => {
  const summaryAfter = (...more: readonly EventBody[]) => {
    const [, ...ran] = finishedRunBodies();
    const run = foldEvents(
      stampEvents([runStarted({ alone: { worker: poolWorker(1).id, share: 1 } }), ...ran, ...more]),
    );
    return run && summarize(run);
  };
  const second: EventBody = { type: 'alone-answered', output: 'Seven.', usage: null, cost: 0.25 };

  it('is blind and has no glyph before the vote, and is listed as usual after it', () => {
    expect(summaryAfter()).toMatchObject({ blind: true, glyph: [] });
    expect(summaryAfter(second)).toMatchObject({ blind: true, glyph: [] });
    const voted = summaryAfter(second, { type: 'pair-compared', preferred: 'equal' });
    expect(voted).not.toHaveProperty('blind');
    expect(voted?.glyph.length).toBeGreaterThan(0);
  });
});

describe('the speed of a local engine', () => {
  it('is stored with the plan that the engine wrote', () => {
    const speed = { promptTokens: 900, decodeTokens: 60, prefill: 800, decode: 40, firstToken: 1100, grammar: 5 };
    expect(runOf(started, { ...finished, speed }).rounds[0]?.plan?.speed).toEqual(speed);
    expect(runOf(started, finished).rounds[0]?.plan?.speed).toBeNull();
  });
});

describe('the comment on a grade', () => {
  const graded = (grade: Partial<Grade>) => {
    const run = runOf(started, finished);
    return summarize({ ...run, grade: { by: 'person', correct: true, detail: 'Since 6 × 7 = 42.', ...grade } });
  };

  it('is the user’s own only if the user gave the grade and the grade was not imported', () => {
    expect(ownComment(graded({}))).toBe('Since 6 × 7 = 42.');
    expect(ownComment(graded({ by: 'grader' }))).toBe('');
    expect(ownComment(graded({ imported: true }))).toBe('');
  });
});
