/** @file Linear algebra for symmetric positive definite matrices. Matrices are square and stored by rows. */

/** Replaces the lower triangle of a matrix by its Cholesky factor L, so that matrix = L·Lᵀ. */
export function factorize(matrix: Float64Array, size: number): void {
  for (let row = 0; row < size; row++) {
    const rowStart = row * size;
    for (let column = 0; column <= row; column++) {
      const columnStart = column * size;
      let sum = at(matrix, rowStart + column);
      for (let inner = 0; inner < column; inner++)
        sum -= at(matrix, rowStart + inner) * at(matrix, columnStart + inner);
      matrix[rowStart + column] =
        row === column ? Math.sqrt(Math.max(sum, 1e-12)) : sum / at(matrix, columnStart + column);
    }
  }
}

/** Solves L·x = vector in place. @param first the elements before this one are 0 */
export function solveLower(factor: Float64Array, size: number, vector: Float64Array, first = 0): void {
  for (let row = first; row < size; row++) {
    let sum = at(vector, row);
    for (let column = first; column < row; column++) sum -= at(factor, row * size + column) * at(vector, column);
    vector[row] = sum / at(factor, row * size + row);
  }
}

/** Solves Lᵀ·x = vector in place. */
export function solveUpper(factor: Float64Array, size: number, vector: Float64Array): void {
  for (let row = size - 1; row >= 0; row--) {
    const value = at(vector, row) / at(factor, row * size + row);
    vector[row] = value;
    for (let column = 0; column < row; column++) {
      vector[column] = at(vector, column) - at(factor, row * size + column) * value;
    }
  }
}

/** The inverse of L·Lᵀ. */
export function inverseOf(factor: Float64Array, size: number): Float64Array {
  const inverse = new Float64Array(size * size);
  for (let row = 0; row < size; row++) {
    const column = inverse.subarray(row * size, (row + 1) * size);
    column[row] = 1;
    solveLower(factor, size, column, row);
    solveUpper(factor, size, column);
  }
  return inverse;
}

/** An element, without the check that the compiler asks for. The callers stay within the bounds. */
export function at(values: Float64Array, index: number): number {
  return values[index] ?? 0;
}
