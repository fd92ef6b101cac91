/**
 * @file A cache of training items, so that the answers of simulated workers are reused when an item recurs. An item is a question
 * with a pool, see `items.ts`.
 */
import { drawItem, type Item, type Society } from './items';

/**
 * Creates a function that returns the item with a given index, from the cache or newly drawn. The least
 * recently used items are evicted. If an evicted item is drawn again, it is identical.
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
