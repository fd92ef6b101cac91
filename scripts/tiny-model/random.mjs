/**
 * Returns a function that draws numbers with mean 0 and standard deviation 1. Each number is a scaled sum of four numbers from
 * Mulberry32, which is close enough to a normal distribution.
 */
export function seededNormal(seed) {
  let state = seed;
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return () => (uniform() + uniform() + uniform() + uniform() - 2) * Math.sqrt(3);
}
