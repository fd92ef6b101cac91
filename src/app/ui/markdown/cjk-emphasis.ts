/**
 * @file Makes the parser `marked` recognize emphasis next to Chinese, Japanese and Korean text. CommonMark decides by spaces and
 * punctuation around `**` whether it begins or ends emphasis. These languages use no spaces between words, so `**重点。**内容`
 * would keep its asterisks. Two changes to the parser's patterns fix this, and leave other text as it is:
 * - Full-width punctuation counts as a letter.
 * - A letter of these languages counts as a boundary on the other side of `**`, as a space does.
 */
import type { MarkedExtension, Tokenizer } from 'marked';

type Rules = Tokenizer['rules']['inline'];

const FULL_WIDTH =
  '[\\u3001-\\u3003\\u3008-\\u3020\\u3030\\u303D\\u30A0\\u30FB\\uFE30-\\uFE4F\\uFF01-\\uFF0F\\uFF1A-\\uFF20\\uFF3B-\\uFF40\\uFF5B-\\uFF65\\uFFE0-\\uFFE6]';
const LETTER = '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Bopomofo}\\u30FC]';

/** The parser's classes of characters. */
const OTHER = '[^\\s\\p{P}\\p{S}]';
const SPACE_OR_SIGN = '[\\s\\p{P}\\p{S}]';
const SIGN = '[\\p{P}\\p{S}]';

const extended = new WeakMap<Rules, Rules>();

/** The parser asks these methods first. They change its patterns and leave the parsing to it. */
export const cjkEmphasis: MarkedExtension = {
  tokenizer: {
    emStrong() {
      this.rules.inline = extend(this.rules.inline);
      return false;
    },
    del() {
      this.rules.inline = extend(this.rules.inline);
      return false;
    },
  },
};

function extend(rules: Rules): Rules {
  const known = extended.get(rules);
  if (known) return known;
  const { emStrongLDelim, emStrongRDelimAst, delLDelim, delRDelim, punctuation } = rules;
  const changed = {
    ...rules,
    emStrongLDelim: changedPattern(emStrongLDelim),
    emStrongRDelimAst: changedPattern(emStrongRDelimAst),
    delLDelim: changedPattern(delLDelim),
    delRDelim: changedPattern(delRDelim),
    // Matches the character before an opening delimiter.
    punctuation: new RegExp(
      punctuation.source.replace(SPACE_OR_SIGN, `(?:${SPACE_OR_SIGN}|${LETTER})`),
      punctuation.flags,
    ),
  };
  extended.set(rules, changed);
  extended.set(changed, changed);
  return changed;
}

function changedPattern({ source, flags }: RegExp): RegExp {
  const named = source.replaceAll(OTHER, '<other>').replaceAll(SPACE_OR_SIGN, '<space>').replaceAll(SIGN, '<sign>');
  const closing = named
    // After a sign and before a letter of these languages, a delimiter may also end emphasis.
    .replace(/<space>\((\\\*\+|~~\?)\)\(\?=/, `(?!<sign>$1${LETTER})$&`)
    .replace(/<sign>\((\\\*\+|~~\?)\)\(\?!(?:\\\*|~)\)\(\?=(?:\(\?!~\))?<sign>/, `$&|${LETTER}`);
  const whole = closing
    .replaceAll('<other>', `(?:${OTHER}|${FULL_WIDTH})`)
    .replaceAll('<space>', `(?!${FULL_WIDTH})${SPACE_OR_SIGN}`)
    .replaceAll('<sign>', `(?!${FULL_WIDTH})${SIGN}`);
  return new RegExp(whole, flags);
}
