/**
 * @file Reads attached files in Web Workers, because a hostile file could block the page. Each file has its own Web Worker, which
 * is terminated on abort, and if it takes too long.
 */
import type { Clock, FaultError, QuestionFile } from '../../../core/contract';
import { startWorker } from '../../start-worker';
import { failingWith, WorkerLink } from '../../worker-link';
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
  const link = new WorkerLink({
    start: createWorker,
    ready,
    read: readReport,
    errorOf,
  });
  try {
    const { content, hash } = await link.ask({ name, file }, AbortSignal.any([signal, late.signal]));
    return { name, kind: content.kind, hash, text: content.text };
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

const errorOf = failingWith({
  notLoaded: 'Couldn’t load the part of Podium that reads files. Check the connection, then try again.',
  crashed: 'Reading this file failed, probably because it needs too much memory. Attach a part of it.',
  retriesCrash: false,
});
