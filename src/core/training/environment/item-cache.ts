/**
 * @file A cache of training items, so that the answers of simulated workers are reused when an item recurs. An item is a question
 * with a pool, see `items.ts`.
 */
import { drawItem, type Item, type Society } from './items';

/**
 * Returns a function from an index to its item. The least recently used items are evicted. An evicted item can be drawn again
 * from its seed and is then identical.
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
