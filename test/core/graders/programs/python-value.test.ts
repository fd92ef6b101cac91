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
])('treats the JSON %s as equal to the value %s from the Python harness', (json, reply) => {
  expect(canonicalJson(json)).toBe(canonicalReply(reply));
});

test.each([
  ['9007199254740993', '9007199254740992'],
  ['[1, [2, 3]]', '[1,(2,3)]'],
  ['"1"', '1'],
  ['[]', ''],
  ['0.1', '0.10000000000000001'],
  ['[1]', '?deque'],
])('treats the JSON %s as different from the value %s from the Python harness', (json, reply) => {
  expect(canonicalJson(json)).not.toBe(canonicalReply(reply));
});

test('`canonicalJson` returns null for a text that is not JSON', () => {
  for (const text of ['', '[1', 'None', "['a']"]) expect(canonicalJson(text)).toBeNull();
});

test('`canonicalJson` accepts every JSON value and ignores its white space', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      const spelled = canonicalJson(json);
      expect(spelled).not.toBeNull();
      expect(canonicalJson(JSON.stringify(JSON.parse(json), null, 2))).toBe(spelled);
    }),
  );
});
