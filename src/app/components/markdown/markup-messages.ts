/** @file The messages between the page and the Web Worker that parses Markdown. */
import type { Block } from './markup';

export type MarkupRequest =
  /** `isComplete`: whether no more text will follow. */
  | { readonly type: 'text'; readonly text: string; readonly isComplete: boolean }
  /** Requests the next block. The Worker sends no block without a request, because queued blocks would keep the page busy. */
  | { readonly type: 'next' };

export type MarkupResponse =
  /** The Worker has started and can receive a text. */
  | { readonly type: 'ready' }
  /** The Worker loads more code before its next response, which may therefore take longer. */
  | { readonly type: 'loading' }
  /** A parsed block. The block with `isTail` is the last one. */
  | { readonly type: 'block'; readonly block: Block }
  /** The rest of the text can't be parsed. */
  | { readonly type: 'failed' };
