import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ThinkTagSplitter } from '../../../../src/core/contract/model/think-tags';

function split(pieces: readonly string[]): { reasoning: string; content: string } {
  const splitter = new ThinkTagSplitter();
  const texts = [...pieces.flatMap((piece) => splitter.push(piece)), ...splitter.end()];
  const textOf = (channel: string) => texts.map((each) => (each.channel === channel ? each.text : '')).join('');
  return { reasoning: textOf('reasoning'), content: textOf('content') };
}

test.each([
  ['<think>Why</think>\n\nBecause', 'Why', 'Because'],
  ['\n <think>Why</think>Because', 'Why', 'Because'],
  ['No tag', '', 'No tag'],
  ['  indented', '', '  indented'],
  ['', '', ''],
  ['<thin', '', '<thin'],
  ['<thinking>no', '', '<thinking>no'],
  ['Later <think>text</think>', '', 'Later <think>text</think>'],
  ['<think>never closed </thi', 'never closed </thi', ''],
  ['<think>a</think>b<think>c</think>', 'a', 'b<think>c</think>'],
  ['<think></think>', '', ''],
])('splits %j into the thought %j and the answer %j', (text, reasoning, content) => {
  expect(split([text])).toEqual({ reasoning, content });
});

test('stops waiting for a tag after too much leading white space', () => {
  const splitter = new ThinkTagSplitter();
  const parts = Array.from({ length: 2_000 }, () => splitter.push(' ')).flat();
  expect(parts.map(({ text }) => text).join('')).toBe(' '.repeat(2_000));
  const tag = `${' '.repeat(1_001)}<think>`;
  expect(split([tag])).toEqual(split([...tag]));
});

const fragment = fc.constantFrom('<think>', '</think>', '<', '</', 'think', '>', ' ', '\n', 'a', 'word', '🎼');

test('gives the same thought and answer wherever the stream is split into pieces', () => {
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 12 }), fc.array(fc.nat(60), { maxLength: 8 }), (fragments, cuts) => {
      const text = fragments.join('');
      const places = [0, ...cuts.filter((cut) => cut < text.length).sort((one, other) => one - other), text.length];
      const pieces = places.slice(1).map((place, index) => text.slice(places[index], place));
      expect(split(pieces)).toEqual(split([text]));
    }),
    { numRuns: 2000 },
  );
});

test('passes on text at once if it can’t be part of a tag', () => {
  const splitter = new ThinkTagSplitter();
  expect(splitter.push('<think>Why')).toEqual([{ channel: 'reasoning', text: 'Why' }]);
  expect(splitter.push(' so</')).toEqual([{ channel: 'reasoning', text: ' so' }]);
  expect(splitter.push('think> It')).toEqual([{ channel: 'content', text: 'It' }]);
  expect(splitter.push(' is')).toEqual([{ channel: 'content', text: ' is' }]);
});
