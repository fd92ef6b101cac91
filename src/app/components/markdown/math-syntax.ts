/**
 * @file Finds mathematics in a text: `$…$`, `$$…$$`, `\(…\)` and `\[…\]`, as models write it.
 */
import type { TokenizerAndRendererExtension, Tokens } from 'marked';

/** Maximum length of a formula, in UTF-16 units. The limit also keeps the search after a lone `$` in a long text cheap. */
const LONGEST = 4_000;
const BLOCK = /^(?:\$\$([^]{1,4000}?)\$\$|\\\[([^]{1,4000}?)\\\])[ \t]*(?:\n|$)/;
const INLINE =
  /^(?:\$\$([^$]{1,4000}?)\$\$|\$(?!\s)((?:\\.|[^$\\\n]){1,4000}?)(?<!\s)\$(?!\d)|\\\(([^]{1,4000}?)\\\)|\\\[([^]{1,4000}?)\\\])/;

/** Extensions for marked. @param render receives the formula, and whether to show it on a line of its own (`$$` and `\[`) */
export function mathExtensions(render: (formula: string, display: boolean) => string): TokenizerAndRendererExtension[] {
  return [extension('block', BLOCK, render), extension('inline', INLINE, render)];
}

function extension(
  level: 'block' | 'inline',
  syntax: RegExp,
  render: (formula: string, display: boolean) => string,
): TokenizerAndRendererExtension {
  const name = `math-${level}`;
  // A block must start a line. With a looser pattern, marked cuts paragraphs at every "$".
  const opening = level === 'block' ? /(?<=^|\n)(?:\$\$|\\\[)/ : /\$|\\\(|\\\[/;
  return {
    name,
    level,
    start(source) {
      const index = source.search(opening);
      return index < 0 ? undefined : index;
    },
    tokenizer(source) {
      const match = syntax.exec(source.length > 3 * LONGEST ? source.slice(0, 3 * LONGEST) : source);
      if (!match) return undefined;
      const formula = (match[1] ?? match[2] ?? match[3] ?? match[4] ?? '').trim();
      return { type: name, raw: match[0], formula, display: /^(?:\$\$|\\\[)/.test(match[0]) };
    },
    renderer: (token: Tokens.Generic) => render(String(token.formula), token.display === true),
  };
}
