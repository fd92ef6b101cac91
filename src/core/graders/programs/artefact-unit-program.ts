/**
 * @file Finds the program in an answer as the published code of arXiv 2512.04388 does for BigCodeBench. The program
 * is the longest code block. Without one, it is the longest function, then the first block after a heading, then the
 * whole answer. `<answer>` tags are ignored.
 */

/**
 * The opening and closing markers of code blocks. The second pair also matches the text between two blocks, because
 * it takes a closing fence for an opening one.
 */
const BLOCKS = [
  ['```python\n', '\n```'],
  ['```\n', '\n```'],
  ['<code>\n', '\n</code>'],
] as const;

/** A block is ignored if its trimmed text has at most this many UTF-16 units. */
const LONGEST_IGNORED = 20;

/** Headings before a code block, in lower case and in search order. */
const HEADINGS: readonly string[] = [
  'final code:',
  'complete solution:',
  "here's the complete function:",
  'assembled code:',
  'final implementation:',
];

/** Returns the program in an answer. Returns `''` if the answer, or the block after a heading, is empty. */
export function artefactUnitProgram(answer: string): string {
  const blocks = blocksOf(answer).filter(isWhole);
  return withoutIndent(
    longest(blocks.map((block) => block.trim())) ??
      longestFunction(answer) ??
      blockAfterHeading(answer) ??
      answer.trim(),
  );
}

function blocksOf(text: string): readonly string[] {
  return BLOCKS.flatMap(([open, close]) => {
    const blocks: string[] = [];
    for (let from = 0; ;) {
      const start = text.indexOf(open, from);
      const end = start < 0 ? -1 : text.indexOf(close, start + open.length);
      if (end < 0) return blocks;
      blocks.push(text.slice(start + open.length, end));
      from = end + close.length;
    }
  });
}

/**
 * Whether a block counts as a whole program. Short blocks do not count. Blocks with an ellipsis or a placeholder do not
 * count either.
 */
function isWhole(block: string): boolean {
  const isSketch = block.includes('...') || block.toLowerCase().includes('function body');
  return !isSketch && block.trim().length > LONGEST_IGNORED;
}

/** Returns the longest text, or the first one in a tie. Returns `undefined` if there are no texts. */
function longest(texts: readonly string[]): string | undefined {
  return texts.toSorted((one, other) => other.length - one.length)[0];
}

/**
 * Returns the longest function, or the first one in a tie. If a function with the same indent follows directly, the
 * text includes the first line of that function. An answer may have thousands of nested functions, so only the text
 * of the longest one is copied.
 */
function longestFunction(answer: string): string | undefined {
  let best = { from: 0, length: 0 };
  /**
   * Start offsets of the functions that have not ended yet, keyed by indent. A function ends after the next
   * `def` line with the same indent. It also ends before a line that is not a `def` line and has the same or a
   * smaller indent. Blank lines do not count.
   */
  const open = new Map<number, number>();
  const end = (indent: number, to: number) => {
    const from = open.get(indent);
    if (from === undefined) return;
    open.delete(indent);
    const length = to - from;
    if (length > best.length || (length === best.length && from < best.from)) best = { from, length };
  };
  let start = 0;
  for (const line of answer.split('\n')) {
    const after = start + line.length;
    const indent = indentOf(line);
    if (isDefinition(line)) {
      end(indent, after);
      if (isWholeHead(line)) open.set(indent, start);
    } else if (!isBlank(line)) {
      for (const own of open.keys()) if (own >= indent) end(own, start - 1);
    }
    start = after + 1;
  }
  for (const indent of open.keys()) end(indent, answer.length);
  return best.length === 0 ? undefined : answer.slice(best.from, best.from + best.length);
}

function isDefinition(line: string): boolean {
  return line.trimStart().startsWith('def ');
}

/** Whether a `def` line has an opening parenthesis and a colon. If it lacks one of them, its function is ignored. */
function isWholeHead(line: string): boolean {
  return line.includes('(') && line.includes(':');
}

function blockAfterHeading(answer: string): string | undefined {
  const lower = answer.toLowerCase();
  for (const heading of HEADINGS) {
    const from = lower.indexOf(heading);
    const [block] = from < 0 ? [] : blocksOf(answer.slice(from));
    if (block !== undefined) return block.trim();
  }
  return undefined;
}

/** Removes blank lines at both ends, and the indent that all lines have in common. */
function withoutIndent(code: string): string {
  const all = code.split('\n');
  const isText = (line: string) => !isBlank(line);
  const lines = all.slice(Math.max(0, all.findIndex(isText)), all.findLastIndex(isText) + 1);
  const least = lines.filter(isText).reduce((lowest, line) => Math.min(lowest, indentOf(line)), Infinity);
  return lines.map((line) => (isBlank(line) ? '' : line.slice(least))).join('\n');
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function isBlank(line: string): boolean {
  return line.trim() === '';
}
