import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainText } from '../../src/node/run/plain-text';

test.each([
  ['**Answer:** $(50 + 4) × 8 = 432$', 'Answer: $(50 + 4) × 8 = 432$'],
  ['# Result\n\nIt is *very* ~~un~~likely.', 'Result\n\nIt is very ~~un~~likely.'],
  [
    'See [the docs](https://example.com/a) or https://example.com/b',
    'See the docs (https://example.com/a) or https://example.com/b',
  ],
  ['Use `a_b`:\n\n```js\nconst a = b * c;\n```\n\nDone.', 'Use a_b:\n\nconst a = b * c;\n\nDone.'],
  ['- **one**\n- two\n  1. __three__\n', '- one\n- two\n  1. three'],
  ['- [ ] *first*\n- [x] second', '- [ ] first\n- [x] second'],
  ['> **quoted**\n> text', '> quoted\n> text'],
  ['| a | b |\n| - | - |\n| **1** | 2 |', '| a | b |\n| - | - |\n| **1** | 2 |'],
])('reads %j as %j', (markdown, plain) => {
  expect(plainText(markdown)).toBe(plain);
});

test.each([
  '2*3*4',
  '2**3**4 = 4096',
  '(2*3*4)',
  'snake_case_name',
  '{"a_b": "c * d"}',
  '<b>5</b> &amp; 3 < 4',
  'a\\*b',
])('keeps %j', (text) => {
  expect(plainText(text)).toBe(text);
});

test('reads any text, and never drops a letter or a digit', () => {
  const words = (text: string) => text.replace(/[^a-z0-9]/g, '');
  const line = fc.string({
    unit: fc.constantFrom('a', 'b', '1', ' ', '*', '_', '`', '#', '-', '>', '(', ')', '\n'),
    maxLength: 40,
  });
  // The language of a block of code is dropped.
  const hasLanguage = (text: string) => /^[ >]*`{3,}.*[a-z0-9]/m.test(text);
  fc.assert(fc.property(line, (text) => hasLanguage(text) || words(plainText(text)) === words(text)));
  for (const text of ['42.', '1)', '```a', '7. ', '- ']) expect(words(plainText(text))).toBe(words(text));
});
