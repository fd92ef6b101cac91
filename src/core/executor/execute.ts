/**
 * @file `execute`: question, pool and Conductor in, events out. Everything else in this folder is one of its parts.
 */
import type { RunEvent } from '../contract';
import { EventQueue } from './event-queue';
import { Execution } from './execution';
import type { ExecuteDependencies, ExecuteRequest } from './request';

export type { ExecuteDependencies, ExecuteRequest, ForkPrior, ResumePrior } from './request';

/**
 * Runs a question: requests a workflow from the Conductor, calls each step as soon as what it sees has finished, and reports
 * everything that happens (arXiv 2512.04388, section 3).
 *
 * - It begins when the first event is read. Events come in the order of their `seq` and are never held up by storage
 *   or by a slow reader; only the last one waits until all before it are on disk.
 * - Aborting the signal stops the run: every step that has not ended becomes `step-cancelled`, those never called too
 *   (without usage), then comes `run-cancelled`, and the iteration ends normally. Leaving the loop early does the same,
 *   and waits for the journal and the ledger of the day, but not for the server of a cancelled call.
 * - It never throws: whatever goes wrong is an event, in the end `run-failed`.
 * - If the journal refuses an event nothing more is called, calls of steps under way are read to their end, a plan under way is
 *   aborted, and the run fails with the journal's fault. What is on disk is then a beginning of the run without gaps.
 */
export function execute(
  request: ExecuteRequest,
  dependencies: ExecuteDependencies,
  signal: AbortSignal,
): AsyncIterable<RunEvent> {
  let execution: Execution | null = null;
  let running = Promise.resolve();
  const queue = new EventQueue<RunEvent>(
    () => {
      execution = new Execution(request, dependencies, signal, (event) => queue.push(event));
      running = execution.run().finally(() => queue.close());
    },
    () => {
      execution?.stop();
      return running;
    },
  );
  return queue;
}
