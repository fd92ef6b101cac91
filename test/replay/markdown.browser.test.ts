import { describe, expect, test } from 'vitest';
import { markdownNodes } from '../../src/replay/markdown';

function boxOf(text: string): HTMLElement {
  const box = document.createElement('div');
  box.append(...markdownNodes(text));
  return box;
}
const htmlOf = (text: string) => boxOf(text).innerHTML;

describe('Markdown in a replay file', () => {
  test.each([
    [
      '# One\n\nTwo *three* **four** ~~five~~ `six`',
      '<h4>One</h4><p>Two <em>three</em> <strong>four</strong> <del>five</del> <code>six</code></p>',
    ],
    ['- one\n- two\n  - three', '<ul><li>one</li><li><p>two</p><ul><li>three</li></ul></li></ul>'],
    ['3. three\n4. four', '<ol start="3"><li>three</li><li>four</li></ol>'],
    [
      '```js\nlet a = 1;\n<b>\n```',
      '<pre tabindex="0"><code><div class="plain">let a = 1;\n&lt;b&gt;</div></code></pre>',
    ],
    ['> quoted', '<blockquote><p>quoted</p></blockquote>'],
    [
      '| a | b |\n|---|---|\n| 1 | 2 |',
      '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>',
    ],
    ['## Closed ##  \n### C#\n# #', '<h5>Closed</h5><h6>C#</h6><h4></h4>'],
    [
      'a | b\n:-- | --:\n1 | 2',
      '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>',
    ],
    ['**重点。**内容 前**「重点」**后', '<p><strong>重点。</strong>内容 前<strong>「重点」</strong>后</p>'],
    ['2 * 3 * 4 and snake_case_name', '<p>2 * 3 * 4 and snake_case_name</p>'],
    ['**open and `code', '<p>**open and `code</p>'],
    ['It is $3 \\times 4$, not $5 or $6.', '<p>It is <span class="math">3 × 4</span>, not $5 or $6.</p>'],
  ])('renders %j', (text, html) => {
    expect(htmlOf(text)).toBe(html);
  });

  test.each([
    ['a link', '[click](javascript:attack())'],
    ['an image', '![pixel](https://example.com/leak.png)'],
    ['raw HTML', '<img src=x onerror=attack()><script>attack()</script>'],
  ])('shows %s as text', (_, text) => {
    const box = boxOf(text);
    expect(box.querySelector('a, img, script, [href], [src]')).toBeNull();
    expect(box.textContent).toContain('(');
  });

  test.each([
    ['brackets', '['.repeat(50_000)],
    ['stars', '*a '.repeat(50_000)],
    ['pairs of stars', '**a*'.repeat(30_000)],
    ['backticks', Array.from({ length: 400 }, (_, index) => '`'.repeat(index + 1)).join(' ')],
    ['quotes', '> '.repeat(20_000)],
    ['lists', Array.from({ length: 2_000 }, (_, index) => `${' '.repeat(index % 40)}- a`).join('\n')],
    ['dollars', '$a '.repeat(50_000)],
    ['links', '[a]('.repeat(50_000)],
    ['spaces in a table separator', `a|b\n-|${' '.repeat(50_000)}x`],
    ['spaces around dashes in a table separator', `a|b\n-|${' '.repeat(30_000)}-${' '.repeat(30_000)}x`],
    ['spaces in a heading', `# ${' #'.repeat(30_000)}${' '.repeat(30_000)}x`],
    ['underscores', '_a_b'.repeat(40_000)],
  ])('renders a long text of %s within the time limit of a test', (_, text) => {
    const before = performance.now();
    const html = htmlOf(text);
    console.log(`${text.length} characters: ${Math.round(performance.now() - before)} ms`);
    expect(html).not.toBe('');
  });
});
