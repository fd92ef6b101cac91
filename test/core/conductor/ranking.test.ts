import { describe, expect, it } from 'vitest';
import { choiceOf, expectedSuccess, knownOf, rankedBy, rankWorkers } from '../../../src/core/conductor/ranking';
import type { GradedRun, PoolWorker, Role } from '../../../src/core/contract';
import { gradedRuns } from '../../fixtures/graded-runs';
import { CONDUCTOR_ENTRY, pool, published, request, worker } from './requests';

const QUESTION = 'What is 2 + 2?';
const OTHER_KIND = 'Who painted the ceiling of the chapel, and for which pope?';

/** The expected success of a worker that is alone in the pool. */
function expected(only: PoolWorker, role: Role, history: readonly GradedRun[]): number {
  return expectedSuccess(knownOf(request({ pool: [only], question: QUESTION, history }))[0], role);
}

describe('expectedSuccess', () => {
  it('is the declared strength if the worker has no graded runs', () => {
    expect(expected(worker(0, { strengths: { solve: 0.8 } }), 'solve', [])).toBeCloseTo(0.8);
    expect(expected(worker(0, { strengths: { solve: 0.8 } }), 'solve', gradedRuns('birch', 'solve', 1, 1))).toBeCloseTo(
      0.8,
    );
  });

  it('is the mean of the declared strengths for an undeclared role, or 0.5 if no strength is declared', () => {
    const some = worker(0, { strengths: { solve: 0.8, verify: 0.4 } });
    expect(expected(some, 'decide', [])).toBeCloseTo(0.6);
    expect(expected(worker(0), 'decide', [])).toBe(0.5);
  });

  it('moves from the declared strength to the observed rate as more calls are graded', () => {
    const claimed = worker(0, { strengths: { solve: 0.9 } });
    const one = expected(claimed, 'solve', gradedRuns('alder', 'solve', 0, 1));
    const many = expected(claimed, 'solve', gradedRuns('alder', 'solve', 0, 100));
    expect(one).toBeLessThan(0.5);
    expect(one).toBeGreaterThan(0.4);
    expect(many).toBeLessThan(0.05);
  });

  it('weights runs on similar questions more than runs on other questions', () => {
    const history = [
      ...gradedRuns('alder', 'solve', 0, 6, 'What is 3 + 9?'),
      ...gradedRuns('alder', 'solve', 30, 30, OTHER_KIND),
    ];
    expect(expected(worker(0), 'solve', history)).toBeLessThan(0.35);
    const elsewhere = request({ pool: [worker(0)], question: OTHER_KIND, history });
    expect(expectedSuccess(knownOf(elsewhere)[0], 'solve')).toBeGreaterThan(0.9);
  });

  it('uses grades in other roles only if the role itself was never graded', () => {
    const history = [...gradedRuns('alder', 'plan', 40, 40), ...gradedRuns('alder', 'solve', 0, 20)];
    expect(expected(worker(0), 'solve', history)).toBeLessThan(0.1);
    expect(expected(worker(0), 'verify', history)).toBeCloseTo(2 / 3, 1);
  });
});

describe('rankWorkers', () => {
  it('leaves out the Conductor and Python, and keeps the pool’s order for equal workers', () => {
    const requested = request({
      pool: [worker(0), worker(1, { kind: 'python' }), worker(2), CONDUCTOR_ENTRY],
      recursion: true,
    });
    expect(rankWorkers(requested, 'solve')).toEqual([0, 2]);
  });

  it('ranks by the criterion that `rankedBy` returns: pool order, declared strengths, published results or grades', () => {
    const declared = request({ pool: [worker(0, { strengths: { solve: 0.4 } })] });
    const graded = (workerId: string) => ({ ...declared, history: gradedRuns(workerId, 'decide', 1, 1) });
    expect(rankedBy(request({ pool: pool(2) }))).toBe('order');
    expect(rankedBy(declared)).toBe('strength');
    expect(rankedBy(request({ pool: [worker(0, { domains: { code: 0.4 } })] }))).toBe('strength');
    expect(rankedBy(request({ pool: [worker(0), published(1, 'gpt-5')] }))).toBe('published');
    expect(rankedBy(graded('someone else'))).toBe('strength');
    expect(rankedBy(graded('alder'))).toBe('history');
  });
});

describe('published benchmark results', () => {
  const members = [published(0, 'gemma-3-27b'), published(1, 'gemini-2.5-pro'), published(2, 'gpt-5')];
  const ask = (question: string, history: readonly GradedRun[] = []) => request({ pool: members, question, history });
  const CODE = 'Write a Python function that reverses a list.';

  it('rank the workers by the domain of the question', () => {
    expect(rankWorkers(ask(CODE), 'solve')).toEqual([2, 1, 0]);
    expect(rankWorkers(ask('How does a vaccine produce immunity?'), 'solve')).toEqual([1, 2, 0]);
    expect(rankWorkers(ask('Solve x^2 - 5x + 6 = 0.'), 'solve')).toEqual([1, 2, 0]);
  });

  it('are outweighed by one wrong answer in the question’s domain, but not by one in another domain', () => {
    const wrong = (count: number, question: string) => gradedRuns('cedar', 'solve', 0, count, question);
    expect(rankWorkers(ask(CODE, wrong(1, 'Why does my SQL query return nothing?')), 'solve')[0]).toBe(1);
    expect(rankWorkers(ask(CODE, wrong(1, 'What is 17 * 23?')), 'solve')[0]).toBe(2);
  });

  it('appear in the reason for a choice, with their source', () => {
    expect(choiceOf(ask(CODE), 2, 'solve')).toMatchObject({
      basis: 'strength',
      prior: { by: 'published', domain: 'code', label: 'GPT-5', source: 'https://arxiv.org/abs/2512.04388v5' },
    });
    expect(choiceOf(request({ pool: [worker(0, { strengths: { solve: 0.4 } })] }), 0, 'solve').prior).toBeUndefined();
  });
});
