/**
 * @file Renders formulas with KaTeX, as MathML only. MathML needs no web fonts. It is readable without inline styles, which the
 * page's content security policy blocks.
 */
import katex from 'katex';

const kept = new Map<string, string>();
const MOST_KEPT = 500;

/**
 * A formula as MathML, or as its source text if it can't be parsed. Results are cached, because a formula in a streamed text is
 * rendered many times.
 */
export function typeset(formula: string, display: boolean): string {
  const key = `${display ? 'display' : 'inline'} ${formula}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const rendered = katex.renderToString(formula, {
    displayMode: display,
    output: 'mathml',
    throwOnError: false,
    strict: 'ignore',
    maxExpand: 200,
    maxSize: 20,
  });
  // KaTeX adds inline styles only to boxes and invalid formulas. KaTeX escapes quotes in text, so this pattern
  // matches only attributes.
  const markup = rendered.replace(/ style="[^"]*"/g, '');
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(key, markup);
  return markup;
}
