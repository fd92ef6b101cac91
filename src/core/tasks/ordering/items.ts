/** @file The items that can be ordered: dates, integers, decimals and fractions. */
import { compare, NUMBER_PATTERN, rationalText, readRational, toNumber, whole, type Rational } from '../rational';
import { longestList } from '../wording';

export interface Item {
  /** The item as written in an answer. */
  readonly text: string;
  readonly value: Rational;
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;
const MONTH = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\\.?';
const DATE_PATTERN = new RegExp(
  `\\b(\\d{1,2})(?:st|nd|rd|th)? (?:of )?${MONTH},? (\\d{3,4})\\b|\\b${MONTH} (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{3,4})\\b|\\b(\\d{4})-(\\d{2})-(\\d{2})\\b`,
  'gi',
);

/** `null` for a date that does not exist. */
export function dateItem(year: number, month: number, day: number): Item | null {
  const name = MONTHS[month - 1];
  if (!name || day < 1 || day > daysIn(month, year)) return null;
  return { text: `${day} ${name} ${year}`, value: whole(year * 10_000 + month * 100 + day) };
}

function daysIn(month: number, year: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** The item for a number, as written in the text. `null` if the text is not a number. */
export function numberItem(text: string): Item | null {
  const value = readRational(text);
  return value ? { text: text.trim().replace(/^-/, '−'), value } : null;
}

export function fractionItem(top: number, bottom: number): Item | null {
  return numberItem(`${top}/${bottom}`);
}

/** Every valid date in a text from `tidyQuestion` or `tidyAnswer`, with its position. */
export function findDates(plain: string): { readonly item: Item; readonly at: number }[] {
  return [...plain.matchAll(DATE_PATTERN)].flatMap((match) => {
    const [, day1, month1, year1, month2, day2, year2, year3, month3, day3] = match;
    const month = month3 ? Number(month3) : monthNumber(month1 ?? month2 ?? '');
    const item = dateItem(Number(year1 ?? year2 ?? year3), month, Number(day1 ?? day2 ?? day3));
    return item ? [{ item, at: match.index }] : [];
  });
}

function monthNumber(start: string): number {
  return MONTHS.findIndex((name) => name.slice(0, 3).toLowerCase() === start.slice(0, 3).toLowerCase()) + 1;
}

/** The longest list of numbers in a tidied text. */
export function findNumberList(plain: string): Item[] {
  return longestList(joinFractions(plain), NUMBER_PATTERN).flatMap(({ text }) => numberItem(text) ?? []);
}

/** Every number in a tidied text. */
export function findNumbers(plain: string): Item[] {
  return [...joinFractions(plain).matchAll(NUMBER_PATTERN)].flatMap(([text]) => numberItem(text) ?? []);
}

/** Normalizes `(3)/(7)` and `3 / 7` to `3/7`. */
function joinFractions(plain: string): string {
  return plain.replace(/\((-?\d{1,12})\)\/\((\d{1,12})\)/g, '$1/$2').replace(/(?<=\d) {0,2}\/ {0,2}(?=\d)/g, '/');
}

/**
 * A rough estimate of an item: the decade of a date, or a rounded number. Numbers from −1 to 1 are rounded to one decimal place,
 * other numbers to one significant digit.
 */
export function glance(item: Item, dates: boolean): number {
  const number = toNumber(item.value);
  if (dates) return Math.floor(number / 100_000);
  if (Math.abs(number) <= 1) return Math.round(number * 10) / 10;
  const unit = 10 ** Math.floor(Math.log10(Math.abs(number)));
  return Math.round(number / unit) * unit;
}

/** A fraction or percentage with its value to three decimal places, as Markdown. `null` for any other item. */
export function withDecimalValue(item: Item): string | null {
  const written = item.text.includes('/') || item.text.includes('%');
  return written ? `$${item.text.replace('%', '\\%')} ≈ ${toNumber(item.value).toFixed(3)}$` : null;
}

/** Whether two items have the same value. */
export function sameValue(one: Item, other: Item): boolean {
  return compare(one.value, other.value) === 0;
}

/** A key for the value regardless of its notation. */
export function valueKey(item: Item): string {
  return rationalText(item.value);
}
