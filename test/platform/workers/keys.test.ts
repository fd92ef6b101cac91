import { expect, test } from 'vitest';
import { createMemoryKeys } from '../../../src/platform/workers/keys';

test('a key is stored without surrounding white space, and is returned only for its own worker and origin', () => {
  const keys = createMemoryKeys();
  keys.set('ada', 'https://one.example', ' sk-1\n');
  expect(keys.get('ada', 'https://one.example')).toBe('sk-1');
  expect(keys.get('ada', 'https://two.example')).toBeNull();
  expect(keys.get('ada', 'http://one.example')).toBeNull();
  expect(keys.get('bob', 'https://one.example')).toBeNull();
});

test('a key that was set for an empty origin is never returned', () => {
  const keys = createMemoryKeys();
  keys.set('ada', '', 'sk-1');
  expect(keys.get('ada', '')).toBeNull();
});

test('a new key replaces the worker’s key for any origin, and an empty key or `forget` removes it', () => {
  const keys = createMemoryKeys();
  keys.set('ada', 'https://one.example', 'sk-1');
  keys.set('ada', 'https://two.example', 'sk-2');
  expect(keys.get('ada', 'https://one.example')).toBeNull();
  keys.set('ada', 'https://two.example', '  ');
  expect(keys.get('ada', 'https://two.example')).toBeNull();
  keys.set('ada', 'https://two.example', 'sk-3');
  keys.forget('ada');
  expect(keys.get('ada', 'https://two.example')).toBeNull();
});

test('JSON made from the in-memory key store contains no key', () => {
  const keys = createMemoryKeys();
  keys.set('ada', 'https://one.example', 'sk-1');
  expect(JSON.stringify(keys)).not.toContain('sk-1');
});
