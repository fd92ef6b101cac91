/** @file The Worker that parses Markdown: one text at a time, ended by the page where it takes too long. */
import { createMarkup } from './markup';
import type { MarkupOrder, MarkupReport } from './markup-messages';

function tell(report: MarkupReport): void {
  self.postMessage(report);
}

const markup = createMarkup(() => tell({ type: 'loading' }));

let goOn: () => void = () => undefined;

async function parse(text: string): Promise<void> {
  try {
    for await (const block of markup.blocks(text)) {
      tell({ type: 'block', block });
      if (!block.isTail) await new Promise<void>((resolve) => (goOn = resolve));
    }
  } catch {
    // So deeply nested that the parser's recursion has no end in sight.
    tell({ type: 'failed' });
  }
}

self.addEventListener('message', ({ data }: MessageEvent<MarkupOrder>) => {
  if (data.type === 'next') goOn();
  else void parse(data.text);
});
tell({ type: 'ready' });
