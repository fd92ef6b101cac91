/** @file The Web Worker that parses Markdown, one text at a time. The page terminates it if a block takes too long. */
import { serveCalls } from '../../../platform/serve-calls';
import { createMarkup } from './markup';
import type { MarkupOrder, MarkupReport } from './markup-client';

let onLoading = () => {};
const markup = createMarkup(() => onLoading());

serveCalls<MarkupOrder, MarkupReport>(self, async ({ text, isComplete }, { report, caughtUp }) => {
  onLoading = () => report({ type: 'loading' });
  report({ type: 'begun' });
  // The parser is recursive and fails if the text is nested too deeply.
  for await (const block of markup.blocks(text, isComplete)) {
    report({ type: 'block', block });
    // More queued blocks would keep the page busy.
    await caughtUp();
  }
});
