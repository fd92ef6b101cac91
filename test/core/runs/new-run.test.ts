import { describe, expect, it } from 'vitest';
import {
  fault,
  FaultError,
  foldEvents,
  type Conductor,
  type ConductorInfo,
  type PoolWorker,
  type Price,
  type Run,
  type RunStarted,
  type Workflow,
} from '../../../src/core/contract';
import { isDrawn } from '../../../src/core/runs/pairs/draw';
import { ceilingLeft, ceilingOf, checkNewRun, startOf, type NewRun } from '../../../src/core/runs/new-run';
import { poolWorker, runStarted, stampEvents, step } from '../../fixtures/run-events';
import { newRun, worker } from './scripted';

const everyone = () => ({ run: () => expect.unreachable('nothing may be called') });
const paid = worker('paid', { kind: 'endpoint', origin: 'https://api.example.com', price: { input: 1, output: 2 } });
const unpriced: PoolWorker = { ...paid, price: null };
const caps = newRun().caps;

function conductorElsewhere(more: Partial<ConductorInfo>): Conductor {
  const info: ConductorInfo = { id: 'endpoint:x', label: 'X', kind: 'endpoint', origin: 'https://x.example.com' };
  return { ...newRun().conductor, info: { ...info, ...more } };
}

describe('`checkNewRun`', () => {
  it('accepts a complete request', () => {
    expect(checkNewRun(newRun(), everyone)).toBeNull();
  });

  it.each([
    ['empty-question', newRun({ question: ' \n' })],
    ['no-workers', newRun({ pool: [] })],
    ['no-workers', newRun({ recursion: true, pool: [worker('self', { kind: 'conductor' })] })],
    ['plan-invalid', newRun({ maxSteps: 0 })],
    ['cap-reached', newRun({ caps: { ...caps, calls: 0 } })],
    ['price-unknown', newRun({ pool: [worker('ash'), unpriced], caps: { ...caps, usd: 1 } })],
    ['price-unknown', newRun({ conductor: conductorElsewhere({}), caps: { ...caps, usd: 1 } })],
  ])('rejects an invalid request with the code %s', (code, request) => {
    expect(checkNewRun(request, everyone)?.code).toBe(code);
  });

  it('accepts an unknown price if there is no money cap', () => {
    expect(checkNewRun(newRun({ pool: [unpriced] }), everyone)).toBeNull();
  });

  it('reports why a worker cannot be called', () => {
    const missing = fault('worker-missing', 'Birch was removed. Add it again or leave it out.');
    const found = checkNewRun(newRun(), (requested) => {
      if (requested.id === 'birch') throw new FaultError(missing);
      return everyone();
    });
    expect(found).toEqual(missing);
  });
});

describe('`startOf`', () => {
  it('makes the Conductor the last worker of the pool if recursion is on, and removes it otherwise', () => {
    const { pool } = startOf(newRun({ recursion: true }), 1);
    expect(pool.map(({ kind }) => kind)).toEqual(['simulated', 'simulated', 'conductor']);
    expect(startOf(newRun({ recursion: true, pool }), 1).pool).toEqual(pool);
    expect(startOf(newRun({ pool }), 1).pool).toEqual(newRun().pool);
  });

  it('copies the price of the Conductor to its entry in the pool', () => {
    const priceOf = (more: Partial<ConductorInfo>) =>
      startOf(newRun({ recursion: true, conductor: conductorElsewhere(more) }), 1).pool[2]?.price;
    expect(priceOf({ price: { input: 1, output: 2 } })).toEqual({ input: 1, output: 2 });
    expect(priceOf({})).toBeNull();
    expect(startOf(newRun({ recursion: true }), 1).pool[2]?.price).toEqual({ input: 0, output: 0 });
  });

  it('records how many plans are written, and who chooses if there is more than one plan', () => {
    expect(startOf(newRun({ candidates: 3 }), 1).candidates).toBe(3);
    expect(startOf(newRun({ candidates: 3, choice: 'person' }), 1).choice).toBe('person');
    expect(startOf(newRun({ choice: 'person' }), 1).choice).toBe('vote');
  });

  it('keeps the question as it was typed', () => {
    expect(startOf(newRun({ question: ' a\n' }), 7)).toMatchObject({ question: { text: ' a\n' }, seed: 7 });
  });

  it('keeps the earlier question and answer of a follow-up, and includes them in the estimated cost', () => {
    const context = { runId: 'run-1', question: 'What is 6 × 7?', answer: 'word '.repeat(2000) };
    expect(startOf(newRun({ question: 'Why?', context }), 1).question).toEqual({ text: 'Why?', context });
    expect(startOf(newRun({ question: 'Why?', context: null }), 1).question).toEqual({ text: 'Why?' });
    const low = (more: Partial<NewRun>) => ceilingOf(newRun({ pool: [paid], ...more }))?.range?.low ?? 0;
    expect(low({ context })).toBeGreaterThan(low({}) + 0.001);
  });
});

