import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { FaultError } from '../../../src/core/contract';
import { privateTestsOpener } from '../../../src/core/evaluation/datasets/private-tests';
import { inflateBase64 } from '../../../src/platform/datasets/inflate';
import { signal } from './harness';

test('decompresses the private tests of a LiveCodeBench task', async () => {
  const tests = [{ input: '1 é', output: '2', testtype: 'stdin' }];
  const json = Buffer.from(JSON.stringify(tests));
  const pickled = Buffer.concat([Buffer.from([0x80, 4, 0x8c, json.length]), json, Buffer.from([0x94, 0x2e])]);
  const open = privateTestsOpener(inflateBase64);
  expect(await open(deflateSync(pickled).toString('base64'), signal())).toEqual(tests);
});

test.each([
  ['no base64', 'é'],
  ['no zlib', btoa('hello')],
  ['cut off', deflateSync(Buffer.alloc(1000, 'abc')).subarray(0, -5).toString('base64')],
])('rejects a text that is %s', async (_, text) => {
  await expect(inflateBase64(text, signal())).rejects.toThrow(FaultError);
});

test('rejects with an AbortError if the signal has already aborted', async () => {
  const aborted = AbortSignal.abort();
  await expect(inflateBase64('eJw=', aborted)).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
});
