import { describe, expect, it } from 'vitest';
import { admitPool, importPool } from '../../../src/app/workers/pool-import';
import {
  DEFAULT_PREFERENCES,
  SAVED_POOL_LIMITS,
  type PoolFile,
  type Preferences,
  type WorkerSetup,
} from '../../../src/core/contract';
import { readPoolFile } from '../../../src/platform/store/pool-file';
import { memorySetups } from '../../fixtures/memory-setups';

const BASE = 'https://api.example.com/v1';
const BUILT_IN = [
  { id: 'sim:alder', kind: 'simulated' as const },
  { id: 'python', kind: 'python' as const },
];

function setupOf(id: string, more: Partial<WorkerSetup> = {}): WorkerSetup {
  const look = { mark: 'W', colour: 1, price: null, description: '', needsKey: true };
  return { id, name: id, baseUrl: BASE, model: id, ...look, ...more };
}

function fileOf(more: Partial<PoolFile>): PoolFile {
  return { pool: null, workers: [], conductor: null, preferences: DEFAULT_PREFERENCES, ...more };
}

function admit(
  file: Partial<PoolFile>,
  setups: readonly WorkerSetup[] = [],
  savedPools = [] as Preferences['savedPools'],
) {
  return admitPool(fileOf(file), 'podium-pool.json', { setups, builtIn: BUILT_IN, savedPools }, () => 'new-id');
}

describe('a pool from a file', () => {
  it('adds its workers without their connections, and they wait for confirmation', () => {
    const workers = [setupOf('w1', { connection: 'theirs' }), setupOf('planner')];
    const { pool, added } = admit({ name: ' Team ', pool: ['w1', 'python'], workers });
    expect(pool).toEqual({ name: 'Team', workers: ['w1', 'python'] });
    expect(added).toEqual([setupOf('w1', { unconfirmed: true }), setupOf('planner', { unconfirmed: true })]);
  });

  it('keeps a worker that already exists unchanged', () => {
    const mine = setupOf('mine', { name: 'Desk', model: 'm', description: 'My words.' });
    const { pool, added, present } = admit({ workers: [setupOf('theirs', { name: 'Desk', model: 'm' })] }, [mine]);
    expect([pool.workers, added, present]).toEqual([['mine'], [], 1]);
  });

  it.each(['taken', 'sim:alder', 'local:x'])('gives a new id to a worker with the id %s of another worker', (id) => {
    const { pool, added } = admit({ pool: [id], workers: [setupOf(id)] }, [setupOf('taken', { model: 'other' })]);
    expect([pool.workers, added[0]?.id]).toEqual([['new-id'], 'new-id']);
  });

  it.each([
    ['all its workers', [setupOf('a'), setupOf('b')], ['a', 'b']],
    ['the simulated workers if it has none', [], ['sim:alder']],
  ])('without a list of ids has %s', (_, workers, ids) => {
    expect(admit({ workers }).pool.workers).toEqual(ids);
  });

  it('gets the name of the file, or a number if the name is taken', () => {
    const workers = [setupOf('a')];
    const named = (name: string) => ({ name, workers: ['x'] });
    expect(admit({ workers }).pool.name).toBe('podium-pool');
    expect(admit({ name: 'Team', workers }, [], [named('Team'), named('Team 2')]).pool.name).toBe('Team 3');
    expect(admit({ name: '\u202E\u0000 ', workers }).pool.name).toBe('Imported pool');
    expect(admit({ name: '𝄞'.repeat(90), workers }).pool.name.length).toBeLessThanOrEqual(SAVED_POOL_LIMITS.name);
  });

  it('is refused if it names a missing worker, has none, or there are too many', () => {
    expect(() => admit({ pool: ['gone'], workers: [setupOf('a')] })).toThrow('The pool contains gone');
    expect(() => admit({ pool: [] })).toThrow('no workers');
    expect(() => admit({ workers: Array.from({ length: 201 }, (_, i) => setupOf(`w${i}`)) })).toThrow('at most 200');
    const full = Array.from({ length: SAVED_POOL_LIMITS.count }, (_, i) => ({ name: `${i}`, workers: ['a'] }));
    expect(() => admit({ workers: [setupOf('a')] }, [], full)).toThrow('already 50 saved pools');
  });
});

