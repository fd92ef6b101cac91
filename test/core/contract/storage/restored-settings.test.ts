import { describe, expect, test } from 'vitest';
import { DEFAULT_PREFERENCES, type Preferences } from '../../../../src/core/contract';
import { admitSettings } from '../../../../src/core/contract/storage/restored-settings';

const here: Preferences = {
  ...DEFAULT_PREFERENCES,
  pool: ['a', 'b'],
  caps: { rounds: 2, calls: 10, tokens: 1000, usd: 1 },
  dayUsd: 5,
  isPrivate: true,
  approval: true,
};

describe('restored settings', () => {
  test.each<[file: Preferences['conductor'], current: Preferences['conductor'], applies: boolean]>([
    [null, 'policy', false],
    [null, 'local:tiny', false],
    [null, 'endpoint:w1', true],
    ['policy', null, true],
    ['endpoint:w1', null, false],
  ])('with the Conductor %j replace the current %j without confirmation: %j', (conductor, current, applies) => {
    const admitted = admitSettings({ ...here, conductor }, { ...here, conductor: current });
    expect(admitted.conductor).toBe(applies ? conductor : current);
    expect(admitted.restored).toEqual(applies ? null : { conductor });
  });

  test.each<[string, Partial<Preferences>]>([
    ['a Conductor at a server', { conductor: 'endpoint:w1' }],
    ['a Conductor at a server with the policy', { conductor: 'policy-skeleton+endpoint:w1' }],
    ['another pool and another `otherPool`', { pool: ['a', 'c'], otherPool: ['sim:alder'] }],
    ['the default pool', { pool: null }],
    ['no daily budget', { dayUsd: null }],
    ['a larger budget', { dayUsd: 6 }],
    ['Private off', { isPrivate: false }],
    ['approval of plans turned off', { approval: false }],
    ['recursion', { recursion: true }],
    ['more effort', { effort: 'thorough' }],
    ['a second round in every run', { recursionMode: 'always' }],
    ['more retries of a plan', { planRetries: 4 }],
    ['a prompt for the Conductor', { prompts: { all: { examples: 'none' }, single: {} } }],
    ['longer answers', { maxTokens: 99_999 }],
    ['more candidate plans', { candidates: 2 }],
    ['the use of imported grades', { importedGrades: true }],
    ['more calls', { caps: { ...here.caps, calls: 11 } }],
    ['no cap on money', { caps: { ...here.caps, usd: null } }],
  ])('wait for the user’s confirmation: %s', (_, changed) => {
    expect(admitSettings({ ...here, ...changed }, here)).toEqual({ ...here, restored: changed });
  });

  test.each<[string, Partial<Preferences>]>([
    ['a Conductor in this page', { conductor: 'heuristic' }],
    ['the theme', { theme: 'dark' }],
    ['a smaller budget', { dayUsd: 1 }],
    ['less effort', { effort: 'quick' }],
    ['shorter answers', { maxTokens: 10 }],
    ['fewer retries of a plan', { planRetries: 0 }],
    ['tighter caps', { caps: { rounds: 1, calls: 1, tokens: 1, usd: 0 } }],
    ['the same pool in another order', { pool: ['b', 'a'] }],
  ])('apply at once: %s', (_, changed) => {
    expect(admitSettings({ ...here, ...changed }, here)).toEqual({ ...here, ...changed, pool: here.pool });
  });

  test('apply stricter caps at once, and ask the user to confirm the others', () => {
    const caps = { rounds: 1, calls: 50, tokens: null, usd: 0.5 };
    const admitted = admitSettings({ ...here, caps }, here);
    expect(admitted.caps).toEqual({ rounds: 1, calls: 10, tokens: 1000, usd: 0.5 });
    expect(admitted.restored).toEqual({ caps });
  });

  test('keep the current `otherPool` if the file has the same `pool`', () => {
    expect(admitSettings({ ...here, otherPool: ['c'] }, here)).toEqual(here);
  });

  test('add the saved filters of the file, and replace filters of the same name', () => {
    const filter = (name: string, query: string) => ({ name, query });
    const mine = { ...here, runFilters: [filter('Wrong', 'grade=wrong'), filter('Dear', 'cost=1..')] };
    const file = { ...here, runFilters: [filter('Wrong', 'grade=wrong&tag=hard'), filter('New', 'q=new')] };
    expect(admitSettings(file, mine).runFilters).toEqual([
      filter('Dear', 'cost=1..'),
      filter('Wrong', 'grade=wrong&tag=hard'),
      filter('New', 'q=new'),
    ]);
  });

  test('add the saved pools of the file, and keep current pools of the same name', () => {
    const pool = (name: string, ...workers: string[]) => ({ name, workers });
    const mine = { ...here, savedPools: [pool('Cheap', 'a')] };
    const file = { ...here, savedPools: [pool('Cheap', 'dear'), pool('Team', 'b', 'c')] };
    expect(admitSettings(file, mine).savedPools).toEqual([pool('Team', 'b', 'c'), pool('Cheap', 'a')]);
  });

  test('omit settings that were still unconfirmed when the backup was made', () => {
    expect(admitSettings({ ...here, restored: { isPrivate: false } }, here).restored).toBeNull();
  });
});
