/** @file Compares the output of a program with the expected output. */
import { canonicalDecimal } from './decimal';

/**
 * Whether a printed text matches the expected text. Both must have the same number of lines. Two lines match if they
 * are equal, or if they consist of the same decimal numbers. White space around the text and around lines is ignored.
 */
export function isSameOutput(expected: string, printed: string): boolean {
  const wanted = linesOf(expected);
  const given = linesOf(printed);
  return wanted.length === given.length && wanted.every((line, index) => isSameLine(line, given[index] ?? ''));
}

function linesOf(text: string): string[] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.trim());
}

function isSameLine(wanted: string, given: string): boolean {
  if (wanted === given) return true;
  const one = decimalsOf(wanted);
  const other = decimalsOf(given);
  return one !== null && other !== null && one.length === other.length && one.every((each, at) => each === other[at]);
}

function decimalsOf(line: string): readonly string[] | null {
  const decimals = line.split(/\s+/).map(canonicalDecimal);
  return decimals.every((decimal) => decimal !== null) ? decimals : null;
}
