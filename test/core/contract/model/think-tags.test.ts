import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withDelta, type ChannelTexts } from '../../../../src/core/contract/model/channel-text';
import { ThinkTagSplitter } from '../../../../src/core/contract/model/think-tags';

function split(pieces: readonly string[]): { reasoning: string; content: string } {
  const splitter = new ThinkTagSplitter();
  const texts = [...pieces.flatMap((piece) => splitter.push(piece)), ...splitter.end()];
  return texts.reduce<ChannelTexts>(withDelta, { content: '', reasoning: '' });
}

test.each([
  ['<think>Why</think>\n\nBecause', 'Why', 'Because'],
  ['\n <think>Why</think>Because', 'Why', 'Because'],
  ['No tag', '', 'No tag'],
  ['  indented', '', '  indented'],
  ['', '', ''],
  ['<thin', '', '<thin'],
  ['<thinker>no', '', '<thinker>no'],
  ['Later <think>text</think>', '', 'Later <think>text</think>'],
  ['<think>never closed </thi', 'never closed </thi', ''],
  ['<think>a</think>b<think>c</think>', 'a', 'b<think>c</think>'],
  ['<think></think>', '', ''],
])('splits %j into the thought %j and the answer %j', (text, reasoning, content) => {
  expect(split([text])).toEqual({ reasoning, content });
});

test.each([
  ['<Thinking>Why</Thinking> Because', 'Why', 'Because'],
  ['<reasoning>Why</reasoning>Because', 'Why', 'Because'],
  ['<thought>Why</thought>\nBecause', 'Why', 'Because'],
  ['<seed:think>Why</seed:think>Because', 'Why', 'Because'],
  ['[THINK]Why[/THINK]Because', 'Why', 'Because'],
  ['◁think▷Why◁/think▷Because', 'Why', 'Because'],
  ['<|channel>thought\nWhy<channel|>Because', '\nWhy', 'Because'],
  ['<unused94>thought\nWhy<unused95>Because', '\nWhy', 'Because'],
  ['<|begin_of_thought|>Why<|end_of_thought|>\n<|begin_of_solution|>Because<|end_of_solution|>\n', 'Why', 'Because\n'],
  ['<|START_THINKING|>Why<|END_THINKING|><|START_RESPONSE|>Because<|END_RESPONSE|>', 'Why', 'Because'],
  ['<think>Why</think>\n<think>And</think>Because', 'WhyAnd', 'Because'],
  ['</think>\n\nBecause', '', 'Because'],
])('splits the form %j', (text, reasoning, content) => {
  expect(split([text])).toEqual({ reasoning, content });
  expect(split([...text])).toEqual({ reasoning, content });
});

test.each([
  [
    '<|channel|>analysis<|message|>Why<|end|><|start|>assistant<|channel|>final<|message|>Because<|return|>',
    'Why',
    'Because',
  ],
  ['<|start|>assistant<|channel|>final<|message|>a < b <| c', '', 'a < b <| c'],
  ['<|channel|>analysis<|message|>Why', 'Why', ''],
  [
    '<|channel|>analysis<|message|>One<|end|><|start|>assistant<|channel|>commentary to=tool <|constrain|>json<|message|>{}<|call|>' +
      '<|start|>assistant<|channel|>final <|constrain|>json<|message|>{"a":1}',
    'One{}',
    '{"a":1}',
  ],
])('splits the messages of the harmony format %j', (text, reasoning, content) => {
  expect(split([text])).toEqual({ reasoning, content });
  expect(split([...text])).toEqual({ reasoning, content });
});

test.each([
  ['Six times seven.</think>\n\n42', 'Six times seven.', '42'],
  ['Six times seven.\n</think>42', 'Six times seven.\n', '42'],
  ['好的，六乘七。</think>答案是42', '好的，六乘七。', '答案是42'],
  ['Six times seven. </think> It is 42', 'Six times seven. ', 'It is 42'],
  ['In code it is `</think>`.\n```\nprint("</think>")\n```\nDone.</think>42', null, '42'],
  ['Six[/THINK]42', 'Six', '42'],
  ['Six◁/think▷42', 'Six', '42'],
  ['Six<|end|><|start|>assistant<|channel|>final<|message|>42', 'Six', '42'],
  ['Six</think><think>Seven</think>42', 'SixSeven', '42'],
])('relabels the text before a closing tag without an opening tag: %j', (text, reasoning, content) => {
  const expected = { reasoning: reasoning ?? text.slice(0, text.lastIndexOf('</think>')), content };
  expect(split([text])).toEqual(expected);
  expect(split([...text])).toEqual(expected);
});

test.each([
  'The model ends its thoughts with </think> and then answers.',
  'The tag is called </think>, and it ends thoughts.',
  'Write (</think>) or "</think>" or “</think>”.',
  'Use `</think>` here.',
  'Split there:\n```python\ntext.split("x</think>")\n</think>\n```\nDone.',
  '~~~\na</think>b\n~~~',
  'First <think>, then thoughts, then</think>\nthe answer.',
  'Nothing follows</think>',
  'Nothing follows</think>\n\n',
  'a </thinker> b </ think> c </',
])('a text about tags stays as it is: %j', (text) => {
  expect(split([text])).toEqual({ reasoning: '', content: text });
  expect(split([...text])).toEqual({ reasoning: '', content: text });
});

test('in an answer whose reasoning comes separately, only a closing tag at the beginning is dropped', () => {
  const plain = (text: string) => {
    const splitter = new ThinkTagSplitter();
    splitter.ignoreTags();
    return [...splitter.push(text), ...splitter.end()].map(({ channel, text: piece }) => `${channel}: ${piece}`);
  };
  expect(plain('</think>\n\n42')).toEqual(['content: 42']);
  expect(plain('<think>a</think>b')).toEqual(['content: <think>a</think>b']);
  expect(plain('a</think>\n\nb')).toEqual(['content: a</think>\n\nb']);
});

test('stops waiting for a tag after too much leading white space', () => {
  const splitter = new ThinkTagSplitter();
  const parts = Array.from({ length: 2_000 }, () => splitter.push(' ')).flat();
  expect(parts.map(({ text }) => text).join('')).toBe(' '.repeat(2_000));
  const tag = `${' '.repeat(1_001)}<think>`;
  expect(split([tag])).toEqual(split([...tag]));
});

const fragment = fc.constantFrom(
  '<think>',
  '</think>',
  '[THINK]',
  '<|channel|>final<|message|>',
  '`',
  '<',
  '</',
  'think',
  '>',
  ' ',
  '\n',
  'a',
  'word',
  '🎼',
);

test('gives the same thoughts in one piece as in two if thoughts follow on thoughts', () => {
  const text = '></think><think></think><think><think>';
  expect(split([text])).toEqual(split([text.slice(0, 11), text.slice(11)]));
});

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
