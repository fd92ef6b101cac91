import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalDecimal } from '../../../../src/core/graders/programs/decimal';
import { isSameOutput } from '../../../../src/core/graders/programs/same-output';

test.each([
  ['1\n2\n', '1\n2'],
  ['1 2', ' 1 2 \n\n'],
  ['yes', 'yes'],
  ['0.5 3', '5e-1 3.0'],
  ['1 2', '1   2'],
  ['-0', '0'],
  ['100', '1E2'],
  ['', '\n'],
])('if the output %j is expected, accepts %j', (expected, printed) => {
  expect(isSameOutput(expected, printed)).toBe(true);
});

test.each([
  ['1\n2', '1 2'],
  ['1\n2', '1\n\n2'],
  ['yes', 'Yes'],
  ['0.5', '0.5000001'],
  ['1 2', '2 1'],
  ['1 2', '1'],
  ['a b', 'a  b'],
  ['nan', 'NaN'],
  ['1', ''],
])('if the output %j is expected, rejects %j', (expected, printed) => {
  expect(isSameOutput(expected, printed)).toBe(false);
});

test('gives equal decimals the same spelling', () => {
  const decimals = fc.tuple(fc.bigInt(), fc.integer({ min: -30, max: 30 }), fc.nat({ max: 20 }));
  fc.assert(
    fc.property(decimals, ([digits, exponent, zeros]) => {
      const longer = `${digits * 10n ** BigInt(zeros)}e${exponent - zeros}`;
      expect(canonicalDecimal(longer)).toBe(canonicalDecimal(`${digits}E${exponent}`));
    }),
  );
});

test('gives different decimals different spellings', () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.bigInt(), fc.integer({ min: -9, max: 9 }), (one, other, exponent) => {
      const isSame = canonicalDecimal(`${one}e${exponent}`) === canonicalDecimal(`${other}e${exponent}`);
      expect(isSame).toBe(one === other);
    }),
  );
});

test.each(['', '.', 'e5', '1e', '0x10', 'inf', '1.2.3', '--1'])('does not read %j as a decimal', (text) => {
  expect(canonicalDecimal(text)).toBeNull();
});
