import { describe, expect, test } from 'vitest';
import { ChosenRuns } from '../../../src/app/runs/chosen-runs.svelte';

/** A list whose rows a test can replace, as filtering and sorting do. */
function stage(...rows: string[]) {
  const list = {
    rows,
    get length() {
      return list.rows.length;
    },
    ids: () => Promise.resolve(list.rows),
    idsBetween: (from: number, to: number) => Promise.resolve(list.rows.slice(from, to + 1)),
  };
  const chosen = new ChosenRuns(list);
  return { list, chosen, ids: () => [...chosen.ids].sort() };
}

describe('a selection', () => {
  test('grows or shrinks by a range with Shift, in either direction', async () => {
    const { chosen, ids } = stage('a', 'b', 'c', 'd', 'e');
    await chosen.choose('c', 2, true, false);
    await chosen.choose('e', 4, true, true);
    expect(ids()).toEqual(['c', 'd', 'e']);
    await chosen.choose('b', 1, true, true);
    expect(ids()).toEqual(['b', 'c', 'd', 'e']);
    await chosen.choose('d', 3, false, true);
    expect(ids()).toEqual(['e']);
  });

  test('grows by only one run on a click with Shift if the list was reordered since the last click', async () => {
    const { list, chosen, ids } = stage('a', 'b', 'c', 'd', 'e');
    await chosen.choose('a', 0, true, false);
    list.rows = ['e', 'd', 'c', 'b', 'a'];
    await chosen.choose('c', 2, true, true);
    expect(ids()).toEqual(['a', 'c']);
  });

  test('is “all” if it contains every listed run, and “Select all” selects no unlisted run', async () => {
    const { list, chosen, ids } = stage('a', 'b', 'c');
    await chosen.chooseAll(true);
    await chosen.compare();
    expect(chosen.isAll).toBe(true);
    list.rows = ['x', 'y'];
    await chosen.compare();
    expect(chosen.isAll).toBe(false);
    await chosen.chooseAll(true);
    await chosen.compare();
    expect([chosen.isAll, ids()]).toEqual([true, ['a', 'b', 'c', 'x', 'y']]);
    await chosen.chooseAll(false);
    await chosen.compare();
    expect([chosen.isAll, ids()]).toEqual([false, ['a', 'b', 'c']]);
  });
});
