import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { worstInput, type ConductorInfo, type PoolWorker } from '../../../src/core/contract';
import { priceRange, type RangeRequest } from '../../../src/core/runs/price-range';
import { poolWorker, step } from '../../fixtures/run-events';

const builtIn: ConductorInfo = { id: 'heuristic', label: 'Built in', kind: 'heuristic' };
const paid = (index: number, input: number, output: number, more: Partial<PoolWorker> = {}) =>
  poolWorker(index, { kind: 'endpoint', origin: 'https://a.example', price: { input, output }, ...more });
const cheap = paid(0, 1, 2);
const dear = paid(1, 10, 20);

function request(more: Partial<RangeRequest> = {}): RangeRequest {
  const planned = { steps: [step(0, 'Solve'), step(1, 'Check', [0])] };
  const most = { maxSteps: 5, rounds: 1, candidates: 1, calls: 16, maxTokens: 1000 };
  return { question: 'Why?', conductor: builtIn, pool: [cheap, dear], planned, ...most, ...more };
}

describe('what a run may cost', () => {
  test('of a known workflow: its own workers, from short answers to the longest', () => {
    const range = priceRange(request());
    expect(range?.low).toBeGreaterThan(0);
    expect(range?.high).toBeGreaterThan((1000 * 2 + 1000 * 20) / 1e6);
    const cheaper = priceRange(request({ planned: { steps: [step(0, 'Solve')] } }));
    expect(cheaper?.high).toBeLessThan(range?.high ?? 0);
  });

  test('of one that is not written yet: from one cheap step to as many dear ones as there may be', () => {
    const range = priceRange(request({ planned: null }));
    const one = priceRange(request({ planned: { steps: [step(0, 'Solve')] } }));
    expect(range?.low).toBeLessThan(one?.high ?? 0);
    expect(range?.high).toBeGreaterThan((5 * 1000 * 20) / 1e6);
    expect(priceRange(request({ planned: null, calls: 1 }))?.high).toBeLessThan(range?.high ?? 0);
    expect(priceRange(request({ planned: null, rounds: 2 }))?.high).toBeCloseTo(2 * (range?.high ?? 0), 9);
  });

  test('counts what a Conductor elsewhere charges for the plan', () => {
    const conductor: ConductorInfo = {
      ...builtIn,
      kind: 'endpoint',
      origin: 'https://a.example',
      price: { input: 5, output: 5 },
    };
    const without = priceRange(request());
    const range = priceRange(request({ conductor }));
    expect(range?.low).toBeGreaterThan(without?.low ?? 0);
    expect(range?.high).toBeGreaterThan(without?.high ?? 0);
    expect(priceRange(request({ conductor: { ...conductor, price: null } }))).toBeNull();
  });

  test('is nobody’s to say where a price is unknown, and nothing where nobody charges', () => {
    const unknown = paid(0, 1, 1, { price: null });
    expect(priceRange(request({ pool: [unknown, dear] }))).toBeNull();
    expect(priceRange(request({ pool: [unknown, dear], planned: { steps: [step(1, 'Solve')] } }))).not.toBeNull();
    expect(priceRange(request({ pool: [unknown, dear], planned: null }))).toBeNull();
    expect(priceRange(request({ pool: [poolWorker(0), poolWorker(1)] }))).toEqual({ low: 0, high: 0 });
  });

  test('its upper end covers the worst case of each call that a known workflow makes', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 400 }),
        fc.string({ maxLength: 200 }),
        fc.nat(4000),
        (question, subtask, maxTokens) => {
          const range = priceRange(request({ question, maxTokens, planned: { steps: [step(1, subtask)] } }));
          const prompt = worstInput([{ role: 'user', content: question + subtask }]);
          expect(range?.high).toBeGreaterThanOrEqual((prompt * 10 + maxTokens * 20) / 1e6);
          expect(range?.low).toBeLessThanOrEqual(range?.high ?? 0);
        },
      ),
    );
  });
});