describe('importing a pool file', () => {
  function stage(...setups: WorkerSetup[]) {
    const memory = memorySetups(...setups);
    let current: Preferences = DEFAULT_PREFERENCES;
    const preferences = {
      get current() {
        return current;
      },
      change: (fields: Partial<Preferences>) => void (current = { ...current, ...fields }),
    };
    const services = {
      setups: memory.setups,
      simulated: [],
      tools: [],
      readPoolFile: async (text: string) => readPoolFile(text),
    };
    const load = async () => void (await memory.setups.list());
    const run = (text: string, size = text.length) =>
      importPool(services, { setups: [...memory.kept.values()], load }, preferences, {
        name: 'team.json',
        size,
        text: () => Promise.resolve(text),
      });
    return { memory, preferences, run };
  }

  const pool = (worker: object) =>
    JSON.stringify({ format: 'podium-pool', version: 1, name: 'Team', workers: [{ ...setupOf('w1'), ...worker }] });

  it('attaches workers to the connection of the same server, and stores no key from the file', async () => {
    const { memory, preferences, run } = stage(setupOf('mine'));
    await memory.setups.list();
    const [connection] = memory.connected.keys();
    await run(pool({ connection: 'theirs', apiKey: 'sk-from-the-file' }));
    expect(memory.kept.get('w1')).toEqual(setupOf('w1', { connection, unconfirmed: true }));
    expect(memory.connected.size).toBe(1);
    expect(preferences.current.savedPools).toEqual([{ name: 'Team', workers: ['w1'] }]);
  });

  it('keeps lessons of the file until the user confirms them, with the ids that the workers got here', async () => {
    const { preferences, run } = stage(setupOf('w1', { model: 'other' }));
    const workers = ['w1', 'planner'].map((id) => setupOf(id));
    const learned = [
      { conductor: 'endpoint:planner', pool: [{ id: 'w1', name: 'w1', model: 'w1' }], lessons: [{ text: 'Ask w1.' }] },
    ];
    const settings = { prompts: { all: {}, single: {}, learned } };
    await run(JSON.stringify({ format: 'podium-pool', version: 1, workers, settings }));
    const here = preferences.current.savedPools[0]?.workers[0];
    expect(here).not.toBe('w1');
    expect(preferences.current.prompts.learned).toBeUndefined();
    expect(preferences.current.restored?.prompts?.learned).toEqual([
      { ...learned[0], pool: [{ id: here, name: 'w1', model: 'w1' }] },
    ]);
  });

  it('gives a worker at another server a connection that is not confirmed', async () => {
    const { memory, run } = stage(setupOf('mine'));
    await memory.setups.list();
    await run(pool({ baseUrl: 'https://evil.example/v1' }));
    expect([...memory.connected.values()].filter(({ unconfirmed }) => unconfirmed)).toMatchObject([
      { baseUrl: 'https://evil.example/v1' },
    ]);
  });

  it.each([
    ['not JSON', '{', undefined, 'This file is not JSON.'],
    ['another format', '{"format":"podium-run"}', undefined, 'This file is not a pool.'],
    ['a later version', '{"format":"podium-pool","version":9}', undefined, 'newer version of Podium'],
    ['too large', pool({}), 3e6, 'too large'],
    ['a worker with an unusable address', pool({ baseUrl: 'javascript:alert(1)' }), undefined, 'http:// or https://'],
  ])('refuses a file that is %s with a sentence, and changes nothing', async (_, text, size, sentence) => {
    const { memory, preferences, run } = stage();
    await expect(run(text, size)).rejects.toThrow(sentence);
    expect([memory.kept.size, preferences.current]).toEqual([0, DEFAULT_PREFERENCES]);
  });
});
