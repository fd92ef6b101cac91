import { expect, it } from 'vitest';
import { cutAtStop, StopReader } from '../../../src/node/serve/model/stop-reader';

function pieces(texts: readonly string[], stops: readonly string[]): readonly string[] {
  const reader = new StopReader(stops);
  return [...texts.map((text) => reader.push(text)), reader.finish()];
}

it('cuts a text before the stop sequence that ends first', () => {
  expect(cutAtStop('One. END two', ['END', 'two'])).toEqual({ text: 'One. ', isCut: true });
  expect(cutAtStop('abcdef', ['abcdef', 'cd'])).toEqual({ text: 'ab', isCut: true });
  expect(cutAtStop('One.', ['END'])).toEqual({ text: 'One.', isCut: false });
  expect(cutAtStop('One.', [])).toEqual({ text: 'One.', isCut: false });
});

it('finds a stop sequence that arrives in pieces, and sends nothing after it', () => {
  expect(pieces(['One. E', 'N', 'D two', ' three'], ['END'])).toEqual(['One.', ' ', '', '', '']);
});

it('sends text that begins like a stop sequence and then differs', () => {
  expect(pieces(['One. EN', 'ough'], ['END']).join('')).toBe('One. ENough');
});

it('sends each piece at once if there are no stop sequences', () => {
  expect(pieces(['One', ' two'], [])).toEqual(['One', ' two', '']);
});

it('keeps the two halves of a surrogate pair in one piece', () => {
  expect(pieces(['a\u{1F600}b'], ['###'])).toEqual(['a', '\u{1F600}b']);
});
