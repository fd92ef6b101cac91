import { describe, expect, it, test } from 'vitest';
import { extrasIdOf } from '../../../../src/core/contract';
import {
  extraNameOf,
  extraProblem,
  keepExtras,
  readExtras,
} from '../../../../src/core/contract/worker/connection-extras';
import { memoryKeys } from '../../../fixtures/memory-keys';

describe('the name of an extra', () => {
  it.each(['host', 'cookie', 'origin', 'referer', 'content-type', 'content-length', 'accept', 'sec-fetch-site'])(
    'is refused as the header %s, in any case',
    (name) => {
      expect(extraProblem(name, 'x', false)).toContain('can’t be set');
      expect(extraProblem(extraNameOf(` ${name.toUpperCase()}: `), 'x', false)).toContain('can’t be set');
    },
  );

  it('may be authorization only without a key', () => {
    expect(extraProblem('authorization', 'Basic eDp5', true)).toContain('can’t be set');
    expect(extraProblem('authorization', 'Basic eDp5', false)).toBeNull();
  });

  it.each([
    ['api-key', 'secret', null],
    ['?api-version', '2024-10-21', null],
    ['a b', 'x', 'no name of a header'],
    ['', 'x', 'no name of a header'],
    ['?', 'x', 'no name of a query parameter'],
    ['?a&b', 'x', 'no name of a query parameter'],
    ['x-team', 'two\nlines', 'invalid character'],
  ])('%j with the value %j: %s', (name, value, problem) => {
    const found = extraProblem(name, value, true);
    if (problem === null) expect(found).toBeNull();
    else expect(found).toContain(problem);
  });
});

test('extras are kept for one origin, beside the key', () => {
  const keys = memoryKeys();
  const connection = { id: 'w', connection: 'c' };
  keepExtras(keys, 'c', 'https://one.example', { 'api-key': 'secret' });
  expect(readExtras(keys, connection, 'https://one.example')).toEqual({ 'api-key': 'secret' });
  expect(readExtras(keys, connection, 'https://other.example')).toBeNull();
  keys.set(extrasIdOf('c'), 'https://one.example', '["no object"]');
  expect(readExtras(keys, connection, 'https://one.example')).toBeNull();
  keepExtras(keys, 'c', 'https://one.example', {});
  expect(keys.get(extrasIdOf('c'), 'https://one.example')).toBeNull();
});
