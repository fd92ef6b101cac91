import { expect, test } from 'vitest';
import { fault, FaultError } from '../../../../src/core/contract';
import { privateTestsOpener } from '../../../../src/core/evaluation/datasets/private-tests';

const signal = new AbortController().signal;
const pickled = (text: string) =>
  Buffer.concat([Buffer.from([0x80, 4, 0x8c, Buffer.byteLength(text)]), Buffer.from(text), Buffer.from([0x94, 0x2e])]);

test('reads the private tests from the decompressed pickle', async () => {
  const tests = [{ input: '1', output: '2', testtype: 'stdin' }];
  const open = privateTestsOpener(async () => pickled(JSON.stringify(tests)));
  expect(await open('…', signal)).toEqual(tests);
});

test.each([
  ['is not JSON', 'x'],
  ['is JSON, but has another form', '[{"input":1}]'],
])('rejects private tests whose text %s', async (_, text) => {
  await expect(privateTestsOpener(async () => pickled(text))('…', signal)).rejects.toThrow(FaultError);
});

test('passes on the fault if decompression fails', async () => {
  const open = privateTestsOpener(() => Promise.reject(new FaultError(fault('too-large', 'Too long.'))));
  await expect(open('…', signal)).rejects.toThrow('Too long.');
});
