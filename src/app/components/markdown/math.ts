/**
 * @file Renders formulas with KaTeX, as MathML only. It needs no fonts, and no styles that the page's policy refuses.
 */
import katex from 'katex';

const kept = new Map<string, string>();
const MOST_KEPT = 500;

/** A formula as MathML, or as plain text if it can't be parsed. Cached, since a growing text renders it each frame. */
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
  // Boxes and invalid formulas have inline styles, which the page's policy refuses. Quotes in text are escaped.
  const markup = rendered.replace(/ style="[^"]*"/g, '');
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(key, markup);
  return markup;
}
