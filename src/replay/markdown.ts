/**
 * @file Converts a model's Markdown to elements. Every text becomes a text node, so no script runs and nothing is loaded. Hostile
 * text must be parsed quickly, because a replay file has no Web Worker that could be stopped. So each line is read only once per
 * level of nesting, and the number of levels is limited.
 */
import { isHeavy, piecesOf, withFewMarks } from '../app/ui/markdown/display-text';
import { inlineNodes } from './markdown-inline';

/** Maximum number of nested lists and quotes. Deeper levels are plain text. */
const DEEPEST = 8;
/** Maximum number of blocks and table rows in one text. The rest is plain text. */
const MOST_BLOCKS = 3_000;
const MOST_CELLS = 20;

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
// These patterns take linear time even for lines that almost match, because no two consecutive parts match the same spaces.
const HEADING = /^ {0,3}(#{1,6}) (.*)$/;
const RULE = /^ {0,3}(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,})$/;
const ITEM = /^( {0,12})(?:([-*+])|(\d{1,9})[.)])(?: +|$)/;
const SEPARATOR = /^ {0,3}\|?(?: *:?-+:? *\|)+(?: *:?-+:?)? *$/;
const QUOTE = /^ {0,3}> ?/;

interface Reading {
  readonly lines: readonly string[];
  at: number;
  /** Counts the blocks of all levels. */
  readonly blocks: { count: number };
  readonly depth: number;
}

/** The elements of a text, in order. */
export function markdownNodes(text: string): Node[] {
  const lines = text.replace(/\r\n?/g, '\n').replaceAll('\t', '    ').split('\n');
  return blocksOf({ lines, at: 0, blocks: { count: 0 }, depth: 0 });
}

function blocksOf(reading: Reading): Node[] {
  const nodes: Node[] = [];
  const { lines, blocks, depth } = reading;
  while (reading.at < lines.length) {
    const line = lines[reading.at] ?? '';
    if (line.trim() === '') reading.at += 1;
    else if (depth > DEEPEST || ++blocks.count > MOST_BLOCKS) {
      nodes.push(...plainNodes(lines.slice(reading.at).join('\n')));
      reading.at = lines.length;
    } else nodes.push(...blockAt(reading, line));
  }
  return nodes;
}

function blockAt(reading: Reading, line: string): Node[] {
  if (FENCE.test(line)) return [fenced(reading)];
  const heading = HEADING.exec(line);
  if (heading) {
    reading.at += 1;
    return [element(`h${Math.min(6, (heading[1]?.length ?? 1) + 3)}`, ...textNodes(headingText(heading[2] ?? '')))];
  }
  if (RULE.test(line)) {
    reading.at += 1;
    return [element('hr')];
  }
  if (QUOTE.test(line)) return [quote(reading)];
  if (ITEM.test(line)) return [list(reading)];
  if (line.includes('|') && SEPARATOR.test(reading.lines[reading.at + 1] ?? '')) return [table(reading)];
  return paragraph(reading);
}

/** The text of a heading without the optional `#` signs at its end. */
function headingText(text: string): string {
  const trimmed = text.trim();
  let end = trimmed.length;
  while (trimmed[end - 1] === '#') end -= 1;
  const isClosed = end === 0 || trimmed[end - 1] === ' ';
  return isClosed ? trimmed.slice(0, end).trimEnd() : trimmed;
}

/** A code block: the lines up to the closing fence, or up to the end of the text. */
function fenced(reading: Reading): Node {
  const { lines } = reading;
  const [, fence = '```'] = FENCE.exec(lines[reading.at] ?? '') ?? [];
  const from = ++reading.at;
  const isEnd = (line: string) => {
    const trimmed = line.trim();
    return trimmed.length >= fence.length && [...trimmed].every((sign) => sign === fence[0]);
  };
  while (reading.at < lines.length && !isEnd(lines[reading.at] ?? '')) reading.at += 1;
  const code = lines.slice(from, reading.at).join('\n');
  reading.at += 1;
  const pre = element('pre', element('code', ...plainNodes(code)));
  // Long lines scroll, so the block must be focusable by keyboard.
  pre.tabIndex = 0;
  return pre;
}

