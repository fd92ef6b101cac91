/** @file The messages between the page and the Web Worker that parses Markdown. */
import type { Block } from './markup';

export type MarkupRequest =
  /** Starts parsing a text. `isComplete`: whether the text is final. A text that is not complete may still grow. */
  | { readonly type: 'text'; readonly text: string; readonly isComplete: boolean }
  /** Requests the next block. The Web Worker sends one block at a time, because queued blocks would keep the page busy. */
  | { readonly type: 'next' };

export type MarkupResponse =
  /** The Web Worker has started and can receive a text. */
  | { readonly type: 'ready' }
  /** The Web Worker is loading more code, so its next response may take longer. */
  | { readonly type: 'loading' }
  /** A parsed block. The last block of a text has `isTail`. */
  | { readonly type: 'block'; readonly block: Block }
  /** The rest of the text can't be parsed. */
  | { readonly type: 'failed' };
