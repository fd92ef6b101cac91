/**
 * @file Tests Markdown that takes too long to parse. It must be shown as plain text, and the text around it must be rendered. The
 * time for which the page is blocked is logged but not checked.
 */
import { describe, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-svelte';
import Markdown from '../../../../src/app/ui/Markdown.svelte';
import { createMarkupClient, type MarkupClient } from '../../../../src/app/ui/markdown/markup-client';
import { createMarkdownWriter } from '../../../../src/app/ui/markdown/writer';
import { eventually } from '../../../fixtures/eventually.ts';
import { PATHOLOGICAL_TEXTS } from '../../../fixtures/hostile/pathological-texts';
import { workerOf } from '../../../fixtures/scripted-worker';

const EMPHASIS = '**a_'.repeat(20_000);

/** Measures the longest time in ms for which the page is blocked, as the longest gap between two calls of a timer. */
async function longestGap(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 4);
  await work();
  clearInterval(timer);
  return Math.max(longest, performance.now() - last);
}

describe('text that times out in the parser', () => {
  test('is shown as plain text, and the text around it is rendered as Markdown', async () => {
    const text = `# Before\n\n**bold**\n\n${EMPHASIS}\n\n## After\n\n*the end*`;
    const screen = await render(Markdown, { text });
    const gap = await longestGap(() =>
      eventually(() => expect(screen.container.querySelector('em')?.textContent).toBe('the end')),
    );
    console.log(`80 kB of emphasis: the page was held up for ${gap.toFixed(0)} ms at most`);
    expect(screen.container.querySelectorAll('.plain').length).toBeGreaterThan(0);
    const headings = [...screen.container.querySelectorAll('h4, h5')].map((heading) => heading.textContent);
    expect(headings).toEqual(['Before', 'After']);
    const shown = screen.container.querySelector('.markdown')?.textContent ?? '';
    expect(shown.match(/\*\*a_/g)).toHaveLength(20_000);
  });

  test('does not prevent another text from being rendered', async () => {
    await render(Markdown, { text: EMPHASIS });
    const screen = await render(Markdown, { text: 'Another **answer**' });
    await eventually(() => expect(screen.container.querySelector('strong')?.textContent).toBe('answer'));
  });

  test('is shown completely as plain text, and not parsed again, after three timeouts', async () => {
    const text = Array.from({ length: 5 }, (_, index) => `${index}\n\n${EMPHASIS}`)
      .join('\n\n')
      .slice(0, 99_000);
    let started = 0;
    const startStuck = workerOf("oncall = (call) => report(call, { type: 'begun' })");
    const client = createMarkupClient(() => {
      started += 1;
      return startStuck();
    }, 5);
    const element = document.createElement('div');
    const stop = new AbortController();
    const writer = createMarkdownWriter(element, stop.signal, client);
    const shown = () => (element.textContent ?? '').replaceAll('\n', '');
    writer.write(text, true);
    await eventually(() => expect(started).toBe(3));
    await eventually(() => expect(shown()).toBe(text.replaceAll('\n', '')));
    writer.write(`${text} and on`, true);
    expect(shown()).toMatch(/ and on$/);
    // Texts are parsed in order. If the first text were retried, one more Web Worker would start before this text is parsed.
    expect(await client.parse('another text', true, () => undefined)).toBe('stuck');
    expect(started).toBe(4);
    stop.abort();
  });
});

test('plain text with many combining marks loses no word while rendered blocks replace it', async () => {
  // Makes every task seem long, so that the writer yields to the page between any two blocks.
  let time = 0;
  const now = vi.spyOn(performance, 'now').mockImplementation(() => (time += 100));
  const words = Array.from({ length: 400 }, (_, index) => `word${index}${'\u0301'.repeat(100)} `);
  const text = words.join('');
  const blocks = [text.slice(0, 4_000), text.slice(4_000, 8_000), text.slice(8_000)];
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const client: MarkupClient = {
    parse: async (_text, _isComplete, onBlock) => {
      await answered;
      for (const source of blocks) {
        onBlock({ length: source.length, html: `<p>${source}</p>`, isTail: source === blocks.at(-1) });
      }
      return 'done';
    },
  };
  const element = document.createElement('div');
  const stop = new AbortController();
  const missing: string[][] = [];
  new MutationObserver(() => {
    const shown = element.textContent ?? '';
    missing.push(Array.from(words.keys(), (index) => `word${index}\u0301`).filter((word) => !shown.includes(word)));
  }).observe(element, { childList: true, subtree: true });
  createMarkdownWriter(element, stop.signal, client).write(text, true);
  await eventually(() => expect(missing.length).toBeGreaterThan(0));
  answer();
  await eventually(() => expect(element.querySelectorAll('p')).toHaveLength(3));
  expect(missing.length).toBeGreaterThanOrEqual(4);
  expect(missing.flat()).toEqual([]);
  stop.abort();
  now.mockRestore();
});

test('shows a long text in parts of at most 100,000 characters', async () => {
  const screen = await render(Markdown, { text: 'word '.repeat(50_000) });
  const length = () => screen.container.querySelector('.markdown')?.textContent?.length ?? 0;
  await eventually(() => expect(length()).toBeGreaterThan(99_000));
  expect(length()).toBeLessThanOrEqual(100_000);
  await screen.getByRole('button', { name: 'Show more' }).click();
  await eventually(() => expect(length()).toBeGreaterThan(199_000));
});

test.each(PATHOLOGICAL_TEXTS.map((each) => [each.name, each] as const))(
  'limits the number of elements and combining marks of a pathological text: %s',
  async (name, { text, fallback }) => {
    const whole = text();
    const screen = await render(Markdown, { text: `${whole}` });
    const shown = () => screen.container.querySelector('.markdown');
    const gap = await longestGap(async () => {
      await eventually(() => expect(shown()?.childElementCount).toBeGreaterThan(0));
      // Waits until the parser has finished or timed out. A second text is not parsed before that.
      const other = await render(Markdown, { text: 'Then **this**' });
      await eventually(() => expect(other.container.querySelector('strong')).not.toBeNull());
    });
    const plain = shown()?.querySelectorAll('.plain').length ?? 0;
    console.log(`${name}: ${whole.length} units, ${plain} plain pieces, held up for ${gap.toFixed(0)} ms at most`);
    if (fallback !== null) expect(plain).toBeGreaterThan(0);
    expect(shown()?.querySelectorAll('*').length).toBeLessThan(40_000);
    expect(/\p{M}{17}/u.test(shown()?.textContent ?? '')).toBe(false);
  },
);