function quote(reading: Reading): Node {
  const { lines } = reading;
  const inside: string[] = [];
  for (; reading.at < lines.length; reading.at += 1) {
    const line = lines[reading.at] ?? '';
    if (!QUOTE.test(line) && (line.trim() === '' || startsBlock(line))) break;
    inside.push(line.replace(QUOTE, ''));
  }
  return element('blockquote', ...blocksOf(within(reading, inside)));
}

function list(reading: Reading): Node {
  const { lines } = reading;
  const [, indent = '', , first] = ITEM.exec(lines[reading.at] ?? '') ?? [];
  const isOrdered = first !== undefined;
  const box = element(isOrdered ? 'ol' : 'ul');
  if (first !== undefined && first !== '1') box.setAttribute('start', String(Number(first)));
  while (reading.at < lines.length) {
    const line = lines[reading.at] ?? '';
    const item = ITEM.exec(line);
    if (!item || RULE.test(line) || (item[3] !== undefined) !== isOrdered || (item[1]?.length ?? 0) < indent.length)
      break;
    const width = Math.max(item[0].trimEnd().length + 1, indent.length + 2);
    const inside = [line.slice(item[0].length)];
    for (reading.at += 1; reading.at < lines.length; reading.at += 1) {
      const next = lines[reading.at] ?? '';
      const isBlank = next.trim() === '';
      const isInside = next.search(/\S/) > indent.length + 1;
      if (isBlank && !isContinued(lines, reading.at, indent.length)) break;
      if (!isBlank && !isInside && (startsBlock(next) || inside.at(-1)?.trim() === '')) break;
      inside.push(next.slice(Math.min(width, Math.max(0, next.search(/\S/)))));
    }
    const blocks = blocksOf(within(reading, inside));
    const [only] = blocks;
    // A paragraph would add space between items, so the only paragraph of an item is unwrapped.
    const content = blocks.length === 1 && only instanceof HTMLParagraphElement ? [...only.childNodes] : blocks;
    box.append(element('li', ...content));
    if ((lines[reading.at] ?? '').trim() === '' && ITEM.test(lines[reading.at + 1] ?? '')) reading.at += 1;
  }
  return box;
}

/** Whether the list item continues after the blank line at `at`. */
function isContinued(lines: readonly string[], at: number, indent: number): boolean {
  return (lines[at + 1] ?? '').search(/\S/) > indent + 1;
}

function table(reading: Reading): Node {
  const { lines } = reading;
  const row = (tag: 'th' | 'td', line: string) =>
    element('tr', ...cellsOf(line).map((cell) => element(tag, ...textNodes(cell))));
  const head = element('thead', row('th', lines[reading.at] ?? ''));
  const body = element('tbody');
  for (reading.at += 2; reading.at < lines.length; reading.at += 1) {
    const line = lines[reading.at] ?? '';
    if (!line.includes('|') || line.trim() === '' || ++reading.blocks.count > MOST_BLOCKS) break;
    body.append(row('td', line));
  }
  return element('table', head, body);
}

function cellsOf(line: string): string[] {
  const cells = line.trim().replace(/^\|/, '').replace(/\|$/, '').split('|', MOST_CELLS);
  return cells.map((cell) => cell.trim());
}

function paragraph(reading: Reading): Node[] {
  const { lines } = reading;
  const from = reading.at;
  reading.at += 1;
  while (reading.at < lines.length) {
    const line = lines[reading.at] ?? '';
    if (line.trim() === '' || startsBlock(line)) break;
    reading.at += 1;
  }
  const text = lines.slice(from, reading.at).join('\n');
  return isHeavy(withFewMarks(text)) ? plainNodes(text) : [element('p', ...textNodes(text))];
}

function startsBlock(line: string): boolean {
  return FENCE.test(line) || HEADING.test(line) || RULE.test(line) || QUOTE.test(line) || ITEM.test(line);
}

function within(reading: Reading, lines: readonly string[]): Reading {
  return { lines, at: 0, blocks: reading.blocks, depth: reading.depth + 1 };
}

function textNodes(text: string): Node[] {
  return inlineNodes(withFewMarks(text));
}

/** Text whose Markdown is not interpreted, in pieces that are cheap to lay out. */
function plainNodes(text: string): Node[] {
  return piecesOf(text).map((piece) => {
    const box = element('div', withFewMarks(piece));
    box.className = 'plain';
    return box;
  });
}

function element(name: string, ...children: (Node | string)[]): HTMLElement {
  const made = document.createElement(name);
  made.append(...children);
  return made;
}
