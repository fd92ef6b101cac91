/** @file Quantiles of the normal distribution, of Student's t-distribution, and of samples. */

const A = [
  -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716, 2.506628277459239,
];
const B = [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572, 1];
const C = [
  -0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968,
  2.938163982698783,
];
const D = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416, 1];

/** The quantile of the standard normal distribution, by Acklam's approximation (relative error below 1.2e-9). */
export function normalQuantile(share: number): number {
  const tail = 0.02425;
  if (share > 1 - tail) return -normalQuantile(1 - share);
  if (share < tail) {
    const q = Math.sqrt(-2 * Math.log(share));
    return polynomial(C, q) / polynomial(D, q);
  }
  const q = share - 0.5;
  return (polynomial(A, q * q) * q) / polynomial(B, q * q);
}

/** The 97.5 % quantile of Student's t-distribution. @param freedom degrees of freedom, at least 1 */
export function studentQuantile(freedom: number): number {
  // The expansion below is wrong by 11 % for 1 degree of freedom, and by 0.7 % for 2 degrees. So these two values are constants.
  if (freedom <= 1) return 12.7062047362;
  if (freedom <= 2) return 4.3026527297;
  const z = 1.959963984540054;
  const terms = [
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
    (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92160,
  ];
  return terms.reduce((sum, term, index) => sum + term / freedom ** (index + 1), z);
}

function polynomial(coefficients: readonly number[], at: number): number {
  return coefficients.reduce((sum, coefficient) => sum * at + coefficient, 0);
}

/** A sample of at most this many values is sorted. The values of a larger sample are counted in buckets, which is faster. */
const SORTED = 512;
const BUCKETS = 1024;

/**
 * Quantiles of a sample, interpolated between the two nearest values.
 * @param values at least one, all finite, in any order
 * @param shares from 0 to 1
 */
export function quantiles(values: Float64Array, shares: readonly number[]): number[] {
  const places = shares.map((share) => share * (values.length - 1));
  const ranks = places.flatMap((at) => [Math.floor(at), Math.ceil(at)]);
  const found = valuesAt(values, ranks);
  return places.map((at, index) => {
    const [low, high] = [found[2 * index] ?? NaN, found[2 * index + 1] ?? NaN];
    return low === high ? low : low + (high - low) * (at - Math.floor(at));
  });
}

/** The values at these indexes of the sorted sample. */
function valuesAt(values: Float64Array, ranks: readonly number[]): number[] {
  if (values.length <= SORTED) return sortedAt(values, ranks);
  let least = Infinity;
  let most = -Infinity;
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? 0;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  if (least === most) return ranks.map(() => least);
  const scale = (BUCKETS - 1) / (most - least);
  // For very large values, the range is infinite and the scale is 0. For very close values, the scale is
  // infinite. In both cases, the values can't be divided into buckets.
  if (!(scale > 0 && scale < Infinity)) return sortedAt(values, ranks);
  // Every value of a bucket is below every value of the next bucket. No bucket has all values, so the recursion ends.
  const buckets = new Uint16Array(values.length);
  const ends = new Uint32Array(BUCKETS);
  for (let index = 0; index < values.length; index++) {
    const bucket = ((values[index] ?? 0) - least) * scale;
    buckets[index] = bucket;
    const place = buckets[index] ?? 0;
    ends[place] = (ends[place] ?? 0) + 1;
  }
  for (let bucket = 1; bucket < BUCKETS; bucket++) ends[bucket] = (ends[bucket] ?? 0) + (ends[bucket - 1] ?? 0);
  const held = new Map<number, Float64Array>();
  return ranks.map((rank) => {
    const bucket = ends.findIndex((end) => end > rank);
    const start = bucket === 0 ? 0 : (ends[bucket - 1] ?? 0);
    const inside = held.get(bucket) ?? collect(values, buckets, bucket, (ends[bucket] ?? 0) - start);
    held.set(bucket, inside);
    return valuesAt(inside, [rank - start])[0] ?? NaN;
  });
}

function sortedAt(values: Float64Array, ranks: readonly number[]): number[] {
  const sorted = values.slice().sort();
  return ranks.map((rank) => sorted[rank] ?? NaN);
}

/** The `count` values of a bucket. */
function collect(values: Float64Array, buckets: Uint16Array, bucket: number, count: number): Float64Array {
  const inside = new Float64Array(count);
  let next = 0;
  for (let index = 0; next < count; index++) {
    if (buckets[index] === bucket) inside[next++] = values[index] ?? 0;
  }
  return inside;
}
