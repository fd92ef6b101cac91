/**
 * @file The worker client of recorded workers. It replays what a worker answered to the whole question of a task. Other
 * subtasks fail, because there are no recorded answers to them.
 */
import {
  abortError,
  fault,
  type Clock,
  type Message,
  type Usage,
  type WorkerClient,
  type WorkerEvent,
  type WorkerOptions,
} from '../../contract';
import { readAssignment } from '../../simulation/assignment';
import type { RecordedOutcome } from './recorded-table';

/** Finds recorded outcomes. */
export interface RecordedOutcomes {
  /** @param question the whole question, without spaces around it. Resolves to `null` if nothing was recorded */
  find(workerId: string, question: string): Promise<RecordedOutcome | null>;
}

/** Recorded outcomes that are all in memory. */
export function recordedOutcomes(outcomes: readonly RecordedOutcome[]): RecordedOutcomes {
  const known = new Map(outcomes.map((outcome) => [keyOf(outcome.workerId, outcome.question), outcome]));
  return { find: (workerId, question) => Promise.resolve(known.get(keyOf(workerId, question)) ?? null) };
}

function keyOf(workerId: string, question: string): string {
  return JSON.stringify([workerId, question]);
}

interface RecordedWorkersOptions {
  readonly outcomes: RecordedOutcomes;
  /** A replay waits as long as the recorded call took. With a virtual clock, that takes no real time. */
  readonly clock: Clock;
}

/** One client for all recorded workers. `options.worker.id` selects the worker. */
export function createRecordedWorkers(options: RecordedWorkersOptions): WorkerClient {
  return { run: (messages, call, signal) => run(messages, call, options, signal) };
}

async function* run(
  messages: readonly Message[],
  { worker }: WorkerOptions,
  { outcomes, clock }: RecordedWorkersOptions,
  signal: AbortSignal,
): AsyncGenerator<WorkerEvent> {
  if (signal.aborted) throw abortError();
  const question = wholeQuestion(messages);
  const outcome = question === null ? null : await outcomes.find(worker.id, question);
  if (signal.aborted) throw abortError();
  if (!outcome) {
    yield refused(worker.name, question === null ? OTHER_SUBTASK : OTHER_QUESTION);
    return;
  }
  await clock.sleep(outcome.latency ?? 0, signal);
  yield { type: 'delta', channel: 'content', text: outcome.text };
  yield { type: 'finished', usage: usageOf(outcome), cost: outcome.usd, finishReason: 'stop' };
}

/** The question, if the step sees no response and its subtask asks for a solution. `null`: it asks for something else. */
function wholeQuestion(messages: readonly Message[]): string | null {
  const { task, earlier, role } = readAssignment(messages);
  return earlier.length === 0 && role === 'solve' ? task.trim() : null;
}

function usageOf({ input, output }: RecordedOutcome): Usage | null {
  return input === null || output === null ? null : { input, output };
}

const OTHER_SUBTASK = 'Nobody recorded this subtask, so it cannot be replayed. Use methods that call one worker once.';
const OTHER_QUESTION =
  'Nobody recorded this question for this worker, so it cannot be replayed. Use tasks of the table it comes from.';

function refused(name: string, reason: string): WorkerEvent {
  return {
    type: 'failed',
    fault: fault('question-unreadable', `${name} replays an imported table. ${reason}`),
    usage: { input: 0, output: 0 },
    cost: 0,
  };
}
