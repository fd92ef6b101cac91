/** @file Compares texts in a Web Worker, which starts at the first call and is terminated after 10 s without work. */
import * as z from 'zod/mini';
import { abortError, fault, FaultError } from '../../core/contract';
import type { DiffPiece } from '../../core/analysis/diff-piece';
import { startWorker } from '../../platform/start-worker';
import { listenToWorker } from '../../platform/worker-reports';
import type { DiffRequest, DiffResponse } from './diff-messages';
import program from './diff-worker?worker&url';

z.config({ jitless: true });

const piece = z.object({ kind: z.enum(['same', 'removed', 'added']), text: z.string() });
const response: z.ZodMiniType<DiffResponse> = z.object({ id: z.number(), pieces: z.nullable(z.array(piece)) });

interface Job {
  readonly resolve: (pieces: readonly DiffPiece[] | null) => void;
  readonly reject: (reason: unknown) => void;
}

/** How long an idle Web Worker is kept, ms. */
const LINGER = 10_000;

const jobs = new Map<number, Job>();
let worker: Worker | null = null;
let nextId = 0;
let idle: ReturnType<typeof setTimeout> | undefined;

/**
 * Compares two texts with `wordDiff`. Resolves with `null` if the texts are too long or too different. Rejects with a
 * `FaultError` if the Web Worker can't be loaded or fails, and with an `AbortError` on abort.
 */
export function diffTexts(before: string, after: string, signal: AbortSignal): Promise<readonly DiffPiece[] | null> {
  if (signal.aborted) return Promise.reject(abortError());
  return new Promise((resolve, reject) => {
    const id = nextId++;
    clearTimeout(idle);
    jobs.set(id, { resolve, reject });
    signal.addEventListener('abort', () => cancelJob(id), { once: true });
    const request: DiffRequest = { id, before, after };
    (worker ??= open()).postMessage(request);
  });
}

function open(): Worker {
  const opened = startWorker(program, 'diff');
  listenToWorker(opened, {
    read: (data) => z.parse(response, data),
    onReport: ({ id, pieces }) => {
      const job = jobs.get(id);
      jobs.delete(id);
      job?.resolve(pieces);
      closeWhenIdle();
    },
    onFailure: () => {
      const failed = [...jobs.values()];
      close();
      const message = 'Couldn’t compare the texts. Check your connection and reload the page.';
      for (const { reject } of failed) reject(new FaultError(fault('internal', message, { retryable: true })));
    },
  });
  return opened;
}

/** Cancels a job. If no other job is pending, terminates the Web Worker, because it could stay busy with this job for seconds. */
function cancelJob(id: number): void {
  const job = jobs.get(id);
  if (!job) return;
  jobs.delete(id);
  job.reject(abortError());
  if (jobs.size === 0) close();
}

function closeWhenIdle(): void {
  if (jobs.size === 0) idle = setTimeout(close, LINGER);
}

function close(): void {
  clearTimeout(idle);
  worker?.terminate();
  worker = null;
  jobs.clear();
}
