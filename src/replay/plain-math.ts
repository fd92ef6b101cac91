/**
 * @file Converts a TeX formula to a line of text for the viewer in replay files. A math renderer would double the size of this
 * viewer, which each replay file contains.
 */

const SIGNS: Readonly<Record<string, string>> = {
  times: '×',
  cdot: '·',
  div: '÷',
  pm: '±',
  le: '≤',
  leq: '≤',
  ge: '≥',
  geq: '≥',
  ne: '≠',
  neq: '≠',
  approx: '≈',
  equiv: '≡',
  in: '∈',
  to: '→',
  rightarrow: '→',
  Rightarrow: '⇒',
  implies: '⇒',
  infty: '∞',
  sum: '∑',
  prod: '∏',
  int: '∫',
  sqrt: '√',
  pi: 'π',
  alpha: 'α',
  beta: 'β',
  theta: 'θ',
  lambda: 'λ',
  mu: 'μ',
  sigma: 'σ',
  Delta: 'Δ',
  ldots: '…',
  dots: '…',
  cdots: '…',
  quad: ' ',
  left: '',
  right: '',
};

/** Commands that affect only the style. Each is replaced with its argument. */
const WRAPPERS = /\\(?:text|mathrm|mathbf|mathit|boxed|operatorname)\s?\{([^{}]{0,400})\}/g;
const FRACTION = /\\[dt]?frac\{([^{}]{1,200})\}\{([^{}]{1,200})\}/g;

/** Replaces common TeX commands with characters. Other commands stay unchanged. */
export function plainMath(formula: string): string {
  return formula
    .replace(WRAPPERS, '$1')
    .replace(FRACTION, (_, above: string, below: string) => `${grouped(above)}/${grouped(below)}`)
    .replace(/\\([A-Za-z]{1,20})/g, (command, name: string) => SIGNS[name] ?? command)
    .replace(/\\[,;:! ]/g, ' ')
    .replace(/\\([{}%$&#_])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Puts a text in parentheses unless it is a single number or word. */
function grouped(part: string): string {
  const trimmed = part.trim();
  return /^[\p{L}\p{N}.]+$/u.test(trimmed) ? trimmed : `(${trimmed})`;
}
