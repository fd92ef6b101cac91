/**
 * @file The client for recorded workers. Such a worker replays its answers from an imported table. The table
 * only has answers to whole questions. So a call fails if the subtask of its step is not to solve the
 * question, but for example to review an answer. A call also fails if its step sees responses of earlier
 * steps.
 */
import {
  abortError,
  fault,
  type Clock,
  type Message,
  type PoolWorker,
  type RecordedAnswer,
  type Usage,
  type WorkerClient,
  type WorkerEvent,
  type WorkerOptions,
} from '../../contract';
import { readAssignment } from '../../simulation/assignment';

/** Finds recorded answers. */
export interface RecordedAnswers {
  /**
   * The recorded answer of a worker. `null`: the table has no answer to the question. Rejects with a `FaultError`
   * if storage fails.
   * @param question the whole question, trimmed
   * @param taskId the task, if it is known. Several tasks may have the same question
   */
  find(worker: PoolWorker, question: string, taskId?: string): Promise<RecordedAnswer | null>;
}

interface RecordedWorkersOptions {
  readonly answers: RecordedAnswers;
  /**
   * If the table has the time of the recorded call, the replay takes as long. A virtual clock skips the wait.
   */
  readonly clock: Clock;
}

/** Creates one client for all recorded workers. The options of each call contain the worker. */
export function createRecordedWorkers(options: RecordedWorkersOptions): WorkerClient {
  return { run: (messages, call, signal) => run(messages, call, options, signal) };
}

async function* run(
  messages: readonly Message[],
  { worker, task }: WorkerOptions,
  { answers, clock }: RecordedWorkersOptions,
  signal: AbortSignal,
): AsyncGenerator<WorkerEvent> {
  if (signal.aborted) throw abortError();
  const question = wholeQuestion(messages);
  const found = question === null ? null : await answers.find(worker, question, task);
  if (signal.aborted) throw abortError();
  if (!found) {
    yield refused(worker.name, question === null ? OTHER_SUBTASK : OTHER_QUESTION);
    return;
  }
  await clock.sleep(found.latency ?? 0, signal);
  yield { type: 'delta', channel: 'content', text: found.text };
  yield { type: 'finished', usage: usageOf(found), cost: found.usd, finishReason: 'stop' };
}

/**
 * The question, if the step's subtask asks for a solution and the step sees no response of an earlier step.
 * Otherwise `null`.
 */
function wholeQuestion(messages: readonly Message[]): string | null {
  const { task, earlier, role } = readAssignment(messages);
  return earlier.length === 0 && role === 'solve' ? task.trim() : null;
}

function usageOf({ input, output }: RecordedAnswer): Usage | null {
  return input === null || output === null ? null : { input, output };
}

const OTHER_SUBTASK = 'This subtask is not in the table. Use methods that make a single call.';
const OTHER_QUESTION = 'The table has no answer from this worker to this question. Use only tasks of this table.';

function refused(name: string, reason: string): WorkerEvent {
  return {
    type: 'failed',
    fault: fault('question-unreadable', `${name} replays an imported table. ${reason}`),
    usage: { input: 0, output: 0 },
    cost: 0,
  };
}
