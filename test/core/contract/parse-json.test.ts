import { expect, it } from 'vitest';
import { parseJson } from '../../../src/core/contract';

it('distinguishes a text that is not JSON from the JSON value null', () => {
  expect(parseJson('{"a":[1]}')).toEqual({ a: [1] });
  expect(parseJson('null')).toBeNull();
  for (const text of ['', '{"a":', 'undefined']) expect(parseJson(text)).toBeUndefined();
});
