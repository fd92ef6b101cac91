/**
 * @file A cache of training items, so that the answers of simulated workers are reused when an item recurs. An item is a question
 * with a pool, see `items.ts`.
 */
import { drawItem, type Item, type Society } from './items';

/**
 * Returns a function that gives the item with an index. The least recently used items are evicted, so memory does not
 * grow with the number of updates. An evicted item is drawn again from its seed and is identical.
 * @param recursion share of items whose Conductor may request a second round
 * @param capacity number of items kept
 */
export function cacheItems(
  society: Society,
  seed: number,
  recursion: number,
  capacity: number,
): (index: number) => Item {
  const items = new Map<number, Item>();
  return (index) => {
    const item = items.get(index) ?? drawItem(society, { seed, index, recursion });
    items.delete(index);
    items.set(index, item);
    const [oldest] = items.keys();
    if (items.size > capacity && oldest !== undefined) items.delete(oldest);
    return item;
  };
}
