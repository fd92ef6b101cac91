import { afterEach, beforeEach, expect, it } from 'vitest';
import { createEngine } from '../../src/node/engine';
import { createPassingStore } from '../../src/node/serve/passing-store';
import { temporaryFolder, writePool } from '../fixtures/podium-server';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

async function engineWith(settings: object) {
  const workers = [{ id: 'desk', baseUrl: 'http://127.0.0.1:9', model: 'm' }];
  const pool = await writePool(folder.path, workers, { settings });
  const store = createPassingStore();
  return createEngine({ pool, keys: null, environment: {}, conductor: null, usd: null, store });
}

it('a request uses its own seed, or else the seed of the pool file', async () => {
  const engine = await engineWith({ seed: 5 });
  expect(engine.request('Why?', { seed: 7 }).seed).toBe(7);
  expect(engine.request('Why?', { seed: 0 }).seed).toBe(0);
  expect(engine.request('Why?').seed).toBe(5);
});

it('a request gets a random seed if neither it nor the pool file has one', async () => {
  const engine = await engineWith({});
  expect(engine.request('Why?').seed).not.toBe(engine.request('Why?').seed);
});
