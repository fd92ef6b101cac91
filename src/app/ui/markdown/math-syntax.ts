/** @file Finds formulas in a text that a model wrote: `$…$`, `$$…$$`, `\(…\)` and `\[…\]`. */
import type { TokenizerAndRendererExtension, Tokens } from 'marked';

/** Maximum length of a formula, in UTF-16 units. The limit keeps the search short if a `$` has no closing `$`. */
const LONGEST = 4_000;
const BLOCK = /^(?:\$\$([^]{1,4000}?)\$\$|\\\[([^]{1,4000}?)\\\])[ \t]*(?:\n|$)/;
const INLINE =
  /^(?:\$\$([^$]{1,4000}?)\$\$|\$(?!\s)((?:\\.|[^$\\\n]){1,4000}?)(?<!\s)\$(?!\d)|\\\(([^]{1,4000}?)\\\)|\\\[([^]{1,4000}?)\\\])/;

/**
 * Extensions for the parser `marked`.
 * @param render receives a formula, and whether the formula gets its own line, as with `$$` and `\[`
 */
export function mathExtensions(render: (formula: string, display: boolean) => string): TokenizerAndRendererExtension[] {
  return [extension('block', BLOCK, render), extension('inline', INLINE, render)];
}

function extension(
  level: 'block' | 'inline',
  syntax: RegExp,
  render: (formula: string, display: boolean) => string,
): TokenizerAndRendererExtension {
  const name = `math-${level}`;
  // A block formula must be at the start of a line. With a looser pattern, the parser `marked` would split
  // paragraphs at every "$".
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
