/** @file Compares texts in a Web Worker, which starts at the first call and is terminated after 10 s without work. */
import * as z from 'zod/mini';
import { isAbort, toFault } from '../../core/contract';
import type { DiffPiece } from '../../core/analysis/diff-piece';
import { startWorker } from '../../platform/start-worker';
import { failingWith, WorkerLink } from '../../platform/worker-link';
import type { DiffOrder } from './diff-worker';
import program from './diff-worker?worker&url';

z.config({ jitless: true });

/** `null`: the texts are too different or too long. */
const pieces = z.nullable(z.array(z.object({ kind: z.enum(['same', 'removed', 'added']), text: z.string() })));

/** How long an idle Web Worker is kept, ms. */
const LINGER = 10_000;
const FAILED = 'Couldn’t compare the texts. Check your connection and reload the page.';
const errorOf = failingWith({ notLoaded: FAILED, crashed: FAILED });

const link = new WorkerLink<DiffOrder, readonly DiffPiece[] | null>({
  start: () => startWorker(program, 'diff'),
  read: (data) => pieces.parse(data),
  errorOf,
  keep: LINGER,
});

/**
 * Compares two texts with `wordDiff`. Resolves with `null` if the texts are too long or too different. Rejects with a
 * `FaultError` if the Web Worker can't be loaded or fails, and with an `AbortError` on abort.
 */
export async function diffTexts(
  before: string,
  after: string,
  signal: AbortSignal,
): Promise<readonly DiffPiece[] | null> {
  try {
    return await link.ask({ before, after }, signal);
  } catch (thrown) {
    if (isAbort(thrown)) throw thrown;
    // The fault of an error in `wordDiff` would have a sentence about a run.
    throw errorOf({ kind: 'crashed', detail: toFault(thrown).detail ?? '' });
  }
}