describe('`ceilingLeft` (the most that the rest of a run may use)', () => {
  const runOf = (more: Partial<RunStarted>): Run => {
    const run = foldEvents(stampEvents([runStarted(more)]));
    if (!run) throw new Error('no run');
    return run;
  };
  const steps = (...workers: number[]) => ({ steps: workers.map((worker) => step(worker, 'Solve')) });

  it('counts the calls of the plan that waits for approval, limited by the rest of the caps', () => {
    const caps = { rounds: 1, calls: 4, tokens: 1000, usd: 1 };
    const run = runOf({ caps });
    expect(ceilingLeft(run, 0, steps(0, 1))).toMatchObject({ calls: 2, tokens: 1000, usd: 0, free: true });
    const spent = { calls: 3, input: 300, output: 100, usd: 0.25, unpriced: 0, estimated: false, billed: 0 };
    const pool = [poolWorker(0, { kind: 'endpoint', origin: 'https://a.example', price: { input: 1, output: 1 } })];
    const paid = { ...run, pool, spent };
    expect(ceilingLeft(paid, 0, steps(0, 0))).toMatchObject({ calls: 1, tokens: 600, usd: 0.75, free: false });
  });

  it('begins with the price of the calls up to the first check if the run skips settled steps', () => {
    const pool = [0, 1].map((index) =>
      poolWorker(index, { kind: 'endpoint', origin: 'https://a.example', price: { input: 1, output: 1 } }),
    );
    const check = { ...step(1, 'Check', [0]), role: 'verify' as const };
    const planned = { steps: [step(0, 'Solve'), check, step(0, 'Correct it', [0, 1])] };
    const lowOf = (skipSettled: boolean) => ceilingLeft(runOf({ pool, skipSettled }), 0, planned).range?.low ?? NaN;
    expect(lowOf(true)).toBeGreaterThan(0);
    expect(lowOf(true)).toBeLessThan(lowOf(false));
  });

  it('counts later rounds only if the plan leads to another round', () => {
    const pool = [poolWorker(0), poolWorker(1, { kind: 'conductor' })];
    const run = runOf({ pool, recursion: true, caps: { rounds: 3, calls: 100, tokens: null, usd: null } });
    expect(ceilingLeft(run, 1, steps(0)).calls).toBe(1);
    expect(ceilingLeft(run, 1, steps(0, 1)).calls).toBe(1 + 5);
    expect(ceilingLeft(run, 2, steps(0, 1)).calls).toBe(1);
  });
});

