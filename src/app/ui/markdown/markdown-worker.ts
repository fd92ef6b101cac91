/** @file The Web Worker that parses Markdown, one text at a time. The page terminates it if a block takes too long. */
import { createMarkup } from './markup';
import type { MarkupRequest, MarkupResponse } from './markup-messages';

function post(response: MarkupResponse): void {
  self.postMessage(response);
}

const markup = createMarkup(() => post({ type: 'loading' }));

let resume: () => void = () => undefined;

async function parse(text: string, isComplete: boolean): Promise<void> {
  try {
    for await (const block of markup.blocks(text, isComplete)) {
      post({ type: 'block', block });
      if (!block.isTail) await new Promise<void>((resolve) => (resume = resolve));
    }
  } catch {
    // The parser is recursive and fails if the text is nested too deeply.
    post({ type: 'failed' });
  }
}

self.addEventListener('message', ({ data }: MessageEvent<MarkupRequest>) => {
  if (data.type === 'next') resume();
  else void parse(data.text, data.isComplete);
});
post({ type: 'ready' });
