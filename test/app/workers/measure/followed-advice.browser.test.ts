import { expect, test } from 'vitest';
import type { Services } from '../../../../src/app/services';
import { AppState } from '../../../../src/app/state/app-state.svelte';
import { beforeFollowed, follow, isFollowed, unfollow } from '../../../../src/app/workers/measure/followed-advice';
import type { WorkerSetup } from '../../../../src/core/contract';
import type { Advice } from '../../../../src/core/measurement/report/advice';
import { memorySetups } from '../../../fixtures/memory-setups';
import { measuredWorker } from '../../../core/measurement/session/measured';
import { conductStage } from '../../conduct/conduct-services';

const setupOf = (id: string): WorkerSetup => ({
  id,
  name: id,
  mark: id.slice(0, 2),
  colour: 1,
  baseUrl: 'https://api.example.com/v1',
  model: id,
  price: null,
  description: '',
  needsKey: false,
});
const [ASH, BAY] = [measuredWorker('ash'), measuredWorker('bay')];
const DESK = measuredWorker('desk', { kind: 'local', origin: null });
const ALONE: Advice = { kind: 'alone', worker: ASH, near: 0.9, byDomain: true, usdPerRight: 1, others: [] };
const BOTH: Advice = { kind: 'pool', workers: [ASH, BAY], leaders: [], left: [] };

async function stage() {
  const { setups, connections } = memorySetups(setupOf('ash'), setupOf('bay'), setupOf('cedar'));
  const tools = [measuredWorker('python', { kind: 'python', origin: null }), DESK];
  const services: Services = { ...conductStage().services, setups, connections, tools };
  const app = new AppState(services, '');
  await app.load();
  return { workers: app.workers, preferences: app.preferences };
}

test('uses one worker alone with one call, and undoes it', async () => {
  const parts = await stage();
  const { workers, preferences } = parts;
  expect(isFollowed(ALONE, parts)).toBe(false);
  follow(ALONE, parts);
  expect(workers.pool.map(({ id }) => id)).toEqual(['ash']);
  expect(preferences.current.conductor).toBe('template:best-single');
  expect(isFollowed(ALONE, parts)).toBe(true);
  unfollow(ALONE, parts);
  expect(workers.pool.map(({ id }) => id)).toEqual(['ash', 'bay', 'cedar']);
  expect(preferences.current.conductor).toBeNull();
  expect(beforeFollowed(ALONE)).toBeNull();
});

test('uses a local model alone', async () => {
  const parts = await stage();
  const local: Advice = { ...ALONE, worker: DESK };
  follow(local, parts);
  expect(parts.workers.pool).toEqual([DESK]);
  expect(isFollowed(local, parts)).toBe(true);
});

test('uses the workers that cover all domains, keeps Python, and lets a Conductor plan again', async () => {
  const parts = await stage();
  const { workers, preferences } = parts;
  preferences.change({ pool: ['ash', 'python'], conductor: 'template:best-single' });
  follow(BOTH, parts);
  expect(preferences.current).toMatchObject({ pool: ['ash', 'bay', 'python'], conductor: null });
  expect(workers.pool).toHaveLength(3);
  expect(isFollowed(BOTH, parts)).toBe(true);
  unfollow(BOTH, parts);
  expect(preferences.current).toMatchObject({ pool: ['ash', 'python'], conductor: 'template:best-single' });
});

test('changes effort and skipping, and undoes each alone', async () => {
  const parts = await stage();
  const { preferences } = parts;
  const effort: Advice = { kind: 'effort', effort: 'quick', worker: ASH, low: 0.9, high: 0.95 };
  const skipping: Advice = { kind: 'skipping', skip: false, checkers: [ASH], passed: 8, wrong: 10 };
  for (const advice of [effort, skipping]) follow(advice, parts);
  expect(preferences.current).toMatchObject({ effort: 'quick', skipSettled: false });
  unfollow(effort, parts);
  expect(preferences.current).toMatchObject({ effort: 'thorough', skipSettled: false });
  unfollow(skipping, parts);
  expect(preferences.current.skipSettled).toBe(true);
});
