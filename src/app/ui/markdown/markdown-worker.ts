/** @file The Web Worker that parses Markdown, one text at a time. The page terminates it if a block takes too long. */
import { serveCalls } from '../../../platform/serve-calls';
import { createMarkup, type Block } from './markup';

/** A text to parse. `isComplete`: whether the text is final. A text that is not complete may still grow. */
export interface MarkupOrder {
  readonly text: string;
  readonly isComplete: boolean;
}

export type MarkupReport =
  /** `begun`: parsing has begun. `loading`: more code is being loaded, so the next report may take longer. */
  | { readonly type: 'begun' | 'loading' }
  /** A parsed block. The last block of a text has `isTail`. */
  | { readonly type: 'block'; readonly block: Block };

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
