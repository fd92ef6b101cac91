/** @file The messages between the page and the Web Worker that parses Markdown. */
import type { Block } from './markup';

export type MarkupRequest =
  /** `isComplete`: whether no more text will follow. */
  | { readonly type: 'text'; readonly text: string; readonly isComplete: boolean }
  /** Requests the next block. Without a request, no block is sent, because queued blocks would keep the page busy. */
  | { readonly type: 'next' };

export type MarkupResponse =
  /** The Web Worker has started and can receive a text. */
  | { readonly type: 'ready' }
  /** The Web Worker must load more code first, so its next response may take longer. */
  | { readonly type: 'loading' }
  /** A parsed block. The block with `isTail` is the last one. */
  | { readonly type: 'block'; readonly block: Block }
  /** The rest of the text can't be parsed. */
  | { readonly type: 'failed' };
