/**
 * @file The client of the Web Worker that parses Markdown, one text at a time. If a block takes too long, the Web Worker is
 * terminated, because a parser can't be interrupted. The rest of that text is not parsed.
 */
import * as z from 'zod/mini';
import { startWorker } from '../../../platform/start-worker';
import { WorkerLink } from '../../../platform/worker-link';
import type { MarkupOrder, MarkupReport } from './markdown-worker';
import program from './markdown-worker?worker&url';
import type { Block } from './markup';

z.config({ jitless: true });

/**
 * How parsing a text ended. `done`: all blocks were parsed. `stuck`: the next block took too long or couldn't be parsed.
 * `missing`: the Web Worker couldn't be loaded, or it failed.
 */
export type MarkupEnd = 'done' | 'stuck' | 'missing';

export interface MarkupClient {
  /**
   * Parses a text. Resolves when the last block has been parsed, or when parsing has failed.
   * @param isComplete whether no more text will follow
   * @param onBlock called with each block, in order
   */
  parse(text: string, isComplete: boolean, onBlock: (block: Block) => void): Promise<MarkupEnd>;
}

/** Longest wait for one block, ms. A busy machine needs more than a second for the first one. */
const DEADLINE = 2_000;
/** Longest wait for one block while the Web Worker loads more code, ms. */
const LONGEST_LOADING = 20_000;
/** Extra time after the deadline, ms. A response may have arrived while the page was too busy to handle it. */
const GRACE = 100;

const block: z.ZodMiniType<Block> = z.object({ length: z.number(), html: z.nullable(z.string()), isTail: z.boolean() });
const report: z.ZodMiniType<MarkupReport> = z.discriminatedUnion('type', [
  z.object({ type: z.literal(['begun', 'loading']) }),
  z.object({ type: z.literal('block'), block }),
]);

const MISSING = new Error('The Web Worker that parses Markdown has failed.');

export function createMarkupClient(
  start: () => Worker = () => startWorker(program, 'markdown'),
  deadline = DEADLINE,
): MarkupClient {
  const link = new WorkerLink<MarkupOrder, MarkupReport>({
    start,
    read: (data) => report.parse(data),
    errorOf: () => MISSING,
    keep: Infinity,
  });
  let last: Promise<unknown> = Promise.resolve();
  let failures = 0;

  async function parseNow(order: MarkupOrder, onBlock: (block: Block) => void): Promise<MarkupEnd> {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      for await (const report of link.call(order, stop.signal)) {
        clearTimeout(timer);
        if (report.type === 'block') onBlock(report.block);
        const longest = report.type === 'loading' ? LONGEST_LOADING : deadline;
        timer = setTimeout(() => (timer = setTimeout(() => stop.abort(), GRACE)), longest);
      }
      return 'done';
    } catch (thrown) {
      if (thrown !== MISSING) return 'stuck';
      failures += 1;
      return 'missing';
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    parse(text, isComplete, onBlock) {
      const known = failures;
      // A failure of the Web Worker also ends the texts that wait.
      const end = last.then(() => (known === failures ? parseNow({ text, isComplete }, onBlock) : 'missing'));
      last = end;
      return end;
    },
  };
}
