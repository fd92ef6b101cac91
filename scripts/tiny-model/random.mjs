/**
 * Returns a function that draws approximately normal numbers with mean 0 and standard deviation 1.
 * Each number is a shifted and scaled sum of four uniform numbers from the generator Mulberry32.
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
