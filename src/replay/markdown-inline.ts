/**
 * @file Parses the inside of a Markdown paragraph into text nodes and a few elements: code, formulas, and bold, italic and
 * struck-through text. Shows the addresses of links as text. Parsing takes time proportional to the length of the text.
 */
import { plainMath } from './plain-math';

/** Maximum number of markers that are open at a time. Further markers are plain text. */
const MOST_OPEN = 12;
const LONGEST_CODE_MARK = 8;
/** Maximum number of signs in one paragraph that may begin or end an element. The text after them stays plain. */
const MOST_ELEMENTS = 2_000;
const LONGEST_FORMULA = 4_000;
const FORMULAS: readonly (readonly [start: string, end: string])[] = [
  ['$$', '$$'],
  ['$', '$'],
  ['\\(', '\\)'],
  ['\\[', '\\]'],
];
const WORD = /[\p{L}\p{N}]/u;

const TAGS: Readonly<Record<string, string>> = {
  '**': 'strong',
  __: 'strong',
  '*': 'em',
  _: 'em',
  '~~': 'del',
};
/** Matches the next character that may begin or end an element. */
const SIGN = /[\\`*_~[$]/g;
/** Matches a link. Its label and its address cannot contain another link, so no character is read many times. */
const LINK = /\[([^[\]\n]{1,500})\]\(([^()[\]\s]{1,2000})(?: "[^"\n]{0,200}")?\)/y;
const ESCAPED = /\\([!-/:-@[-`{-~])/y;
const MARKER = /\*\*|\*|__|_|~~/y;
const BACKTICKS = /`+/y;

interface Open {
  readonly marker: string;
  readonly nodes: (Node | string)[];
}

/** Adds nodes to an open marker. Joins consecutive texts, so that the number of nodes is limited by the number of elements. */
function add({ nodes }: Open, added: readonly (Node | string)[]): void {
  for (const node of added) {
    const last = nodes.at(-1);
    if (typeof node === 'string' && typeof last === 'string') nodes[nodes.length - 1] = last + node;
    else nodes.push(node);
  }
}

export function inlineNodes(text: string): Node[] {
  const root: Open = { marker: '', nodes: [] };
  const open: Open[] = [root];
  /**
   * The closing delimiters that do not occur in the rest of the text, so the parser doesn't search for them again. A number is
   * the length of a row of backticks, and a string is the end of a formula.
   */
  const endless = new Set<number | string>();
  let at = 0;
  let elements = 0;
  const top = () => open.at(-1) ?? root;
  const matchAt = (pattern: RegExp) => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };

  function code(): boolean {
    const [marks = ''] = matchAt(BACKTICKS) ?? [];
    const from = at + marks.length;
    const end =
      marks.length > LONGEST_CODE_MARK || endless.has(marks.length) ? -1 : endOfCode(text, from, marks.length);
    if (end < 0) {
      endless.add(marks.length);
      add(top(), [marks]);
      at = from;
      return true;
    }
    add(top(), [withText('code', text.slice(from, end).replace(/^ (.+) $/s, '$1'))]);
    at = end + marks.length;
    return true;
  }

  function link(): boolean {
    const found = matchAt(LINK);
    if (!found) return false;
    const [whole, label = '', address = ''] = found;
    // The source text of an image is shown unchanged.
    if (text[at - 1] === '!') add(top(), [whole]);
    else if (label === address) add(top(), [label]);
    else {
      const shown = withText('span', ` (${address})`);
      shown.className = 'address';
      add(top(), [label, shown]);
    }
    at += whole.length;
    return true;
  }

  function formula(): boolean {
    const [start, end] = FORMULAS.find(([each]) => text.startsWith(each, at)) ?? [];
    if (start === undefined || end === undefined || endless.has(end)) return false;
    const from = at + start.length;
    const to = text.indexOf(end, from);
    if (to < 0) endless.add(end);
    const inside = to < 0 ? '' : text.slice(from, to);
    if (inside.trim() === '' || inside.length > LONGEST_FORMULA) return false;
    // A dollar sign before a price does not begin a formula.
    const isPrice = start === '$' && (/^\s|\s$|\n/.test(inside) || /\d/.test(text[to + 1] ?? ''));
    if (isPrice) return false;
    const shown = withText('span', plainMath(inside));
    shown.className = 'math';
    add(top(), [shown]);
    at = to + end.length;
    return true;
  }

  function emphasis(): boolean {
    const [marker] = matchAt(MARKER) ?? [];
    if (marker === undefined) return false;
    const before = text[at - 1] ?? ' ';
    const after = text[at + marker.length] ?? ' ';
    const isUnder = marker.startsWith('_');
    const closes = before.trim() !== '' && !(isUnder && WORD.test(after));
    const opens = after.trim() !== '' && !(isUnder && WORD.test(before));
    at += marker.length;
    const opened = closes ? open.findLastIndex((each) => each.marker === marker) : -1;
    if (opened > 0) close(opened);
    else if (opens && open.length <= MOST_OPEN) open.push({ marker, nodes: [] });
    else add(top(), [marker]);
    return true;
  }

  /** Converts the open marker at an index to an element. Markers that were opened later become plain text. */
  function close(index: number): void {
    for (const lost of open.splice(index + 1)) add(top(), [lost.marker, ...lost.nodes]);
    const ended = open.pop();
    if (!ended) return;
    const element = document.createElement(TAGS[ended.marker] ?? 'span');
    element.append(...ended.nodes);
    add(top(), [element]);
  }

  function escaped(): boolean {
    const found = matchAt(ESCAPED);
    if (!found) return false;
    add(top(), [found[1] ?? '']);
    at += 2;
    return true;
  }

  while (at < text.length) {
    if (elements > MOST_ELEMENTS) {
      add(top(), [text.slice(at)]);
      break;
    }
    SIGN.lastIndex = at;
    const next = SIGN.exec(text)?.index ?? text.length;
    if (next > at) add(top(), [text.slice(at, next)]);
    at = next;
    if (at >= text.length) break;
    const sign = text[at];
    elements += 1;
    const isRead =
      sign === '`'
        ? code()
        : sign === '['
          ? link()
          : sign === '\\'
            ? formula() || escaped()
            : sign === '$'
              ? formula()
              : emphasis();
    if (isRead) continue;
    add(top(), [text[at] ?? '']);
    at += 1;
  }
  for (const lost of open.splice(1)) add(root, [lost.marker, ...lost.nodes]);
  return merged(root.nodes);
}

/** The start of the next row of exactly `marks` backticks. −1 if there is none. */
function endOfCode(text: string, from: number, marks: number): number {
  const mark = '`'.repeat(marks);
  for (let at = text.indexOf(mark, from); at >= 0;) {
    let end = at + marks;
    while (text[end] === '`') end += 1;
    if (end - at === marks) return at;
    at = text.indexOf(mark, end);
  }
  return -1;
}

/** The nodes, with adjacent texts joined into one node. */
function merged(nodes: readonly (Node | string)[]): Node[] {
  const box = document.createDocumentFragment();
  box.append(...nodes);
  box.normalize();
  return [...box.childNodes];
}

function withText(name: string, text: string): HTMLElement {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}
