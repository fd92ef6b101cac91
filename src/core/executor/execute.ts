/**
 * @file The entry point of this folder. Starts an `Execution` when the first event is read, queues its events for the reader,
 * and stops it when the reader leaves.
 */
import type { RunEvent } from '../contract';
import { EventQueue } from './event-queue';
import { Execution } from './execution';
import type { ExecuteDependencies, ExecuteRequest } from './request';

export type { ExecuteDependencies, ExecuteRequest, ForkPrior, ResumePrior } from './request';

/**
 * Runs a question (arXiv 2512.04388, section 3). Requests a workflow from the Conductor, and calls the worker of each
 * step as soon as the steps that it sees have finished. Reports everything that happens as events.
 *
 * - The run starts when the first event is read. Events arrive in the order of their `seq`. An event is delivered
 *   without waiting for storage or for a slow reader. Only the last event waits until all others are stored.
 * - Aborting the signal stops the run. Every step that has not ended gets a `step-cancelled` event, without usage if
 *   its worker was never called. The last event is `run-cancelled`, and the iteration ends normally. Leaving the loop
 *   early does the same. In both cases the run waits until its events and its cost are stored, but not for the server of
 *   a cancelled call.
 * - The iteration never throws. Failures are events, and a run that fails ends with `run-failed`.
 * - If the journal (the storage of events) fails, no further calls are made. The answers of steps in progress are read to
 *   their end, a plan in progress is aborted, and the run fails with the journal's fault. The stored events have no
 *   gaps.
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
