/**
 * @file Reads attached files in Web Workers, because a hostile file could block the page. Each file has its own Web Worker, which
 * is terminated on abort, and if it takes too long.
 */
import { fault, FaultError, type Clock, type QuestionFile } from '../../../core/contract';
import { startWorker } from '../../start-worker';
import { reportsOf } from '../../worker-reports';
import { checkFileSize } from '../read-bytes';
import { refused } from '../refusals';
import { readReport } from './messages';
import program from './worker?worker&url';

/** Maximum time to read a file, ms. */
const LONGEST = 60_000;

export interface FileDeskOptions {
  readonly clock: Pick<Clock, 'sleep'>;
  /** Awaited before the Web Worker's script is loaded. */
  readonly ready?: () => Promise<void>;
  /** Lets tests replace the Web Worker. */
  readonly createWorker?: () => Worker;
}

/** Reads the text of a file. Rejects with a `FaultError` that has a sentence for the user, or with an `AbortError`. */
export async function readFile(
  file: File,
  { clock, ready, createWorker = () => startWorker(program, 'attached file') }: FileDeskOptions,
  signal: AbortSignal,
): Promise<QuestionFile> {
  checkFileSize(file.size);
  const [late, over] = [new AbortController(), new AbortController()];
  void clock.sleep(LONGEST, over.signal).then(
    () => late.abort(),
    () => undefined,
  );
  const { name } = file;
  const task = {
    ready,
    createWorker,
    order: { name, file },
    read: readReport,
    errorOf: ({ kind, detail }: { kind: string; detail: string }) =>
      kind === 'crashed' ? brokeOff(detail) : notLoaded(detail),
  };
  try {
    for await (const report of reportsOf(task, AbortSignal.any([signal, late.signal]))) {
      if (report.type === 'failed') throw new FaultError(report.fault);
      return { name, kind: report.content.kind, hash: report.hash, text: report.content.text };
    }
    throw brokeOff('It reported nothing.');
  } catch (thrown) {
    throw late.signal.aborted && !signal.aborted ? tooSlow() : thrown;
  } finally {
    over.abort();
  }
}

function tooSlow(): FaultError {
  return refused(
    'Reading this file was stopped after 60 seconds. It may be damaged. Attach a part of it, or save it in another format.',
  );
}

function brokeOff(detail: string): FaultError {
  const message = 'Reading this file failed, probably because it needs too much memory. Attach a part of it.';
  return new FaultError(fault('internal', message, { detail }));
}

function notLoaded(detail: string): FaultError {
  const message = 'Couldn’t load the part of Podium that reads files. Check the connection, then try again.';
  return new FaultError(fault('internal', message, { retryable: true, detail }));
}
