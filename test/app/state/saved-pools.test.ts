import { describe, expect, it } from 'vitest';
import { choosable, savedPoolInUse } from '../../../src/app/state/saved-pools';

const all = ['a', 'b', 'c'].map((id) => ({ id }));

describe('the workers of a saved pool that can be chosen', () => {
  it('exclude removed ones, and include models in the browser that are not loaded', () => {
    expect(choosable(['a', 'removed', 'local:small'], all)).toEqual(['a', 'local:small']);
  });
});

describe('the saved pool in use', () => {
  const saved = [
    { name: 'gone', workers: ['removed'] },
    { name: 'one', workers: ['a'] },
    { name: 'two', workers: ['b', 'removed', 'a'] },
  ];

  it.each([
    [['a', 'b'], 'two'],
    [['b', 'a', 'removed'], 'two'],
    [['a'], 'one'],
    [['a', 'c'], undefined],
    [[], undefined],
  ])('with the chosen workers %j is %s', (chosen, name) => {
    expect(savedPoolInUse(saved, chosen, all)?.name).toBe(name);
  });
});
