/** @file Finds numbers in prose: with thousands separators, decimal points, fractions and percent signs. */

const WHOLE = String.raw`(?:\d{1,3}(?:[,'’\u00a0\u202f\u2009 ]\d{3})+(?!\d)|\d+)`;
/** A power of ten, a factor π or √, an exponent, or a word such as “million”. */
const SUFFIX = String.raw`(?:\s?[×x*·]\s?10\s?(?:\^\s?\{?-?\d+\}?|[⁰¹²³⁴-⁹⁻]+)|[eE][+-]?\d+|\s?π(?:\/\d+)?|√\d+|\s?\^\s?\{?-?\d+\}?|[⁰¹²³⁴-⁹⁻]+|\s(?:thousand|million|billion|trillion)\b)?`;
/** A number. The clock times `7:30` and `7:30 PM`, and the ratio `2:3`, are also numbers. */
const PATTERN = new RegExp(
  String.raw`(?<![\w\\√.])-?(?:\d*√\d+|\d+ \d+\/\d+|\d{1,2}:\d\d\s?[aApP]\.?[mM]\b|\d+(?::\d+)+|(?:${WHOLE}(?:[.,]\d+)?|\.\d+)(?:\s?\/\s?-?\d+(?!\d|\.\d))?${SUFFIX})(?:\s?(?:\\?%|percent\b|pct\b))?`,
  'g',
);

export interface FoundNumber {
  readonly start: number;
  readonly end: number;
  /** The number without a currency sign. */
  readonly text: string;
  /** Whether it is an ordinal number, such as 3rd. */
  readonly isOrdinal: boolean;
}

/** The numbers in a text, in linear time. Names such as 3D are left out. */
export function numbersIn(text: string): FoundNumber[] {
  return [...text.matchAll(PATTERN)].flatMap(({ index, 0: match }) => {
    const after = text.slice(index + match.length, index + match.length + 12);
    if (/^D\b/.test(after)) return [];
    const isOrdinal = /^(?:st|nd|rd|th)\b/.test(after);
    const isNegative = /-\s?[$€£¥]$/.test(text.slice(Math.max(0, index - 3), index));
    const plain = match.trim().replace(/['’](?=\d)/g, ',');
    return [{ start: index, end: index + match.length, text: isNegative ? `-${plain}` : plain, isOrdinal }];
  });
}
