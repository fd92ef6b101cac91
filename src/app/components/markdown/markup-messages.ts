/** @file The messages between the page and the Worker that parses Markdown. */
import type { Block } from './markup';

export type MarkupOrder =
  | { readonly type: 'text'; readonly text: string }
  /** The page has taken a block. A queue of them would keep it from everything else. */
  | { readonly type: 'next' };

export type MarkupReport =
  /** It can take a text. */
  | { readonly type: 'ready' }
  /** It fetches a part of itself before its next report. */
  | { readonly type: 'loading' }
  /** The tail is the last one. */
  | { readonly type: 'block'; readonly block: Block }
  /** The text cannot be parsed. */
  | { readonly type: 'failed' };
