/**
 * @file The client of the Web Worker that parses Markdown, one text at a time. If a block takes too long, the Web Worker is
 * terminated, because a parser can't be interrupted. The rest of that text is not parsed.
 */
import { startWorker } from '../../../platform/start-worker';
import { listenToWorker } from '../../../platform/worker-reports';
import program from './markdown-worker?worker&url';
import type { Block } from './markup';
import type { MarkupRequest, MarkupResponse } from './markup-messages';
import * as z from 'zod/mini';

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

interface Job {
  readonly text: string;
  readonly isComplete: boolean;
  readonly onBlock: (block: Block) => void;
  readonly end: (end: MarkupEnd) => void;
}

export function createMarkupClient(
  start: () => Worker = () => startWorker(program, 'markdown'),
  deadline = DEADLINE,
): MarkupClient {
  const jobs: Job[] = [];
  let worker: Worker | null = null;
  let isReady = false;
  let current: Job | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function open(): void {
    isReady = false;
    const opened = start();
    worker = opened;
    listenToWorker(opened, {
      read: readMarkupResponse,
      onReport: (response) => {
        if (worker === opened) receive(response);
      },
      onFailure: () => {
        if (worker === opened) close('missing');
      },
    });
  }

  /** Terminates the Web Worker and ends the current text. `missing` also ends all queued texts. */
  function close(end: MarkupEnd): void {
    worker?.terminate();
    worker = null;
    if (end === 'missing') for (const job of jobs.splice(0)) job.end(end);
    finish(end);
  }

  function receive(response: MarkupResponse): void {
    clearTimeout(timer);
    switch (response.type) {
      case 'ready':
        isReady = true;
        return next();
      case 'loading':
        return watch(LONGEST_LOADING);
      case 'block':
        current?.onBlock(response.block);
        if (response.block.isTail) return finish('done');
        send({ type: 'next' });
        return watch();
      case 'failed':
        return finish('stuck');
      default:
        response satisfies never;
    }
  }

  function finish(end: MarkupEnd): void {
    clearTimeout(timer);
    const ended = current;
    current = null;
    ended?.end(end);
    next();
  }

  function next(): void {
    if (current || jobs.length === 0) return;
    if (!worker) open();
    if (!isReady) return;
    current = jobs.shift() ?? null;
    if (!current) return;
    const { text, isComplete } = current;
    send({ type: 'text', text, isComplete });
    watch();
  }

  function send(request: MarkupRequest): void {
    worker?.postMessage(request);
  }

  function watch(longest = deadline): void {
    timer = setTimeout(() => (timer = setTimeout(() => close('stuck'), GRACE)), longest);
  }

  return {
    parse: (text, isComplete, onBlock) =>
      new Promise((end) => {
        jobs.push({ text, isComplete, onBlock, end });
        next();
      }),
  };
}

// Validates the responses of the Web Worker that parses Markdown. This file is separate from the messages, so that the Web
// Worker does not load zod.

z.config({ jitless: true });

const block = z.object({ length: z.number(), html: z.nullable(z.string()), isTail: z.boolean() });
const response: z.ZodMiniType<MarkupResponse> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('loading') }),
  z.object({ type: z.literal('block'), block }),
  z.object({ type: z.literal('failed') }),
]);

/** Throws a `ZodError` if the data is not a response. */
function readMarkupResponse(data: unknown): MarkupResponse {
  return z.parse(response, data);
}
