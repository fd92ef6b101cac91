import { describe, expect, it } from 'vitest';
import { SUBTASK } from '../../../../src/core/conductor/wording';
import type { Step } from '../../../../src/core/contract';
import { playRound, type Item, cacheItems } from '../../../../src/core/training/environment/items';
import { smallSociety } from '../society';

const society = smallSociety();

describe('cacheItems', () => {
  it('evicts the least recently used item, and later draws an identical item', () => {
    const places = [0, 1, 2, 0, 3, 4, 1, 0, 2];
    const steps: Step[] = [{ worker: 0, subtask: SUBTASK.solve, access: [] }];
    const follow = (most: number) => {
      const item = cacheItems(society, 7, 0, most);
      return places.map((place) => item(place));
    };
    const [all, few] = [follow(100), follow(2)];
    const observe = (items: readonly Item[]) =>
      items.map((item) => ({ request: item.request, input: item.input, played: playRound(item, steps) }));
    expect(observe(few)).toEqual(observe(all));
    expect(new Set(all).size, 'no item is evicted').toBe(5);
    expect(new Set(few).size, 'the least recently used items are evicted').toBe(9);
    const item = cacheItems(society, 7, 0, 2);
    const first = item(0);
    item(1);
    expect(item(0), 'an item that was used again stays').toBe(first);
    item(2);
    expect(item(0)).toBe(first);
  });
});
