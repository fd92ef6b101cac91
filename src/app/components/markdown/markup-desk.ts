/**
 * @file The page's end of the Worker that parses Markdown. Texts wait their turn; one that takes too long is given up and its
 * Worker ended, since a parser cannot be interrupted. The page itself never waits.
 */
import { startWorker } from '../../../platform/start-worker';
import { listenToWorker } from '../../../platform/worker-reports';
import program from './markdown-worker?worker&url';
import type { Block } from './markup';
import type { MarkupOrder, MarkupReport } from './markup-messages';
import { readMarkupReport } from './read-markup-report';

/** What came of a text: `stuck` where its next block could not be parsed, `missing` where the Worker could not be loaded. */
export type MarkupEnd = 'done' | 'stuck' | 'missing';

export interface MarkupDesk {
  /**
   * Parses a text.
   * @param place told of each block, in order
   */
  mark(text: string, place: (block: Block) => void): Promise<MarkupEnd>;
}

/** Longest wait for one block, ms. Long for ordinary text on a busy machine; nobody waits for it. */
const DEADLINE = 1_000;
/** The same while a part of the Worker is fetched, ms. */
const LONGEST_LOADING = 20_000;
/** What a report that has arrived may still need to be heard, where the page itself was busy, ms. */
const GRACE = 100;

interface Order {
  readonly text: string;
  readonly place: (block: Block) => void;
  readonly end: (end: MarkupEnd) => void;
}

export function createMarkupDesk(
  start: () => Worker = () => startWorker(program, 'markdown'),
  deadline = DEADLINE,
): MarkupDesk {
  const orders: Order[] = [];
  let worker: Worker | null = null;
  let isReady = false;
  let current: Order | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function open(): void {
    isReady = false;
    const opened = start();
    worker = opened;
    listenToWorker(opened, {
      read: readMarkupReport,
      onReport: (report) => {
        if (worker === opened) receive(report);
      },
      onFailure: () => {
        if (worker === opened) close('missing');
      },
    });
  }

  /** Ends the Worker; the next text starts another one. */
  function close(end: MarkupEnd): void {
    worker?.terminate();
    worker = null;
    if (end === 'missing') for (const order of orders.splice(0)) order.end(end);
    finish(end);
  }

  function receive(report: MarkupReport): void {
    clearTimeout(timer);
    switch (report.type) {
      case 'ready':
        isReady = true;
        return next();
      case 'loading':
        return watch(LONGEST_LOADING);
      case 'block':
        current?.place(report.block);
        if (report.block.isTail) return finish('done');
        send({ type: 'next' });
        return watch();
      case 'failed':
        return finish('stuck');
      default:
        report satisfies never;
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
    if (current || orders.length === 0) return;
    if (!worker) open();
    if (!isReady) return;
    current = orders.shift() ?? null;
    if (!current) return;
    send({ type: 'text', text: current.text });
    watch();
  }

  function send(order: MarkupOrder): void {
    worker?.postMessage(order);
  }

  function watch(longest = deadline): void {
    timer = setTimeout(() => (timer = setTimeout(() => close('stuck'), GRACE)), longest);
  }

  return {
    mark: (text, place) =>
      new Promise((end) => {
        orders.push({ text, place, end });
        next();
      }),
  };
}
