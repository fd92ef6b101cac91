/**
 * @file Renders formulas with KaTeX, as MathML only. MathML needs no web fonts, and is readable without inline
 * styles, which the page's content security policy refuses.
 */
import katex from 'katex';

const kept = new Map<string, string>();
const MOST_KEPT = 500;

/**
 * A formula as MathML. A formula that can't be parsed is returned as its source text. Results are cached, because a growing text
 * renders its formulas again and again.
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
  // Only boxes and invalid formulas have inline styles. Quotes in text are escaped, so only attributes match.
  const markup = rendered.replace(/ style="[^"]*"/g, '');
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(key, markup);
  return markup;
}
