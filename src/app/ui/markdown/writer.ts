/**
 * @file Writes growing Markdown into an element. Finished blocks are rendered once. Only the last block,
 * which may still grow, is rendered again. Rendering everything again would take longer than a frame
 * (measured on long answers). A Web Worker parses the text. Text is shown plainly, without formatting, until
 * the first rendering. Later text is shown plainly if parsing it takes longer than `PATIENCE` or fails.
 */
import { piecesOf, withFewMarks } from './display-text';
import type { Block } from './markup';
import { createMarkupClient, type MarkupClient, type MarkupEnd } from './markup-client';

export interface MarkdownWriter {
  /**
   * Shows a text. If the text begins with the previous text, only the rest is added. Otherwise the previous text is replaced.
   * @param isComplete whether no more text will follow
   */
  write(text: string, isComplete: boolean): void;
}

type Sanitize = (html: string) => DocumentFragment;

/** Once this many blocks of a text have timed out or failed, the rest of the text is shown plainly. */
const MOST_STUCK = 3;
/** Time after which text that is still being parsed is shown plainly, ms. */
const PATIENCE = 300;
/** Time for inserting rendered blocks before yielding to the page, ms. */
const LONGEST_TASK = 8;
/** Blocks with at least this many UTF-16 units of source count as long. */
const LONG = 500;

let client: MarkupClient | null = null;
let sanitizer: Promise<Sanitize> | null = null;

function loadSanitizer(): Promise<Sanitize> {
  sanitizer ??= import('./sanitize').then(({ sanitize }) => sanitize);
  return sanitizer;
}

