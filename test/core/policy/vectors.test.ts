import { describe, expect, it } from 'vitest';
import { gaussian, randomIndex, seededRandom, type Random } from '../../../src/core/contract';
import { product } from '../../../src/core/policy/vectors';

function draw(length: number, random: Random): Float32Array {
  return Float32Array.from({ length }, () => (random() < 0.3 ? 0 : gaussian(random)));
}

/** Adds the matrix's rows one at a time, and rounds each sum to 32 bits after every row. */
function plainProduct(vectors: Float32Array, rows: number, columns: number, values: Float32Array): Float32Array {
  const sums = new Float32Array((vectors.length / rows) * columns);
  for (const [at, factor] of vectors.entries()) {
    if (factor === 0) continue;
    const [vector, row] = [Math.floor(at / rows), at % rows];
    for (let column = 0; column < columns; column++) {
      const to = vector * columns + column;
      sums[to] = (sums[to] ?? 0) + factor * (values[row * columns + column] ?? 0);
    }
  }
  return sums;
}

describe('the product of vectors and a matrix', () => {
  it('equals the sum of the rows in their order, bit for bit, for any number of rows that are not zero', () => {
    const random = seededRandom(7);
    for (let round = 0; round < 200; round++) {
      const [count, rows, columns] = [1 + randomIndex(random, 4), 1 + randomIndex(random, 30), randomIndex(random, 9)];
      const [vectors, values] = [draw(count * rows, random), draw(rows * columns, random)];
      const found = product(vectors, { rows, columns, values });
      expect(new Uint32Array(found.buffer)).toEqual(
        new Uint32Array(plainProduct(vectors, rows, columns, values).buffer),
      );
    }
  });

  it('is zero for a vector of zeros', () => {
    const values = Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    expect(product(new Float32Array(5), { rows: 5, columns: 2, values })).toEqual(new Float32Array(2));
  });
});
