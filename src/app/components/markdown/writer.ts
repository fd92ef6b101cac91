/**
 * @file Writes growing Markdown into an element. Finished blocks are rendered once and kept; only the last block, which may
 * still grow, is rendered again: rendering everything for each frame costs more than the frame (measured on long answers).
 * The renderer itself is loaded with the first text; until then the text stands there plainly.
 */
import type { Renderer } from './renderer';

export interface MarkdownWriter {
  /** Shows a text. One that continues the text before is appended to it; any other replaces it. */
  write(text: string): void;
}

let loaded: Renderer | null = null;
let loading: Promise<Renderer> | null = null;

function fetchRenderer(): Promise<Renderer> {
  loading ??= import('./renderer').then(({ createRenderer }) => (loaded = createRenderer()));
  return loading;
}

/** Takes over the children of `element`. Stops when `signal` aborts. */
export function createMarkdownWriter(element: HTMLElement, signal: AbortSignal): MarkdownWriter {
  let shown = '';
  /** How much of the text stands in kept blocks. */
  let settled = 0;
  let waiting = false;
  /** The renderer could not take this text: so deeply nested that its recursion has no end in sight. It stands there plainly. */
  let isBeyond = false;
  const tail = document.createElement('div');
  tail.className = 'tail';

  function reset(): void {
    settled = 0;
    isBeyond = false;
    tail.textContent = '';
    element.replaceChildren(tail);
  }

  /** Renders everything once more when what was missing is here. Should it never come (offline), the plain text stays. */
  function renderAgainAfter(missing: Promise<unknown>): void {
    if (waiting) return;
    waiting = true;
    const arrived = () => {
      waiting = false;
      reset();
      write(shown);
    };
    void missing.then(arrived, () => {
      waiting = false;
      loading = null;
    });
  }

  function render(renderer: Renderer, text: string, growing: boolean): DocumentFragment {
    const { nodes, missing } = renderer.render(text, { growing });
    if (missing) renderAgainAfter(missing);
    return nodes;
  }

  function write(text: string): void {
    if (signal.aborted) return;
    if (!text.startsWith(shown)) reset();
    shown = text;
    if (!loaded) {
      tail.textContent = text;
      renderAgainAfter(fetchRenderer());
      return;
    }
    try {
      if (!isBeyond) return writeBlocks(loaded, text);
    } catch {
      reset();
      isBeyond = true;
    }
    tail.textContent = text;
  }

  function writeBlocks(renderer: Renderer, text: string): void {
    const rest = text.slice(settled);
    const finished = renderer.finishedLength(rest);
    if (finished > 0) {
      const block = document.createElement('div');
      block.className = 'block';
      block.append(render(renderer, rest.slice(0, finished), false));
      tail.before(block);
      settled += finished;
    }
    tail.replaceChildren(render(renderer, rest.slice(finished), true));
  }

  reset();
  return { write };
}
