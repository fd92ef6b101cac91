/** @file Splits cleaned LaTeX into tokens. */

export interface Token {
  readonly kind: 'number' | 'letter' | 'command' | 'sign';
  /** A command has no backslash here. A sign has its canonical form. */
  readonly text: string;
}

const TOKEN = /\d+(?:\.\d+)?|\.\d+|\\[a-zA-Z]+\*?|\\[{}|\\&_#]|<=|>=|!=|<>|==|\S/g;

const SIGNS: Readonly<Record<string, string>> = {
  '\\{': '{set',
  '\\}': '}set',
  '\\lbrace': '{set',
  '\\rbrace': '}set',
  '\\lbrack': '[',
  '\\rbrack': ']',
  '\\|': '|',
  '\\mid': '|',
  '\\\\': 'row',
  '\\cr': 'row',
  '\\cdot': '*',
  '\\times': '*',
  '\\ast': '*',
  '\\div': '/',
  '\\pm': '±',
  '\\mp': '∓',
  '\\colon': ':',
  '\\le': '<=',
  '\\leq': '<=',
  '\\leqslant': '<=',
  '\\ge': '>=',
  '\\geq': '>=',
  '\\geqslant': '>=',
  '\\lt': '<',
  '\\gt': '>',
  '\\ne': '!=',
  '\\neq': '!=',
  '<>': '!=',
  '==': '=',
  '\\approx': '~',
  '\\sim': '~',
  '\\simeq': '~',
  '\\equiv': 'mod=',
  '\\in': 'in',
  '\\cup': 'cup',
  '\\setminus': 'without',
  '\\backslash': 'without',
  '\\prime': "'",
};

/** The tokens `{` and `}` are for grouping. The tokens `{set` and `}set` are visible braces. */
export function tokensOf(latex: string): Token[] {
  return (latex.match(TOKEN) ?? []).map((text): Token => {
    const sign = SIGNS[text];
    if (sign !== undefined) return { kind: 'sign', text: sign };
    if (/^[\d.]/.test(text) && /\d/.test(text)) return { kind: 'number', text };
    if (/^\\[a-zA-Z]/.test(text)) return { kind: 'command', text: text.slice(1) };
    return { kind: /^\p{L}$/u.test(text) ? 'letter' : 'sign', text };
  });
}

/** 1 for an opening bracket, -1 for a closing bracket, else 0. */
export function depthOf({ kind, text }: Token): number {
  if (kind === 'command')
    return text === 'begin' || text === 'lfloor' || text === 'lceil'
      ? 1
      : text === 'end' || text === 'rfloor' || text === 'rceil'
        ? -1
        : 0;
  if (kind !== 'sign') return 0;
  if (text === '(' || text === '[' || text === '{' || text === '{set') return 1;
  return text === ')' || text === ']' || text === '}' || text === '}set' ? -1 : 0;
}

/** Splits tokens at the separators that are outside of all brackets. */
export function splitAt(
  tokens: readonly Token[],
  isSeparator: (token: Token) => boolean,
): { readonly parts: Token[][]; readonly separators: Token[] } {
  const parts: Token[][] = [[]];
  const separators: Token[] = [];
  let depth = 0;
  for (const token of tokens) {
    depth += depthOf(token);
    if (depth === 0 && isSeparator(token)) {
      separators.push(token);
      parts.push([]);
    } else parts.at(-1)?.push(token);
  }
  return { parts, separators };
}
