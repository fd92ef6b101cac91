import { describe, expect, it } from 'vitest';
import { expectedSuccess, rankedBy, rankWorkers } from '../../../src/core/conductor/ranking';
import { CONDUCTOR_ENTRY, pool, request, worker } from './requests';

const graded = (workerId: string, role: 'solve' | 'any', right: number, of: number) => ({
  workerId,
  role,
  right,
  graded: of,
});

describe('expectedSuccess', () => {
  it('is the declared strength where nothing was graded', () => {
    expect(expectedSuccess(worker(0, { strengths: { solve: 0.8 } }), 'solve', [])).toBeCloseTo(0.8);
  });

  it('takes the mean of the other strengths for a role that none is declared for, and one half for unknown workers', () => {
    const some = worker(0, { strengths: { solve: 0.8, verify: 0.4 } });
    expect(expectedSuccess(some, 'decide', [])).toBeCloseTo(0.6);
    expect(expectedSuccess(worker(0), 'decide', [])).toBe(0.5);
  });

  it('moves from the declared strength to what was seen as calls add up', () => {
    const claimed = worker(0, { strengths: { solve: 0.9 } });
    const few = expectedSuccess(claimed, 'solve', [graded('alder', 'solve', 0, 2)]);
    const many = expectedSuccess(claimed, 'solve', [graded('alder', 'solve', 0, 100)]);
    expect(few).toBeGreaterThan(0.5);
    expect(many).toBeLessThan(0.05);
  });

  it('counts any role only where the role itself was never graded', () => {
    const history = [graded('alder', 'any', 40, 40), graded('alder', 'solve', 0, 40)];
    expect(expectedSuccess(worker(0), 'solve', history)).toBeLessThan(0.1);
    expect(expectedSuccess(worker(0), 'verify', history)).toBeGreaterThan(0.9);
  });
});

describe('rankWorkers', () => {
  it('leaves out the Conductor and Python, and keeps the order of equals', () => {
    const asked = request({
      pool: [worker(0), worker(1, { kind: 'python' }), worker(2), CONDUCTOR_ENTRY],
      recursion: true,
    });
    expect(rankWorkers(asked, 'solve', [])).toEqual([0, 2]);
  });

  it('says what it went by', () => {
    const declared = request({ pool: [worker(0, { strengths: { solve: 0.4 } })] });
    expect(rankedBy(request({ pool: pool(2) }), [])).toBe('order');
    expect(rankedBy(declared, [])).toBe('strength');
    expect(rankedBy(declared, [graded('someone else', 'any', 1, 1)])).toBe('strength');
    expect(rankedBy(declared, [graded('alder', 'any', 1, 1)])).toBe('history');
  });
});
