import { baseConversion } from '../../../../src/core/measurement/families/maths/base-conversion';
import { modularChain } from '../../../../src/core/measurement/families/maths/modular-chain';
import { polynomialProduct } from '../../../../src/core/measurement/families/maths/polynomial-product';
import { recurrence } from '../../../../src/core/measurement/families/maths/recurrence';
import { gridSum } from '../../../../src/core/measurement/families/maths/grid-sum';
import { describeFamily } from './describe-family';

describeFamily(gridSum, (_, { question }) => {
  // Reads the grid from the question, and improves the sums from the end of the grid until none of them changes.
  const rows = (question.split('\n\n')[1] ?? '').split('\n').map((line) => line.split(' ').map(Number));
  const sums = rows.map((row) => row.map(() => -Infinity));
  for (let isChanged = true; isChanged;) {
    isChanged = false;
    for (const [y, row] of rows.entries()) {
      for (const [x, value] of row.entries()) {
        const isLast = y === rows.length - 1 && x === row.length - 1;
        const rest = isLast ? 0 : Math.max(sums[y]?.[x + 1] ?? -Infinity, sums[y + 1]?.[x] ?? -Infinity);
        const line = sums[y];
        if (!line || value + rest <= (line[x] ?? 0)) continue;
        line[x] = value + rest;
        isChanged = true;
      }
    }
  }
  return String(sums[0]?.[0]);
});

describeFamily(modularChain, (_, { question }) => {
  // Reads the operations from the question, and takes remainders around 0, and only after every fourth operation.
  const [, start = '0', modulus = '1'] = /number (\d+)\.[^]*by (\d+)\./.exec(question) ?? [];
  let number = BigInt(start);
  for (const [, place, kind, value] of question.matchAll(/^(\d+)\. (\w+)(?: (\d+))?$/gm)) {
    number =
      kind === 'square' ? number ** 2n : kind === 'add' ? number + BigInt(value ?? 0) : number * BigInt(value ?? 0);
    if (Number(place) % 4 === 0) number = (number % BigInt(modulus)) - BigInt(modulus);
  }
  const rest = number % BigInt(modulus);
  return String(rest < 0n ? rest + BigInt(modulus) : rest);
});

describeFamily(baseConversion, ({ digits, from, to }) => {
  // Multiplies the whole number by the new base until it is an integer, and then divides it into digits.
  const places = digits.length - 1 - digits.indexOf('.');
  let top = 0n;
  for (const digit of digits.replace('.', '')) top = top * BigInt(from) + BigInt(parseInt(digit, 36));
  const bottom = BigInt(from) ** BigInt(places);
  let moved = 0;
  while (top % bottom !== 0n) {
    top *= BigInt(to);
    moved++;
  }
  const written: string[] = [];
  for (let rest = top / bottom; rest > 0n; rest /= BigInt(to)) {
    written.unshift('0123456789abcdef'.charAt(Number(rest % BigInt(to))));
  }
  return `${written.slice(0, -moved).join('')}.${written.slice(-moved).join('')}_{${to}}`;
});

describeFamily(polynomialProduct, ({ factors }) => {
  // Evaluates the product at a power of ten, so that each coefficient has digits of its own.
  const x = 10n ** 9n;
  const value = factors
    .map((factor) => factor.reduce((sum, coefficient) => sum * x + BigInt(coefficient), 0n))
    .reduce((one, other) => one * other);
  const found: bigint[] = [];
  for (let rest = value; rest !== 0n;) {
    let digit = ((rest % x) + x) % x;
    if (digit > x / 2n) digit -= x;
    found.unshift(digit);
    rest = (rest - digit) / x;
  }
  return `[${found.join(', ')}]`;
});

describeFamily(recurrence, ({ first, second, p, q, r, modulus, term }) => {
  // Raises the matrix of the recurrence to a power by squaring.
  type Matrix = readonly (readonly bigint[])[];
  const times = (one: Matrix, other: Matrix): Matrix =>
    one.map((row) =>
      row.map(
        (_, column) =>
          row.reduce((sum, entry, index) => sum + entry * (other[index]?.[column] ?? 0n), 0n) % BigInt(modulus),
      ),
    );
  const step = [
    [p, q, r],
    [1, 0, 0],
    [0, 0, 1],
  ].map((row) => row.map(BigInt));
  const power = (exponent: number): Matrix => {
    if (exponent === 1) return step;
    const half = power(Math.floor(exponent / 2));
    return exponent % 2 === 0 ? times(half, half) : times(times(half, half), step);
  };
  const [[a = 0n, b = 0n, c = 0n] = []] = power(term - 2);
  return String((a * BigInt(second) + b * BigInt(first) + c) % BigInt(modulus));
});
