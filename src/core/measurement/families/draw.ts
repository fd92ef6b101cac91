/** @file Random choices that the families share. */
import { randomIndex, shuffled, type Random } from '../../contract';

/** An integer from `low` to `high`, both included. */
export function between(random: Random, low: number, high: number): number {
  return low + randomIndex(random, high - low + 1);
}

/** One of the items. The list must not be empty. */
export function pickOf<T>(items: readonly T[], random: Random): T {
  return items[randomIndex(random, items.length)] as T;
}

/** Different items, in random order. */
export function sampleOf<T>(items: readonly T[], count: number, random: Random): T[] {
  return shuffled(items, random).slice(0, count);
}

/** A list of `count` drawn items. */
export function repeat<T>(count: number, draw: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => draw(index));
}

/** Draws until a draw is accepted. The caller makes sure that most draws are acceptable. */
export function drawUntil<T>(draw: () => T, isAccepted: (drawn: T) => boolean): T {
  for (let attempt = 0; attempt < 5_000; attempt++) {
    const drawn = draw();
    if (isAccepted(drawn)) return drawn;
  }
  throw new Error('No acceptable puzzle was drawn.');
}

/** A text of 0 and 1. */
export function randomBits(length: number, random: Random): string {
  return repeat(length, () => randomIndex(random, 2)).join('');
}
