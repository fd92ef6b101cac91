import { describe, expect, it } from 'vitest';
import { proofOf, testTasksFor } from '../../../src/core/lessons/proof';
import { winnerOf } from '../../../src/core/lessons/next-step';
import { foldSearch } from '../../../src/core/lessons/search-state';
import type { GradedCall, SearchEvent, SearchPlan } from '../../../src/core/lessons/search-events';
import { HARMFUL, MIXED } from '../../fixtures/lessons/reflector';
import { drawSociety } from '../../fixtures/lessons/society';
import { proved, searched, societySearch, trueScore } from '../../fixtures/lessons/society-search';

/** A search whose proof has these scores of the start and the winner, by task. */
function provedWith(pairs: readonly (readonly [GradedCall, GradedCall])[]) {
  const tasks = pairs.map((_, index) => `test-${index}`);
  const plan: SearchPlan = {
    id: 'search',
    seed: 1,
    split: { train: [], validation: [], test: tasks, testTasks: 'own' },
    start: [],
    minibatch: 8,
    lessonTokens: 400,
    caps: { runs: 500, usd: null },
    mode: 'rewrite',
  };
  const events: SearchEvent[] = [
    { type: 'search-started', plan },
    { type: 'iteration-started', iteration: 1, parent: 0, minibatch: [] },
    { type: 'candidate-proposed', iteration: 1, parent: 0, lessons: ['Plan first.'] },
    { type: 'iteration-ended', iteration: 1, outcome: 'accepted' },
    { type: 'proof-started', candidate: 1, tasks, isUnseen: true },
    ...pairs.flatMap((pair, index) =>
      pair.map((result, candidate): SearchEvent => ({
        type: 'run-graded',
        candidate,
        task: `test-${index}`,
        ...result,
      })),
    ),
  ];
  const state = foldSearch(events);
  return state && proofOf(state);
}

const call = (score: number | null, usd = 1): GradedCall => ({ score, usd, unpriced: 0, calls: 2 });
const times = <T>(count: number, value: T) => Array.from({ length: count }, () => value);

describe('proofOf', () => {
  it('says “better” only if the whole interval lies above 0', () => {
    const wins = times(30, [call(0), call(1)] as const);
    const rest = times(170, [call(1), call(1)] as const);
    expect(provedWith([...wins, ...rest])?.verdict).toBe('better');
    expect(provedWith([...wins, ...rest, ...times(25, [call(1), call(0)] as const)])?.verdict).toBe('unproved');
  });

  it('says “not worse” if the interval lies above −1 point', () => {
    expect(provedWith(times(400, [call(1), call(1)] as const))?.verdict).toBe('not-worse');
    expect(provedWith(times(100, [call(1), call(1)] as const))?.verdict).toBe('unproved');
  });

  it('is not offered if the winner costs more than the limit', () => {
    const pairs = [...times(30, [call(0), call(1, 2)] as const), ...times(170, [call(1), call(1, 2)] as const)];
    expect(provedWith(pairs)).toMatchObject({ verdict: 'too-dear', isPriced: true });
  });

  it('leaves out tasks without a verdict for both', () => {
    const pairs = [...times(50, [call(0), call(1)] as const), ...times(50, [call(null), call(1)] as const)];
    expect(provedWith(pairs)?.scores.tasks).toBe(50);
  });

  it('asks for about 200 tasks to show a gain of ten points', () => {
    expect(testTasksFor(0.1)).toBeGreaterThan(150);
    expect(testTasksFor(0.1)).toBeLessThan(250);
    expect(testTasksFor(0.05)).toBeGreaterThan(600);
  });
});

describe('the proof of searches', () => {
  it('shows the gain of a useful search', async () => {
    const given = societySearch(drawSociety(1), { seed: 1, rates: MIXED, tasks: 400, runs: 400 });
    const state = await searched(given);
    const end = await proved(given, state, winnerOf(state)?.index ?? 0);
    expect(proofOf(end)).toMatchObject({ verdict: 'better', isOwn: true, isUnseen: true });
    expect(end.proofSpent.calls).toBeGreaterThan(0);
    expect(end.spent).toEqual(state.spent);
  });

  it('covers the true change, and rarely errs without useful reflections', async () => {
    let [covered, proofs, wrong] = [0, 0, 0];
    for (let seed = 1; seed <= 30; seed++) {
      const society = drawSociety(seed);
      const given = societySearch(society, { seed, rates: HARMFUL, tasks: 200, runs: 120 });
      const state = await searched(given);
      const candidate = state.candidates.at(-1);
      const proof = candidate ? proofOf(await proved(given, state, candidate.index)) : null;
      if (!candidate || !proof || candidate.index === 0) continue;
      const gain = trueScore(society, candidate.lessons) - trueScore(society, []);
      proofs += 1;
      if (Math.abs(proof.scores.value - gain) <= proof.scores.plusMinus) covered += 1;
      if (gain <= 0 && proof.verdict === 'better') wrong += 1;
    }
    expect(covered / proofs).toBeGreaterThan(0.85);
    expect(wrong).toBeLessThanOrEqual(2);
  });
});
