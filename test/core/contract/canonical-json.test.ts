import { expect, it } from 'vitest';
import { canonicalJson } from '../../../src/core/contract';

it('canonicalJson ignores the order of fields at any depth', () => {
  const one = { b: [1, { d: null, c: 'x' }], a: true };
  const other = { a: true, b: [1, { c: 'x', d: null }] };
  expect(canonicalJson(one)).toBe('{"a":true,"b":[1,{"c":"x","d":null}]}');
  expect(canonicalJson(other)).toBe(canonicalJson(one));
});

it('canonicalJson keeps the order of lists, and omits undefined fields', () => {
  expect(canonicalJson([2, 1])).not.toBe(canonicalJson([1, 2]));
  expect(canonicalJson({ a: 1, b: undefined })).toBe(canonicalJson({ a: 1 }));
  expect(canonicalJson(undefined)).toBe('');
});
