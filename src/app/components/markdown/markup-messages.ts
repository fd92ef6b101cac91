/** @file The messages between the page and the Worker that parses Markdown. */
import type { Block } from './markup';

export type MarkupRequest =
  | { readonly type: 'text'; readonly text: string }
  /** The page has received a block. Without this, a queue of blocks would keep the page busy. */
  | { readonly type: 'next' };

export type MarkupResponse =
  /** Ready for a text. */
  | { readonly type: 'ready' }
  /** Loading a part of the Worker before the next report. */
  | { readonly type: 'loading' }
  /** A block. The tail is the last one. */
  | { readonly type: 'block'; readonly block: Block }
  /** The text cannot be parsed. */
  | { readonly type: 'failed' };
