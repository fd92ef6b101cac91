/**
 * @file Tests how the Web Worker converts Markdown to blocks. No text may be lost, and blocks that are too
 * large stay plain text.
 */
import * as fc from 'fast-check';
import { Marked } from 'marked';
import { describe, expect, test } from 'vitest';
import { cjkEmphasis } from '../../../../src/app/ui/markdown/cjk-emphasis';
import { createMarkup, type Block } from '../../../../src/app/ui/markdown/markup';

const markup = createMarkup(() => undefined);

async function blocksOf(text: string, isComplete = false): Promise<Block[]> {
  const blocks: Block[] = [];
  for await (const block of markup.blocks(text, isComplete)) blocks.push(block);
  return blocks;
}

const htmlOf = async (text: string) => (await blocksOf(text)).map(({ html }) => html ?? '').join('');

describe('emphasis next to Chinese, Japanese and Korean text', () => {
  test.each([
    ['**重点。**内容', '<strong>重点。</strong>内容'],
    ['前**「重点」**后', '前<strong>「重点」</strong>后'],
    ['他说**“重点”**后', '他说<strong>“重点”</strong>后'],
    ['占**100%**的人', '占<strong>100%</strong>的人'],
    ['（**注意：**内容）', '（<strong>注意：</strong>内容）'],
    ['**重点**（注）后', '<strong>重点</strong>（注）后'],
    ['これは**「大事」**です。', 'これは<strong>「大事」</strong>です。'],
    ['**カタカナー。**です', '<strong>カタカナー。</strong>です'],
    ['그는 **"강조"**는 했다', '그는 <strong>&quot;강조&quot;</strong>는 했다'],
    ['前*「一」*后 ***「二」***后', '前<em>「一」</em>后 <em><strong>「二」</strong></em>后'],
    ['~~旧的。~~新的', '<del>旧的。</del>新的'],
    ['**一。**二**三！**四', '<strong>一。</strong>二<strong>三！</strong>四'],
    ['**甲`乙**`丙。**丁', '<strong>甲<code>乙**</code>丙。</strong>丁'],
  ])('is recognized in %j', async (text, html) => {
    expect(await htmlOf(text)).toBe(`<p>${html}</p>\n`);
  });

  test.each([
    ['2 ** 3 ** 4', '2 ** 3 ** 4'],
    ['2 * 3。4 * 5', '2 * 3。4 * 5'],
    ['a**"b"**c', 'a**&quot;b&quot;**c'],
    ['** 重点 **', '** 重点 **'],
    ['`**重点。**内容`', '<code>**重点。**内容</code>'],
    ['\\*\\*重点。\\*\\*内容', '**重点。**内容'],
    ['snake_case_name, **bold.** x', 'snake_case_name, <strong>bold.</strong> x'],
  ])('leaves %j as CommonMark has it', async (text, html) => {
    expect(await htmlOf(text)).toBe(`<p>${html}</p>\n`);
  });

  test('is like CommonMark in every text without such letters and punctuation', async () => {
    const plain = new Marked({ gfm: true });
    const changed = new Marked({ gfm: true }, cjkEmphasis);
    const fragment = fc.constantFrom(
      '*',
      '**',
      '***',
      '~~',
      '_',
      'a',
      'é',
      '“',
      '"',
      '.',
      ' ',
      '!',
      '(',
      '`',
      '\\',
      '1',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fragment, { maxLength: 14 }), async (fragments) => {
        const text = fragments.join('');
        expect(await changed.parse(text)).toBe(await plain.parse(text));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('Markdown blocks', () => {
  test('cover the whole text, and the last block alone is marked as the tail', async () => {
    const part = fc.constantFrom(
      '# a\n',
      '\n',
      '\n\n',
      'b *c*\n',
      '- d\n',
      '> e\n',
      '```\nf\n',
      '```\n',
      '|g|h|\n|-|-|\n',
      '$$i$$\n',
      '[j]: k\n',
      '  ',
      '<l>\n',
      'm\t',
      '1. n\n',
      'o'.repeat(600),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 20 }), async (parts) => {
        const text = parts.join('');
        const blocks = await blocksOf(text);
        expect(blocks.reduce((length, block) => length + block.length, 0)).toBe(text.length);
        expect(blocks.map(({ isTail }) => isTail)).toEqual(blocks.map((_, index) => index === blocks.length - 1));
      }),
      { numRuns: 300 },
    );
  });

  test('keep a long block separate, so that its timeout affects no other block', async () => {
    const blocks = await blocksOf(`# a\n\nb\n\n${'c '.repeat(900)}\n\nd\n\ne`);
    expect(blocks.map(({ html }) => html?.match(/<(?:h4|p)>/g)?.length)).toEqual([2, 1, 1, 1]);
  });

  test('resolve a link whose address is defined in a later block', async () => {
    const text = `[a][b]\n\n${'c '.repeat(900)}\n\n[b]: https://example.com/`;
    expect(await htmlOf(text)).toContain('data-address="https://example.com/"');
  });
});

describe('markup that is too large for a page', () => {
  test.each([
    ['elements', `|a|b|\n|-|-|\n${'|c|d|\n'.repeat(2_000)}`],
    ['depth', `${'> '.repeat(100)}deep`],
    ['length', `\`\`\`\n${'&'.repeat(60_000)}\n\`\`\``],
    ['changes of text direction', 'aא'.repeat(1_000)],
  ])('stays plain text because of its %s', async (_what, text) => {
    const blocks = await blocksOf(`first\n\n${text}\n\nlast`);
    expect(blocks.some(({ html }) => html === null)).toBe(true);
    expect(blocks.at(-1)?.html).toContain('last');
  });

  test('is shown as code if it is a formula of deeply nested fractions', async () => {
    const html = await htmlOf(`$$${'\\frac{a}{'.repeat(300)}b${'}'.repeat(300)}$$\n\nx`);
    expect(html).toContain('<code>\\frac');
    expect(html).not.toContain('<math');
  });

  test('keeps at most 16 combining marks per letter', async () => {
    expect(await htmlOf(`a${'\u0301'.repeat(5_000)}b`)).toMatch(/a\p{M}{16}b/u);
  });

  test('does not highlight long code in the last block until the text is complete', async () => {
    const text = `\`\`\`python\n${'x = 1  # why\n'.repeat(500)}\`\`\`\n`;
    const [growing, complete] = [await blocksOf(text), await blocksOf(text, true)];
    expect(growing[0]?.html).not.toContain('<i>');
    expect(complete[0]?.html).toContain('<i># why</i>');
  });
});
