/**
 * @file Decodes tables in Web Workers. Opening a table and each reading of its rows have their own Web Worker, which is ended on
 * abort, and if it makes no progress.
 */
import { fault, FaultError, type Clock } from '../../../core/contract';
import { failingWith, WorkerLink, type LinkedWorker } from '../../worker-link';
import type { ByteSource } from '../byte-source';
import type { OpenTable, TableHead } from '../open-table';
import { serveBytes } from './byte-server';
import { readReport, type TableOrder, type TableReport, type TableTask } from './messages';

/** Time between two checks whether a Web Worker makes progress, ms. */
const CHECK = 3000;
/**
 * Maximum number of consecutive checks without progress. The checks are counted, not the time, because a laptop may sleep in
 * between.
 */
const MOST_IDLE = 5;

export interface TableDeskOptions {
  readonly clock: Pick<Clock, 'sleep'>;
  /** Awaited before the Web Worker's script is loaded. */
  readonly ready?: () => Promise<void>;
  /** Starts the Web Worker, or a thread of Node, that runs `serveTable`. */
  readonly createWorker: () => LinkedWorker;
}

/** Creates the function that opens tables in Web Workers. */
export function createTableDesk(options: TableDeskOptions): OpenTable {
  return async (source, format, from, signal, { later = source, encoding } = {}) => {
    const file = { name: source.name, size: source.size, format, encoding };
    let head: TableHead | null = null;
    for await (const report of carryOut({ type: 'open', ...file }, source, options, signal)) {
      if (report.type === 'opened') head = report.head;
    }
    if (!head) throw errorOf({ kind: 'crashed', detail: 'It reported nothing.' });
    const { footer, ...table } = head;
    return {
      ...table,
      source: from,
      async *read(stop, columns) {
        const task: TableTask = { type: 'read', ...file, footer, columns };
        for await (const report of carryOut(task, later, options, stop)) {
          if (report.type === 'part') yield report.part;
        }
      },
    };
  };
}

/**
 * Yields the reports of a Web Worker until it has finished. Throws a `FaultError` if it fails or makes no progress, and an
 * `AbortError` on abort.
 */
async function* carryOut(
  task: TableTask,
  source: ByteSource,
  { clock, ready, createWorker }: TableDeskOptions,
  signal: AbortSignal,
): AsyncGenerator<TableReport, void, undefined> {
  const [over, frozen] = [new AbortController(), new AbortController()];
  const { port1, port2 } = new MessageChannel();
  const bytes = serveBytes(source, port1, over.signal);
  let reports = 0;
  /** Whether the caller uses a report. Then the Web Worker may wait for the caller. */
  let isHeld = false;
  const progress = () => (bytes.pending > 0 || isHeld ? null : bytes.done + reports);
  void watch(progress, clock, over.signal).then(
    () => frozen.abort(),
    () => undefined,
  );
  const link = new WorkerLink<TableOrder, TableReport>({ start: createWorker, ready, read: readReport, errorOf });
  try {
    const order = { task, bytes: port2 };
    for await (const report of link.call(order, AbortSignal.any([signal, frozen.signal]), [port2])) {
      reports += 1;
      isHeld = true;
      yield report;
      isHeld = false;
    }
  } catch (thrown) {
    throw frozen.signal.aborted && !signal.aborted ? stalled(source.name) : thrown;
  } finally {
    over.abort();
    port1.close();
  }
}

/**
 * Resolves when there has been no progress for too long. Rejects on abort.
 * @param progress returns the number of reports and reads so far, or `null` if the Web Worker is waiting for the page. The watch
 *   begins with the first one, because loading the script may take long
 */
async function watch(progress: () => number | null, clock: Pick<Clock, 'sleep'>, signal: AbortSignal): Promise<void> {
  let seen: number | null = null;
  for (let idle = 0; idle < MOST_IDLE;) {
    await clock.sleep(CHECK, signal);
    const now = progress();
    idle = now !== null && now > 0 && now === seen ? idle + 1 : 0;
    seen = now;
  }
}

function stalled(name: string): FaultError {
  const seconds = (CHECK * MOST_IDLE) / 1000;
  const message = `Reading ${name} was stopped, because it made no progress for ${seconds} seconds. The file is probably damaged. Download it again, or save it in another format.`;
  return new FaultError(fault('stalled', message));
}

const errorOf = failingWith({
  notLoaded: 'Couldn’t load the part of Podium that reads tables. Check the connection, then try again.',
  crashed:
    'Reading the table failed, probably because its rows need too much memory. Nothing was imported. Close other tabs, or import a part of the table.',
  retriesCrash: false,
});