describe('`ceilingOf` (the most that a new run may use)', () => {
  const plan = (...workers: number[]): Workflow => ({
    steps: workers.map((each) => ({ worker: each, subtask: 'Do it.', access: [] })),
  });

  it('assumes the most steps per round if no workflow is known, up to the cap on calls', () => {
    expect(ceilingOf(newRun())).toMatchObject({ calls: 5, tokens: null, usd: 0, free: true });
    expect(ceilingOf(newRun({ maxSteps: 20 })).calls).toBe(16);
    expect(ceilingOf(newRun({ recursion: true })).calls).toBe(10);
  });

  it('counts the calls of the plan if the plan is known', () => {
    expect(ceilingOf(newRun(), plan(0, 1, 0)).calls).toBe(3);
    expect(ceilingOf(newRun({ caps: { ...caps, calls: 2 } }), plan(0, 1, 0)).calls).toBe(2);
  });

  it('counts later rounds only if a step of the plan is for the Conductor', () => {
    const request = newRun({ recursion: true, caps: { ...caps, rounds: 3 } });
    expect(ceilingOf(request, plan(0, 1, 2)).calls).toBe(2 + 2 * 5);
    expect(ceilingOf(request, plan(0, 1)).calls).toBe(2);
  });

  it('is free only if every worker that may be called is free', () => {
    const request = newRun({ pool: [worker('ash'), paid], caps: { ...caps, tokens: 900, usd: 0.5 } });
    expect(ceilingOf(request)).toMatchObject({ calls: 5, tokens: 900, usd: 0.5, free: false });
    expect(ceilingOf(request, plan(0, 0))).toMatchObject({ usd: 0, free: true });
    expect(ceilingOf(request, plan(0, 1))).toMatchObject({ usd: 0.5, free: false });
    expect(ceilingOf({ ...request, recursion: true }, plan(0, 2)).free).toBe(false);
  });

  it('with a remote Conductor, is free only if the Conductor’s price is known to be 0', () => {
    const priced = (price: Price | null) => ceilingOf(newRun({ conductor: conductorElsewhere({ price }) })).free;
    expect(priced(null)).toBe(false);
    expect(priced({ input: 1, output: 0 })).toBe(false);
    expect(priced({ input: 0, output: 0 })).toBe(true);
  });
});

describe('a question that one worker alone may also answer', () => {
  const request = newRun({ pool: [worker('ash'), paid], alone: { worker: 'paid', share: 0.3 }, question: 'Why?' });
  const planned: Workflow = { steps: [step(0, 'Solve')] };
  const seedWhere = (drawn: boolean) =>
    Array.from({ length: 100 }, (_, seed) => seed).find(
      (seed) => (startOf(request, seed).alone !== undefined) === drawn,
    );

  it('is drawn before the run, by its seed', () => {
    for (let seed = 0; seed < 200; seed++) {
      expect(startOf(request, seed).alone !== undefined, String(seed)).toBe(isDrawn(0.3, seed, 'Why?'));
    }
  });

  it('costs more only if it is drawn: one more call, and at least its shortest answer', () => {
    const drawn = ceilingOf({ ...request, seed: seedWhere(true) ?? -1 }, planned);
    const other = ceilingOf({ ...request, seed: seedWhere(false) ?? -1 }, planned);
    expect(other).toMatchObject({ calls: 1, free: true, usd: 0 });
    expect(drawn).toMatchObject({ calls: 2, free: false });
    const alone = ceilingOf(newRun({ ...request, pool: [paid] }), { steps: [step(0, '')] }).range;
    expect(drawn.range?.low).toBeCloseTo(alone?.low ?? -1, 9);
    expect(drawn.range?.high).toBeCloseTo(alone?.high ?? -1, 9);
  });

  it('may cost as much again as the run at equal cost, and three calls more', () => {
    const pool = [paid, worker('other', { price: { input: 1, output: 1 }, origin: 'https://other.example' })];
    const share = { worker: 'other', share: 1 };
    const own = ceilingOf(newRun({ ...request, pool }), planned).range;
    const once = ceilingOf(newRun({ ...request, pool, alone: share }), planned);
    const often = ceilingOf(newRun({ ...request, pool, alone: { ...share, equalCost: true } }), planned);
    const high = (own?.high ?? NaN) - 0;
    const call = (once.range?.high ?? NaN) - high;
    expect(often.range?.low).toBe(once.range?.low);
    expect(often.range?.high).toBeCloseTo(2 * high + 3 * call, 9);
    expect(often.calls).toBeGreaterThan(once.calls);
  });
});
