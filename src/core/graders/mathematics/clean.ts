/** @file Removes the parts of LaTeX that do not change the value: styling, spacing, units and thousands separators. */

/**
 * Commands whose backslash is often doubled by escaping. Before other text, `\\` stays, because it separates the rows of a
 * matrix.
 */
const ESCAPED =
  /(?<!\\)\\\\(?=(?:[dtc]?frac|sqrt|left|right|boxed|text|pi|infty|l?eq?|g?eq?|cup|cap|in|begin|end|times|cdot)\b)/g;

const SPACING = /(?<!\\)\\(?:[,;:!> ]|quad|qquad|displaystyle|textstyle|limits|nolimits|hfill|hspace\*?\{[^{}]*\})/g;

/** Words for units that appear without `\text`. */
const UNITS =
  /(?<=(?:[\d})]|\\pi)\s{0,30})(?:km\/h|(?:mi|miles?|ft|feet|c?m|km|met(?:er|re)s?)\/s(?:ec(?:ond)?)?|cm|mm|km|kg|mg|lbs?|ft|feet|inch(?:es)?|in\.|miles?|met(?:er|re)s?|yards?|hours?|hrs?|minutes?|mins?|seconds?|days?|weeks?|months?|years?|dollars?|cents?|yuan|euros?|degrees?|units?|(?:square|sq\.?|cubic|cu\.?) (?:cm|mm|m|km|in|ft|mi|yd|(?:centi|milli|kilo)?met(?:er|re)s?|foot|feet|inch(?:es)?|yards?|miles?|units?)|mph|points?|people|students|ways|pounds?|grams?|lit(?:er|re)s?|€|£)(?![a-z({\\])(?:\s*\^\s*(?:\d|\{\s*-?\d+\s*\})|(?!\s*\^))/gi;

/** A unit of one or two letters at the end. Before other text, such letters are symbols, as in `3m+2`. */
const LAST_UNIT = /(?<=[\d})]\s{1,30})(?:[mgL]|in|oz|m[lL]|Hz|k[WJ])(?:\s*\^\s*(?:\d|\{\s*-?\d+\s*\}))?(?=[.,;:\s]*$)/;

/** Converts LaTeX to a canonical spelling without styling, spacing, units and thousands separators. Percent signs stay. */
export function cleanLatex(latex: string): string {
  let text = latex
    .replace(ESCAPED, '\\')
    .replace(/\\\$|\$/g, ' ')
    .replace(/\\[lr]vert\b/g, '|')
    .replace(/\\(?:left|right|[bB]igg?[lrm]?)(?![a-zA-Z])\s*\.?/g, '')
    .replace(/\\[dtc]frac(?![a-zA-Z])/g, '\\frac')
    .replace(/(\d)\s*(?:\{\s*,\s*\}|,\s*\\!)\s*(?=\d{3})/g, '$1')
    .replace(/\\\\\[[^\]]*\]/g, '\\\\')
    .replace(SPACING, ' ')
    .replace(/[~\u00a0\u2009\u202f]/g, ' ')
    .replace(/[\u2212\u2013]/g, '-')
    .replace(/\u03c0/g, '\\pi ')
    .replace(/\u221e/g, '\\infty ')
    .replace(/\u00b1/g, '\\pm ')
    .replace(/\u00d7/g, '\\times ')
    .replace(/\u2264/g, '\\le ')
    .replace(/\u2265/g, '\\ge ')
    .replace(/\u2260/g, '\\ne ')
    .replace(/\u222a/g, '\\cup ')
    .replace(/\u221a\s*(\d+(?:\.\d+)?|\([^()]*\))/g, '\\sqrt{$1} ')
    .replace(/\u221a/g, '\\sqrt ');
  text = separateWords(text);
  text = text
    .replace(/\^\s*(?:\{\s*)?\\circ(?:\s*\})?|\u00b0(?:\s?[CF]\b)?|\\degree\b/g, ' ')
    .replace(/\\%|%/g, ' % ')
    .replace(/(?<=[\d})\s])(?:percent(?:age)?s?|pct)\b\.?/gi, ' % ')
    .replace(UNITS, ' ')
    .replace(LAST_UNIT, ' ');
  return mergeThousands(text)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<![.,;:\s])[.,;:\s]+$/, '')
    .trim();
}

