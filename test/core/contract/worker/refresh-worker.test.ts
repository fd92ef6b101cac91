import { describe, expect, it } from 'vitest';
import type { ListedModel, WorkerSetup } from '../../../../src/core/contract';
import { refreshedWorker } from '../../../../src/core/contract/worker/refresh-worker';

const TODAY = '2026-11-28';
const CHEAP = { input: 1, output: 2 };
const DEAR = { input: 3, output: 4 };
const worker: WorkerSetup = {
  ...{ id: 'w', name: 'W', mark: 'Wo', colour: 1, model: 'm', description: '', needsKey: true },
  baseUrl: 'https://one.example/v1',
  price: null,
};
const listed: ListedModel = {
  id: 'm',
  price: CHEAP,
  canSee: true,
  contextWindow: 1000,
  maxOutput: 100,
  parameters: ['temperature'],
};

describe('a worker’s provider’s list', () => {
  it('fills what the worker has not set', () => {
    expect(refreshedWorker(worker, undefined, listed, TODAY)).toEqual({
      ...worker,
      canSee: true,
      contextWindow: 1000,
      price: CHEAP,
      priced: { by: 'provider', date: TODAY },
      listed: { maxOutput: 100, parameters: ['temperature'] },
    });
  });

  it('is followed by values of an earlier list, and by no value of the user’s own', () => {
    const now = { ...listed, contextWindow: 2000, canSee: false, maxOutput: 200 };
    const filled = refreshedWorker(worker, undefined, listed, TODAY);
    expect(refreshedWorker(filled, listed, now, TODAY)).toMatchObject({
      contextWindow: 2000,
      canSee: false,
      listed: { maxOutput: 200 },
    });
    const own = { ...filled, contextWindow: 500, canSee: false };
    expect(refreshedWorker(own, listed, { ...now, canSee: true }, TODAY)).toMatchObject({
      contextWindow: 500,
      canSee: false,
    });
  });

  it('marks a changed price until the user has seen it, also if it changes again or back', () => {
    const filled = refreshedWorker(worker, undefined, listed, TODAY);
    const dear = { ...listed, price: DEAR };
    const changed = refreshedWorker(filled, listed, dear, TODAY);
    expect(changed).toMatchObject({ price: DEAR, listed: { priceBefore: CHEAP } });
    expect(refreshedWorker(changed, dear, dear, TODAY)).toEqual(changed);
    expect(refreshedWorker(changed, dear, { ...dear, price: { input: 5, output: 6 } }, TODAY)).toMatchObject({
      listed: { priceBefore: CHEAP },
    });
    expect(refreshedWorker(changed, dear, listed, TODAY).listed).not.toHaveProperty('priceBefore');
  });

  it('marks a changed price at a worker with a price of the user’s own, which stays', () => {
    const own = { ...worker, price: DEAR, priced: { by: 'person', date: '2026-01-01' } } as const;
    expect(refreshedWorker(own, listed, listed, TODAY).listed).not.toHaveProperty('priceBefore');
    expect(refreshedWorker(own, listed, { ...listed, price: { input: 9, output: 9 } }, TODAY)).toMatchObject({
      price: DEAR,
      priced: own.priced,
      listed: { priceBefore: CHEAP },
    });
  });

  it('marks a model that has vanished, and removes the mark when it is back', () => {
    const gone = refreshedWorker(refreshedWorker(worker, undefined, listed, TODAY), listed, undefined, TODAY);
    expect(gone).toMatchObject({ price: CHEAP, listed: { isGone: true, parameters: ['temperature'] } });
    expect(refreshedWorker(gone, undefined, listed, TODAY).listed).not.toHaveProperty('isGone');
  });
});
