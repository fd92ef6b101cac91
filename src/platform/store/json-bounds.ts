/**
 * @file Checks the nesting depth and the number of values of a JSON line before it is parsed. The
 * check makes one pass and allocates no memory.
 */
import { DEEPEST_NESTING } from '../../core/contract';
import { MOST_LINE_VALUES } from './file-limits';

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * @returns a sentence that explains why the line must not be parsed, or `null`. Does not check whether
 *   the line is valid JSON
 */
export function lineProblem(line: string): string | null {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < line.length; at++) {
    switch (line.charCodeAt(at)) {
      case QUOTE:
        at = endOfText(line, at);
        if (at < 0) return null;
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        depth += 1;
        values += 1;
        if (depth > DEEPEST_NESTING) return `It is nested more than ${DEEPEST_NESTING} levels deep.`;
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth -= 1;
        break;
      case COMMA:
        values += 1;
        break;
    }
    if (values > MOST_LINE_VALUES) return `It contains more than ${MOST_LINE_VALUES.toLocaleString('en-US')} values.`;
  }
  return null;
}

/** The offset of the quote that closes the string at `begin`, or −1 if the string is not closed. */
function endOfText(line: string, begin: number): number {
  for (let end = line.indexOf('"', begin + 1); end >= 0; end = line.indexOf('"', end + 1)) {
    let first = end;
    while (line.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    if ((end - first) % 2 === 0) return end;
  }
  return -1;
}
