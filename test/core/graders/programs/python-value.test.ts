import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, canonicalReply } from '../../../../src/core/graders/programs/python-value';

test.each([
  ['[1, 2]', '[1,2]'],
  ['1.0', '1'],
  ['true', '1'],
  ['9007199254740993', '9007199254740993'],
  ['1e-7', '1e-07'],
  ['1e22', '10000000000000000000000'],
  ['"é\\n"', '"\\u00e9\\n"'],
  ['{"b": [null], "a": "#1"}', '{"a":"#1","b":[null]}'],
  ['" 12 "', '" 12 "'],
])('gives the JSON %s the same text as the value %s that the Python harness writes', (json, reply) => {
  expect(canonicalJson(json)).toBe(canonicalReply(reply));
});

test.each([
  ['9007199254740993', '9007199254740992'],
  ['[1, [2, 3]]', '[1,(2,3)]'],
  ['"1"', '1'],
  ['[]', ''],
  ['0.1', '0.10000000000000001'],
  ['[1]', '?deque'],
])('gives the JSON %s a different text from the value %s that the Python harness writes', (json, reply) => {
  expect(canonicalJson(json)).not.toBe(canonicalReply(reply));
});

test('returns null for a text that is not JSON', () => {
  for (const text of ['', '[1', 'None', "['a']"]) expect(canonicalJson(text)).toBeNull();
});

test('gives every JSON value a text, which does not depend on the white space of the JSON', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      const spelled = canonicalJson(json);
      expect(spelled).not.toBeNull();
      expect(canonicalJson(JSON.stringify(JSON.parse(json), null, 2))).toBe(spelled);
    }),
  );
});
