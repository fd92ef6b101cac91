import { expect, test } from 'vitest';
import { count, duration, listed, money, plural, shortDuration, size, tokenRate } from '../../../src/app/ui/figures';

test.each([
  [0, '0.0 s'],
  [14_320, '14.3 s'],
  [59_940, '59.9 s'],
  [59_960, '1 min 00 s'],
  [125_000, '2 min 05 s'],
  [3_720_000, '1 h 02 min'],
])('%i ms is shown as %s', (ms, text) => expect(duration(ms)).toBe(text));

test.each([
  [38.4, '38 ms'],
  [999.6, '1.0 s'],
  [2500, '2.5 s'],
])('%d ms is shown as the short duration %s', (ms, text) => expect(shortDuration(ms)).toBe(text));

test.each([
  [1, '1 kB'],
  [480_000, '480 kB'],
  [4_280_000, '4.3 MB'],
  [612_400_000, '612 MB'],
  [5_106_670_000, '5.1 GB'],
])('%i bytes is shown as %s', (bytes, text) => expect(size(bytes)).toBe(text));

test.each([
  [0.42, '0.4 tok/s'],
  [38.4, '38 tok/s'],
  [1250, '1,250 tok/s'],
])('%d tokens per second is shown as %s', (rate, text) => expect(tokenRate(rate)).toBe(text));

test.each([
  [0, '$0'],
  [0.00001, 'under $0.0001'],
  [0.0014, '$0.0014'],
  [0.214, '$0.21'],
  [12.5, '$12.50'],
])('%d dollars is shown as %s', (usd, text) => expect(money(usd)).toBe(text));

test('formats counts, plurals and lists', () => {
  expect([0, 999, 1000, 2731, 12.6, -1].map(count)).toEqual(['0', '999', '1,000', '2,731', '13', '-1']);
  expect([plural(1, 'step'), plural(4, 'step'), plural(0, 'try', 'tries')]).toEqual(['1 step', '4 steps', '0 tries']);
  expect([listed([]), listed([1]), listed([1, 2]), listed([1, 2, 3])]).toEqual(['', '1', '1 and 2', '1, 2 and 3']);
});