/** Creates a writer for `element`, and removes the element's children. The writer stops when `signal` aborts. */
export function createMarkdownWriter(
  element: HTMLElement,
  signal: AbortSignal,
  { parse }: MarkupClient = (client ??= createMarkupClient()),
): MarkdownWriter {
  let shown = '';
  let isComplete = false;
  /** Length of the text in finished blocks, in UTF-16 units. */
  let settled = 0;
  /** Whether the text after the finished blocks is shown plainly. */
  let isPlain = true;
  let isBusy = false;
  /** Number of blocks of this text that timed out or failed. */
  let stuck = 0;
  /** Whether the block after the finished blocks timed out or failed. */
  let isStuck = false;
  /** Counts the texts that replaced an earlier text. Results for an earlier text are ignored. */
  let generation = 0;
  const tail = document.createElement('div');
  tail.className = 'tail';
  /**
   * Plain text between the finished blocks and `tail`. The last piece of the text is in `tail`. `length`: UTF-16
   * units of the piece's source.
   */
  let pieces: { readonly element: HTMLElement; readonly length: number }[] = [];
  /** Offset in the text at which the first piece starts, in UTF-16 units. */
  let plainFrom = 0;

  function reset(): void {
    generation += 1;
    settled = 0;
    stuck = 0;
    isStuck = false;
    isPlain = true;
    pieces = [];
    tail.textContent = '';
    element.replaceChildren(tail);
  }

  function write(text: string, isWhole: boolean): void {
    if (signal.aborted) return;
    isComplete = isWhole;
    // The parser counts every line break as one character.
    const whole = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
    if (!whole.startsWith(shown)) reset();
    shown = whole;
    advance();
  }

  function advance(): void {
    if (isStuck && stuck < MOST_STUCK) passOver();
    if (isPlain) showPlain(shown.slice(settled));
    if (!isBusy && !isStuck && settled < shown.length) void parseRest();
  }

  /** Once the paragraph of a stuck block has ended, shows that paragraph plainly and continues with the next paragraph. */
  function passOver(): void {
    const end = shown.indexOf('\n\n', settled);
    if (end < 0) return;
    removePieces();
    tail.before(...plainElements(shown.slice(settled, end)));
    settled = end + 2;
    isStuck = false;
  }

  async function parseRest(): Promise<void> {
    isBusy = true;
    const mine = generation;
    const text = shown.slice(settled);
    const parsedLength = shown.length;
    const wasComplete = isComplete;
    const patience = setTimeout(() => {
      if (mine !== generation || signal.aborted) return;
      isPlain = true;
      showPlain(shown.slice(settled));
    }, PATIENCE);
    const blocks: { readonly block: Block; readonly nodes: readonly Node[] }[] = [];
    const end = await parseBlocks(text, wasComplete, (block, nodes) => blocks.push({ block, nodes }), mine);
    clearTimeout(patience);
    let began = performance.now();
    for (const { block, nodes } of blocks) {
      if (performance.now() - began > LONGEST_TASK) {
        await new Promise((resolve) => setTimeout(resolve));
        began = performance.now();
      }
      if (mine !== generation || signal.aborted) break;
      if (block.isTail) showTail(nodes);
      else keep(block, nodes);
    }
    isBusy = false;
    if (signal.aborted) return;
    if (mine !== generation) return advance();
    if (end === 'stuck') stuck += 1;
    isStuck = end === 'stuck';
    isPlain = end !== 'done';
    if (end === 'missing') showPlain(shown.slice(settled));
    else if (end === 'stuck' || parsedLength < shown.length || wasComplete !== isComplete) advance();
  }

  /** Parses a text and sanitizes its blocks. Never rejects. */
  async function parseBlocks(
    text: string,
    isWhole: boolean,
    place: (block: Block, nodes: readonly Node[]) => void,
    mine: number,
  ): Promise<MarkupEnd> {
    let from = 0;
    try {
      const sanitize = await loadSanitizer();
      return await parse(text, isWhole, (block) => {
        const source = text.slice(from, from + block.length);
        from += block.length;
        if (mine !== generation || signal.aborted) return;
        place(block, block.html === null ? plainElements(source) : [sanitize(block.html)]);
      });
    } catch {
      // The next call loads the sanitizer again.
      sanitizer = null;
      return 'missing';
    }
  }

  function keep({ length, html }: Block, nodes: readonly Node[]): void {
    settled += length;
    dropPieces();
    const place = pieces[0]?.element ?? tail;
    if (html === null) return place.before(...nodes);
    const block = document.createElement('div');
    // Long blocks get a larger placeholder height. With a small height, the browser would lay out dozens of blocks at a time.
    block.className = length < LONG ? 'block' : 'block long';
    block.append(...nodes);
    place.before(block);
  }

  /** Removes pieces whose text is now in finished blocks. */
  function dropPieces(): void {
    for (let first = pieces[0]; first; first = pieces[0]) {
      const end = plainFrom + first.length;
      if (end > settled) return;
      plainFrom = end;
      first.element.remove();
      pieces.shift();
    }
  }

  function showTail(nodes: readonly Node[]): void {
    removePieces();
    tail.replaceChildren(...nodes);
  }

  /** Shows a text plainly after the finished blocks. Existing pieces are reused. */
  function showPlain(text: string): void {
    plainFrom = settled;
    const sources = piecesOf(text);
    const last = sources.pop() ?? '';
    const old = pieces;
    pieces = sources.map((source, index) => {
      const element = old[index]?.element ?? plainElement('');
      const shown = withFewMarks(source);
      if (element.textContent !== shown) element.textContent = shown;
      if (!old[index]) tail.before(element);
      return { element, length: source.length };
    });
    for (const { element } of old.slice(pieces.length)) element.remove();
    tail.textContent = withFewMarks(last);
  }

  function removePieces(): void {
    for (const { element } of pieces.splice(0)) element.remove();
  }

  reset();
  return { write };
}

function plainElements(text: string): HTMLElement[] {
  return piecesOf(text).map((piece) => plainElement(withFewMarks(piece)));
}

function plainElement(text: string): HTMLElement {
  const element = document.createElement('div');
  element.className = 'plain';
  element.textContent = text;
  return element;
}
