import { expect, it } from 'vitest';
import { toFault } from '../../../src/core/contract';

it.each<[unknown, string]>([
  [new TypeError('no such function'), 'TypeError: no such function'],
  [
    { name: 'ExitStatus', message: 'Program terminated with exit(1)', status: 1 },
    'ExitStatus: Program terminated with exit(1)',
  ],
  [{ code: 7, inner: {} }, 'Object, code 7'],
  [new (class CppException {})(), 'CppException'],
  [Object.create(null), 'Object'],
  [5_242_880, '5242880'],
  ['words', 'words'],
  [undefined, 'undefined'],
])('a thrown value becomes a fault with its words: %s', (thrown, detail) => {
  expect(toFault(thrown)).toMatchObject({ code: 'internal', detail });
});
