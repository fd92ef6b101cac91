import { describe, expect, it } from 'vitest';
import { startOfRun } from '../../../src/core/runs/new-run';
import { outlineFork } from '../../../src/core/runs/fork-outline';
import { poolWorker, step } from '../../fixtures/run-events';
import { scriptedRun } from '../../app/scripted-runs';

const PRICE = { input: 1, output: 10 };
const pool = [0, 1, 2].map((index) =>
  poolWorker(index, { kind: 'endpoint', origin: 'https://api.example.com', price: PRICE }),
);
const run = scriptedRun({
  pool,
  rounds: [
    {
      steps: [
        { worker: 0, subtask: 'One', start: 10, end: 20, output: 'First.' },
        { worker: 1, subtask: 'Two', access: [0], start: 20, end: 30, output: 'Second.' },
        { worker: 2, subtask: 'Three', access: [0, 1], start: 30, end: 40, output: 'Third.' },
      ],
      ended: 40,
    },
  ],
  end: 'finished',
});
const start = startOfRun(run);
const outline = (at: number, workflow?: Parameters<typeof outlineFork>[1]['workflow']) =>
  outlineFork(run, { round: 0, step: at, ...(workflow ? { workflow } : {}) }, start);

const kinds = ({ steps }: ReturnType<typeof outlineFork>) =>
  steps.map((each) => (each.kind === 'called' ? each.because : each.kind));

describe('the outline of a fork', () => {
  it('lists which steps of a finished run are reused and which are called', () => {
    expect(kinds(outline(2))).toEqual(['reused', 'reused', 'again']);
    expect(outline(2)).toMatchObject({ plansAgain: false, ceiling: { calls: 1 } });
    expect(kinds(outline(0))).toEqual(['again', 'sees-called', 'sees-called']);
    expect(outline(0).ceiling.calls).toBe(3);
  });

  it('gives a price range for all called steps together, and for each called step whose price is known', () => {
    const { steps, ceiling } = outline(0);
    const ranges = steps.map((each) => (each.kind === 'called' ? each.range : null));
    const sum = (side: 'low' | 'high') => ranges.reduce((total, range) => total + (range?.[side] ?? 0), 0);
    expect(sum('low')).toBeCloseTo(ceiling.range?.low ?? NaN, 10);
    expect(sum('high')).toBeCloseTo(ceiling.range?.high ?? NaN, 10);
    const unpriced = pool.map((worker, index) => (index === 1 ? { ...worker, price: null } : worker));
    const { steps: some } = outlineFork(run, { round: 0, step: 0 }, { ...start, pool: unpriced });
    expect(some[1]).toMatchObject({ free: false, range: null });
    expect(some[2]).toMatchObject({ range: { low: expect.any(Number) as number } });
  });

  it('lists no steps if the round is planned again, and assumes the maximum number of steps', () => {
    const conductor = {
      ...start.conductor,
      kind: 'endpoint' as const,
      origin: 'https://api.example.com',
      price: PRICE,
    };
    const outlined = outlineFork(run, { round: 0, step: 0, replan: true }, { ...start, conductor });
    expect(outlined).toMatchObject({ steps: [], plansAgain: true, workflow: { steps: [] } });
    expect(outlined.ceiling.calls).toBe(start.maxSteps);
    expect(outlined.ceiling.range?.high).toBeGreaterThan(outline(0).ceiling.range?.high ?? Infinity);
  });

  it('lists a step as called if the step or a step that it sees was edited', () => {
    const workflow = { steps: [step(0, 'Uno'), step(1, 'Two', [0]), step(2, 'Three', [0, 1])] };
    expect(outline(2, workflow)).toMatchObject({ ceiling: { calls: 3 } });
    expect(kinds(outline(2, workflow))).toEqual(['changed', 'sees-called', 'again']);
  });

  it('has a lower cost if more steps are reused, and counts the real length of reused outputs', () => {
    const [one, all] = [outline(2).ceiling.range, outline(0).ceiling.range];
    expect(one?.low).toBeGreaterThan(0);
    expect(one?.high).toBeLessThan((all?.high ?? 0) / 2);
    // The called step sees only short outputs, so its output limit determines most of the price.
    const answer = (start.sampling.maxTokens * PRICE.output) / 1e6;
    expect(one?.high).toBeLessThan(answer + 0.002);
  });

  it('is free if only free workers are called', () => {
    const free = pool.map((worker, index) => (index === 2 ? { ...worker, price: { input: 0, output: 0 } } : worker));
    const { ceiling } = outlineFork(run, { round: 0, step: 2 }, { ...start, pool: free });
    expect(ceiling).toMatchObject({ free: true, usd: 0 });
  });

  it('includes the plan and the steps of the second round if a second round always follows', () => {
    const always = { ...start, recursionMode: 'always' as const, caps: { ...start.caps, rounds: 2 } };
    const outlined = outlineFork(run, { round: 0, step: 2 }, always);
    expect(outlined).toMatchObject({ plansAgain: true, ceiling: { calls: 1 + start.maxSteps } });
    expect(outlined.ceiling.range?.high).toBeGreaterThan(outline(2).ceiling.range?.high ?? Infinity);
    const prompt = { template: { fixed: 'x'.repeat(20_000), question: '{{question}}' } };
    const conductor = {
      ...start.conductor,
      kind: 'endpoint' as const,
      origin: 'https://api.example.com',
      price: PRICE,
    };
    const high = (more: object) =>
      outlineFork(run, { round: 0, step: 2 }, { ...always, conductor, ...more }).ceiling.range?.high ?? 0;
    expect(high({ prompt }), 'a longer prompt makes the second plan more expensive').toBeGreaterThan(high({}));
  });

  it('lowers the maximum number of calls and the maximum cost to the caps', () => {
    const caps = { ...start.caps, calls: 1, usd: 0.001 };
    const { ceiling } = outlineFork(run, { round: 0, step: 0 }, { ...start, caps });
    expect(ceiling.calls).toBe(1);
    expect(ceiling.range?.high).toBe(0.001);
  });
});
