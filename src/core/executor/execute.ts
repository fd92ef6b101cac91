/**
 * @file The entry point of this folder. Starts an `Execution` when the caller reads the first event, and queues its events. Stops
 * the execution when the caller stops reading.
 */
import type { RunEvent } from '../contract';
import { EventQueue } from './event-queue';
import { Execution } from './execution';
import type { ExecuteDependencies, ExecuteRequest } from './request';

/**
 * Runs a question (arXiv 2512.04388, section 3). Requests a workflow from the Conductor. Calls the worker of
 * each step as soon as the steps that this step sees have finished. Reports everything that happens as
 * events.
 *
 * - The run starts when the first event is read. Events arrive in the order of their `seq`. They don't wait
 *   for storage, except that the last event waits until all others are stored. A slow reader doesn't slow
 *   down the run.
 * - Aborting the signal stops the run. Every step that has not ended gets a `step-cancelled` event. This
 *   event has no usage if the worker was never called. The last event is `run-cancelled`, and the iteration
 *   ends normally. The run also stops if the caller stops reading before the last event. In both cases the
 *   run waits until its events and its cost are stored. It does not wait for the server of a cancelled
 *   call.
 * - The iteration never throws. Failures are events, and a run that fails ends with `run-failed`.
 * - If the journal (the storage of events) fails, no further calls are made. The answers of steps in
 *   progress are read to their end, but a plan in progress is aborted. Then the run fails with the
 *   journal's fault. The stored events have no gaps.
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