/**
 * Unwraps boxes. Replaces "and" and "or" by commas, also in `\text`. Other `\text` after a value counts as a unit
 * and is removed.
 */
function separateWords(text: string): string {
  return text
    .replace(/\\(?:boxed|fbox)\s*\{/g, '{')
    .replace(
      /\\(?:text|textbf|textit|textrm|textnormal|mathrm|mathbf|mathit|mathsf|mbox|operatorname)\s*\{([^{}]*)\}(\s*\^\s*(?:\d|\{\s*-?\d+\s*\}))?/g,
      wordOf,
    )
    .replace(/\b(?:and|or)\b|(?<=[\d)\]}])(?:and|or)(?=[\s(A-Z\\])/g, ' , ')
    .replace(/,(?:\s*,)+/g, ',');
}

/** Functions that are sometimes written as text, such as `\text{sin}`. */
const FUNCTIONS = /^(?:a?rc)?(?:sin|cos|tan|cot|sec|csc)h?$|^(?:ln|log|exp|gcd|lcm|det|max|min)$/;

/**
 * The replacement for `\text{…}` or a similar command.
 * @param exponent exponent after the text, as in `\text{cm}^2`. If the text is a unit, the exponent is removed with the unit
 */
function wordOf(matched: string, content: string, exponent: string | undefined, at: number, whole: string): string {
  const word = content.trim();
  if (/^(?:and|or|,? ?and|,? ?or)$/i.test(word)) return ' , ';
  if (FUNCTIONS.test(word)) return `\\${word}${exponent ?? ' '}`;
  if (/^(?:%|percent(?:age)?|pct)\.?$/i.test(word)) return ' % ';
  // A single letter is a symbol, as in \mathrm{e}.
  if (/^[a-zA-Z]$/.test(word)) return ` ${word}${exponent ?? ' '}`;
  const isAfterValue = /(?:[\d})\]]|\\pi)\s*$/.test(
    whole.slice(0, at).replace(/(?<!\\[,;:! ]|~)(?:\\[,;:! ]|~)+$/, ''),
  );
  const connects = /\b(?:and|or)\b/i.test(word);
  // `exponent` contains only whole exponents. Before any other exponent, such as `^n`, the unit stays. Without the unit, that
  // exponent would apply to the number.
  const isRaised = word !== '' && /^\s*\^(?!\s*(?:\{\s*)?\\circ)/.test(whole.slice(at + matched.length));
  if (isAfterValue && !isRaised) return connects ? ' , ' : ' ';
  return ` ${word}${exponent ?? ' '}`;
}

/** Replaces `1,234` and `1 234` by `1234`, but not inside brackets, because a comma there separates entries. */
function mergeThousands(text: string): string {
  let depth = 0;
  let merged = '';
  let index = 0;
  while (index < text.length) {
    const character = text.charAt(index);
    if ('([{'.includes(character)) depth++;
    if (')]}'.includes(character)) depth--;
    const isStart = /\d/.test(character) && !/[\d.,\w]/.test(text.charAt(index - 1));
    const rest = text.slice(index);
    const number =
      isStart && depth <= 0
        ? (/^\d{1,3}(?:,\d{3})+(?![\d])/.exec(rest) ?? /^\d{1,3}(?: \d{3})+(?![\d])/.exec(rest))
        : null;
    if (number) {
      merged += number[0].replace(/[, ]/g, '');
      index += number[0].length;
      continue;
    }
    merged += character;
    index++;
  }
  return merged;
}
