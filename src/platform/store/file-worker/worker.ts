/**
 * @file The Web Worker that decompresses, validates and stores files, so that no file blocks the page. Each Web Worker runs one
 * task. It uses the same locks and transactions as a tab, so that it does not conflict with the page or other tabs.
 */
import type { ImportProgress } from '../../../core/contract';
import { serveCalls } from '../../serve-calls';
import { createDatabase } from '../database';
import { createFileReader } from '../file-reader';
import { createWebLocks } from '../locks';
import { createRunStore } from '../run-store';
import { readOrder, type FileOrder, type FileReport } from './messages';

/** Shortest time between two progress reports of an import or an inspection, ms. */
const PAUSE = 100;

let reportedAt = 0;

const isDue = () => performance.now() - reportedAt >= PAUSE;

serveCalls<FileOrder, FileReport>(
  self,
  (order, { signal, report }) =>
    read(order, signal, (message) => {
      reportedAt = performance.now();
      report(message);
    }),
  readOrder,
);

type Report = (message: FileReport) => void;

async function read(task: FileOrder, signal: AbortSignal, report: Report): Promise<void> {
  const database = createDatabase({ name: task.database });
  const reader = createFileReader({ database, store: createRunStore(database), locks: createWebLocks(), clock: Date });
  switch (task.type) {
    case 'import':
      return reportImport(reader.importRuns(task.file, signal), report);
    case 'inspect': {
      const onprogress = (done: number, of: number) => isDue() && report({ type: 'progress', done, of });
      return report({ type: 'inspected', contents: await reader.inspect(task.file, signal, onprogress) });
    }
    case 'restore':
      for await (const progress of reader.restore(task.file, task, signal)) {
        report({ type: 'restored', progress });
      }
      return;
    default:
      return task satisfies never;
  }
}

/**
 * Reports the progress of an import, but skips reports that follow too soon. Each report has only the problems since the previous
 * one. So the problems of a skipped report are sent with the next report.
 */
async function reportImport(all: AsyncIterable<ImportProgress>, report: Report): Promise<void> {
  let waiting: ImportProgress | null = null;
  const send = () => {
    if (waiting) report({ type: 'imported', progress: waiting });
    waiting = null;
  };
  try {
    for await (const progress of all) {
      const problems: ImportProgress['problems'] = [...(waiting?.problems ?? []), ...progress.problems];
      waiting = { ...progress, problems };
      if (isDue()) send();
    }
  } finally {
    send();
  }
}
