/** @file Adds grades, labels, titles, notes and stars to a run that is not in progress. */
import {
  fault,
  FaultError,
  isAbort,
  type Annotation,
  type AnswerComparison,
  type EventBody,
  type Grader,
  type GradedWith,
  type PairBody,
  type Run,
} from '../contract';
import type { RunHistory } from './history';
import type { LiveSessions } from './live-sessions';
import type { RunRecovery } from './recovery';
import { asFaultError } from './run-faults';
import type { RunLauncher } from './run-launcher';
import type { RunsDependencies } from './runs';
import { appendTo, requireRun, type OpenedRun } from './saved-runs';

export interface AnnotationsOptions extends Pick<RunsDependencies, 'store' | 'clock' | 'notices'> {
  readonly sessions: LiveSessions;
  readonly launcher: Pick<RunLauncher, 'lock'>;
  readonly recovery: RunRecovery;
  readonly history: RunHistory;
}

export class Annotations {
  readonly #options: AnnotationsOptions;

  constructor(options: AnnotationsOptions) {
    this.#options = options;
  }

  grade(
    runId: string,
    correct: boolean | null,
    by: 'person' | 'grader',
    detail: string,
    more: GradedWith = {},
  ): Promise<Run> {
    return this.#add(runId, { type: 'run-graded', correct, by, detail, ...more });
  }

  /** Lets a grader judge the answer of a run, and records its verdict. Throws an `AbortError` or a `FaultError`. */
  async gradeBy({ run }: OpenedRun, grader: Grader, signal: AbortSignal): Promise<Run> {
    if (run.answer === null) {
      throw new FaultError(fault('nothing-to-grade', 'This run has no answer to grade. Resume it first.'));
    }
    try {
      const { correct, detail } = await grader.grade({ question: run.question.text }, run.answer, signal);
      return await this.grade(run.id, correct, 'grader', detail);
    } catch (thrown) {
      throw isAbort(thrown) ? thrown : asFaultError(thrown);
    }
  }

  label(runId: string, label: string, on: boolean): Promise<Run> {
    return this.#add(runId, { type: 'run-labelled', label, on });
  }

  addComparison(runId: string, comparison: AnswerComparison): Promise<Run> {
    return this.#add(runId, { type: 'answers-compared', ...comparison });
  }

  addToPair(runId: string, body: PairBody): Promise<Run> {
    return this.#add(runId, body);
  }

  annotate(runId: string, change: Partial<Annotation>): Promise<Run> {
    return this.#add(runId, { type: 'run-annotated', ...change });
  }

  async #add(runId: string, body: EventBody): Promise<Run> {
    const { store, clock, notices, sessions, launcher, recovery, history } = this.#options;
    await sessions.leave(runId, 'This run is still running. Wait until it has ended.');
    const release = await launcher.lock(runId);
    try {
      const ended = await recovery.interrupt(await requireRun(store, runId));
      const grown = await appendTo(store, ended, body, clock);
      notices.notify(runId);
      history.update(grown.run);
      sessions.get(runId)?.adopt(grown, grown.event);
      return grown.run;
    } catch (thrown) {
      throw asFaultError(thrown);
    } finally {
      release();
    }
  }
}
