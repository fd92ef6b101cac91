/**
 * @file Looks at a line of JSON before it is parsed: how deep and how much. One pass over the text, which costs less than
 * parsing, and memory for nothing.
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

/** @returns why a line is not worth parsing, in a sentence; `null` if it is. Whether it is JSON at all is not looked at. */
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
    if (values > MOST_LINE_VALUES) return `It holds more than ${MOST_LINE_VALUES.toLocaleString('en-US')} values.`;
  }
  return null;
}

/** Where the text ends that begins at a quote; −1 where it never does. */
function endOfText(line: string, begin: number): number {
  for (let end = line.indexOf('"', begin + 1); end >= 0; end = line.indexOf('"', end + 1)) {
    let first = end;
    while (line.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    if ((end - first) % 2 === 0) return end;
  }
  return -1;
}
