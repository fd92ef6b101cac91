/** @file Carries out a search for lessons: makes the calls that the next step needs, and records each result before the next step. */
import { nextStep, type LessonRules, type NeededRun, type NextStep } from './next-step';
import type { CallCost, GradedCall, SearchEvent } from './search-events';
import { applySearchEvent, type SearchState } from './search-state';

/**
 * The calls of a search. A call that has ended but was not recorded, because the process was killed, is requested again with the same
 * arguments. To pay only once, the caller stores results by the search and these arguments.
 */
export interface SearchCalls {
  /** The order in which runs are best started. Absent: any. */
  ordered?(runs: readonly NeededRun[]): readonly NeededRun[];
  /** Runs a task with these lessons, and grades the answer. Rejects if no further run can succeed, for example offline. */
  grade(run: NeededRun, signal: AbortSignal): Promise<GradedCall>;
  /** Asks the reflecting model for new lessons. */
  reflect(
    step: Extract<NextStep, { kind: 'reflect' }>,
    state: SearchState,
    signal: AbortSignal,
  ): Promise<CallCost & { readonly text: string }>;
}

export interface SearchOptions {
  readonly calls: SearchCalls;
  readonly rules: LessonRules;
  /** Stores an event. The search goes on once it is stored. */
  readonly append: (event: SearchEvent) => Promise<void>;
  /** Number of runs at a time. */
  readonly concurrency: number;
  /** Receives each new state. */
  readonly onState?: (state: SearchState) => void;
}

/**
 * Continues a search until it is done. Rejects with an `AbortError` on abort. All results so far are recorded then.
 * @returns the final state
 */
export async function search(state: SearchState, options: SearchOptions, signal: AbortSignal): Promise<SearchState> {
  let current = state;
  const record = async (event: SearchEvent) => {
    await options.append(event);
    current = applySearchEvent(current, event);
    options.onState?.(current);
  };
  for (;;) {
    signal.throwIfAborted();
    const step = nextStep(current, options.rules);
    switch (step.kind) {
      case 'grade':
        await gradeAll(step.runs, record, options, signal);
        break;
      case 'reflect': {
        const answer = await options.calls.reflect(step, current, signal);
        await record({ type: 'reflection-answered', iteration: step.iteration.number, ...answer });
        break;
      }
      case 'record':
        await record(step.event);
        break;
      case 'done':
        return current;
      default:
        return step satisfies never;
    }
  }
}

/** Grades runs, several at a time. After a failure, waits for the runs in progress, so that what they cost is recorded. */
async function gradeAll(
  runs: readonly NeededRun[],
  record: (event: SearchEvent) => Promise<void>,
  { calls, concurrency }: SearchOptions,
  signal: AbortSignal,
): Promise<void> {
  const waiting = [...(calls.ordered?.(runs) ?? runs)];
  let recording = Promise.resolve();
  let isFailed = false;
  const work = async () => {
    for (let run = waiting.shift(); run && !isFailed; run = waiting.shift()) {
      signal.throwIfAborted();
      const { candidate, task } = run;
      const result = await calls.grade(run, signal);
      recording = recording.then(() => record({ type: 'run-graded', candidate, task, ...result }));
      await recording;
    }
  };
  const guarded = () =>
    work().catch((thrown: unknown) => {
      isFailed = true;
      throw thrown;
    });
  const ended = await Promise.allSettled(Array.from({ length: Math.min(concurrency, runs.length) }, guarded));
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
}
