import { describe, expect, it, test } from 'vitest';
import {
  chosenIds,
  withJoined,
  withoutRemoved,
  withPractice,
  withWorker,
  type KnownWorkers,
  type PoolChoice,
} from '../../../src/app/state/pool-choice';
import { withRealOnly } from '../../../src/app/state/replace-pool';
import type { PoolWorker, WorkerKind } from '../../../src/core/contract';

function worker(id: string, kind: WorkerKind): PoolWorker {
  const origin = kind === 'endpoint' ? 'https://api.example.com' : null;
  return { id, name: id, mark: id, colour: 1, kind, model: id, origin, price: null };
}

const BUILT_IN = [worker('alder', 'simulated'), worker('birch', 'simulated'), worker('python', 'python')];
const A = worker('a', 'endpoint');
const B = worker('b', 'endpoint');
const MODEL = worker('model', 'local');

function known(...added: readonly PoolWorker[]): KnownWorkers {
  const all = [...BUILT_IN, ...added];
  return { all, offered: all };
}

/** The workers while the Private setting is on. Only workers without an origin are offered. */
function inPrivate(...added: readonly PoolWorker[]): KnownWorkers {
  const { all } = known(...added);
  return { all, offered: all.filter(({ origin }) => origin === null) };
}

const UNCHOSEN: PoolChoice = { pool: null, otherPool: null };

describe('the default pool', () => {
  it.each([
    ['the simulated workers', known(), ['alder', 'birch']],
    ['the simulated workers, even if a local model is loaded', known(MODEL), ['alder', 'birch']],
    ['the user’s own workers', known(A, B), ['a', 'b']],
    ['the simulated workers with Private on', inPrivate(A), ['alder', 'birch']],
  ])('contains %s', (_, workers, expected) => {
    expect(chosenIds(UNCHOSEN, workers)).toEqual(expected);
  });
});

/** A real worker is a server's model or a local model. A practice pool has simulated workers and no real worker. */
describe('the first real worker', () => {
  const practice: PoolChoice = { pool: ['alder', 'python'], otherPool: null };

  it.each([
    ['added', (choice: PoolChoice) => withJoined(choice, known(A), ['a'])],
    ['chosen', (choice: PoolChoice) => withWorker(choice, known(A), 'a', true)],
  ])('that is %s replaces the simulated workers but not the Python worker', (_, join) => {
    expect(join(practice)).toEqual({ pool: ['python', 'a'], otherPool: ['alder', 'python'] });
  });

  it('stays in the pool when a second real worker is added', () => {
    const first = withJoined(practice, known(A), ['a']);
    expect(withJoined(first, known(A, B), ['b']).pool).toEqual(['python', 'a', 'b']);
  });

  it('can be the loaded local model', () => {
    expect(withWorker(UNCHOSEN, known(MODEL), 'model', true)).toEqual({
      pool: ['model'],
      otherPool: ['alder', 'birch'],
    });
  });
});

describe('while the practice pool is in use', () => {
  it('creating a real worker restores the earlier real pool and adds the worker to it', () => {
    const choice = { pool: ['alder', 'birch'], otherPool: ['a'] };
    expect(withJoined(choice, known(A, B), ['b'])).toEqual({ pool: ['a', 'b'], otherPool: ['alder', 'birch'] });
  });

  it('choosing a real worker restores the earlier real pool and adds the worker to it', () => {
    const choice = { pool: ['alder', 'birch'], otherPool: ['python', 'a'] };
    const expected = { pool: ['python', 'a', 'b'], otherPool: ['alder', 'birch'] };
    expect(withWorker(choice, known(A, B), 'b', true)).toEqual(expected);
    expect(withWorker(expected, known(A, B), 'a', false).pool).toEqual(['python', 'b']);
  });
});

describe('a pool with real and simulated workers', () => {
  it('is created when the user adds a simulated worker to a real pool', () => {
    expect(withWorker({ pool: ['a'], otherPool: null }, known(A), 'alder', true).pool).toEqual(['a', 'alder']);
  });

  it('keeps all its workers when the user creates another real worker', () => {
    const old = { pool: ['alder', 'birch', 'a'], otherPool: null };
    expect(chosenIds(old, known(A))).toEqual(old.pool);
    expect(withJoined(old, known(A, B), ['b']).pool).toEqual(['alder', 'birch', 'a', 'b']);
  });

  it('keeps its real workers and Python when the simulated workers are removed', () => {
    expect(withRealOnly({ pool: ['alder', 'python', 'a'], otherPool: null }, known(A)).pool).toEqual(['python', 'a']);
  });
});

describe('the Practice switch', () => {
  it('restores the practice pool when turned on, and the real pool when turned off', () => {
    const workers = known(A, B);
    const real: PoolChoice = { pool: ['b', 'python'], otherPool: ['birch'] };
    const practice = withPractice(real, workers, true);
    expect(practice.pool).toEqual(['birch']);
    expect(withPractice(practice, workers, false)).toEqual(real);
  });

  it('restores a pool with real and simulated workers when turned off', () => {
    const mixed: PoolChoice = { pool: ['alder', 'a'], otherPool: null };
    const practice = withPractice(mixed, known(A), true);
    expect(practice.pool).toEqual(['alder', 'birch']);
    expect(withPractice(practice, known(A), false).pool).toEqual(mixed.pool);
  });

  it('chooses all workers of the user when turned off without an earlier real pool', () => {
    expect(withPractice({ pool: ['alder'], otherPool: null }, known(A, B), false).pool).toEqual(['a', 'b']);
  });

  it('chooses the loaded model when turned off without another real worker', () => {
    expect(withPractice(UNCHOSEN, known(MODEL), false).pool).toEqual(['model']);
  });
});

describe('a pool whose real workers are not available', () => {
  const real: PoolChoice = { pool: ['a'], otherPool: null };

  it('is replaced by the practice pool until its workers are available', () => {
    expect(chosenIds(real, inPrivate(A))).toEqual(['alder', 'birch']);
    expect(chosenIds({ pool: ['model'], otherPool: ['birch'] }, known())).toEqual(['birch']);
    expect(chosenIds(real, known(A))).toEqual(['a']);
  });

  it('is kept when the user changes the practice pool that replaces it', () => {
    expect(withWorker(real, inPrivate(A), 'alder', false)).toEqual({ pool: ['birch'], otherPool: ['a'] });
  });

  it('keeps its unavailable workers when the user chooses another real worker', () => {
    expect(withWorker(real, inPrivate(A, MODEL), 'model', true).pool).toEqual(['a', 'model']);
  });
});

test('a pool stays empty if the user removed every worker', () => {
  expect(chosenIds({ pool: [], otherPool: null }, known(A))).toEqual([]);
});

describe('removing a worker', () => {
  it('restores the earlier practice pool if no real worker is left', () => {
    const left = withoutRemoved({ pool: ['a'], otherPool: ['birch'] }, known(A), 'a');
    expect(left).toEqual({ pool: ['birch'], otherPool: null });
  });

  it('keeps the other workers in the pool if a real worker is left', () => {
    expect(withoutRemoved({ pool: ['a', 'b'], otherPool: null }, known(A, B), 'a').pool).toEqual(['b']);
    expect(withoutRemoved({ pool: ['a', 'model'], otherPool: null }, known(A, MODEL), 'a').pool).toEqual(['model']);
  });
});
