import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FaultError } from '../../../../src/core/contract';
import { readPickledText } from '../../../../src/core/evaluation/datasets/pickle';

const TEXT = '[{"input": "é漢"}]';
const UTF8 = '5b7b22696e707574223a2022c3a9e6bca2227d5d';

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));

// Python's pickle.dumps wrote these bytes, with the protocol in the first column.
test.each([
  [1, `5814000000${UTF8}71002e`],
  [2, `80025814000000${UTF8}71002e`],
  [3, `80035814000000${UTF8}71002e`],
  [4, `80049518000000000000008c14${UTF8}942e`],
  [5, `80059518000000000000008c14${UTF8}942e`],
])('reads a text pickled with protocol %i', (_, hex) => {
  expect(readPickledText(bytes(hex))).toBe(TEXT);
});

test('reads a text with an 8-byte length, and a long text without a frame', () => {
  expect(readPickledText(bytes(`80048d1400000000000000${UTF8}942e`))).toBe(TEXT);
  const long = 'x'.repeat(70_000);
  const pickled = Buffer.concat([bytes('80045870110100'), Buffer.from(long), bytes('942e')]);
  expect(readPickledText(pickled)).toBe(long);
});

test.each([
  ['a call', '80048c026f738c0673797374656d93948c026c7394859452942e'],
  ['a global', '63706f7369780a73797374656d0a2e'],
  ['a number', '80044b012e'],
  ['a list', '80045d942e'],
  ['two texts', '80048c01618c01622e'],
  ['a pickle without a value', '80042e'],
  ['bytes after the end', '80048c0161942e00'],
  ['a text that is cut off', '80048c0561'],
  ['a length of 2⁶⁴ − 1', '80048dffffffffffffffff61'],
  ['an unknown version', '80068c0161942e'],
  ['an empty file', ''],
])('rejects %s', (_, hex) => {
  expect(() => readPickledText(bytes(hex))).toThrow(FaultError);
});

test('returns a text or throws a fault for arbitrary bytes', () => {
  const valid = bytes(`80049518000000000000008c14${UTF8}942e`);
  const mutated = fc
    .array(fc.tuple(fc.nat(valid.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 })
    .map((changes) => {
      const copy = Uint8Array.from(valid);
      for (const [at, byte] of changes) copy[at] = byte;
      return copy;
    });
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 64 }), mutated), (input) => {
      try {
        expect(typeof readPickledText(input)).toBe('string');
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(FaultError);
      }
    }),
    { numRuns: 2000 },
  );
});
