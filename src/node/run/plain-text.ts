/** @file Removes the marks of Markdown from an answer, because a terminal and most programs don't render them. */
import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';

/**
 * The text of an answer without marks for emphasis, headings, links and code. Keeps lists, quotes, tables and formulas as they
 * are written. Marks inside a word or formula stay, because there they can be operators, as in `2*3*4`.
 */
export function plainText(markdown: string): string {
  return blocks(Lexer.lex(markdown)).trim();
}

function blocks(tokens: readonly Token[]): string {
  return tokens.map((token) => withEnd(block(token as MarkedToken), token.raw)).join('');
}

function block(token: MarkedToken): string {
  switch (token.type) {
    case 'heading':
    case 'paragraph':
      return inline(token.tokens);
    case 'text':
      return inline(token.tokens ?? [token]);
    case 'code':
      // Three backticks before the end of an answer are no block of code.
      return token.text === '' ? token.raw : token.text;
    case 'list':
      return token.items.map((item) => withEnd(listItem(item), item.raw)).join('');
    case 'blockquote':
      return indented(blocks(token.tokens).trimEnd(), '> ', '> ');
    default:
      return token.raw;
  }
}

function listItem({ raw, tokens }: Tokens.ListItem): string {
  // An answer such as “42.” is a list with an empty item for Markdown.
  const marker = /^\s*(?:[-*+]|\d+[.)])(?:\s+|$)(?:\[[ xX]\]\s+)?/.exec(raw)?.[0] ?? '- ';
  return indented(
    blocks(tokens.filter(({ type }) => type !== 'checkbox')).trimEnd(),
    marker,
    ' '.repeat(marker.length),
  );
}

function indented(text: string, first: string, others: string): string {
  return first + text.split('\n').join(`\n${others}`);
}

function inline(tokens: readonly Token[]): string {
  return tokens
    .map((token, index) => {
      const before = tokens[index - 1]?.raw ?? '';
      const after = tokens[index + 1]?.raw ?? '';
      const isInsideWord = /[\p{L}\p{N})]$/u.test(before) || /^[\p{L}\p{N}(]/u.test(after);
      return inlineToken(token as MarkedToken, isInsideWord);
    })
    .join('');
}

function inlineToken(token: MarkedToken, isInsideWord: boolean): string {
  switch (token.type) {
    case 'strong':
    case 'em':
    case 'del':
      return isInsideWord ? token.raw : inline(token.tokens);
    case 'codespan':
      return token.text;
    case 'link': {
      const text = inline(token.tokens);
      return text === token.href || token.raw === text ? text : `${text} (${token.href})`;
    }
    default:
      return token.raw;
  }
}

/** `text` with the white space at the end of `raw`. */
function withEnd(text: string, raw: string): string {
  return text.trimEnd() + raw.slice(raw.trimEnd().length);
}
