/** @file The user's actions on runs in the list: grade, star, rename, annotate, tag, check, resume. */
import {
  fault,
  FaultError,
  isAbort,
  isOwnGrade,
  toFault,
  type Annotation,
  type Fault,
  type Run,
} from '../../core/contract';
import type { RunServices } from '../services';
import { LongWork } from '../state/long-work.svelte';

/** The numbers of runs that `check` graded as right or wrong, or did not grade. */
export interface Checked {
  readonly right: number;
  readonly wrong: number;
  /**
   * Number of runs that can't be checked, because the question is no puzzle, or because the run has
   * no answer, is busy or is missing.
   */
  readonly unchecked: number;
  /** Number of runs that keep the user's own grade instead of the check's result. */
  readonly own: number;
}

const BUSY = fault('run-busy', 'This run is busy. Try again.', { retryable: true });

const NOTHING_CHECKED: Checked = { right: 0, wrong: 0, unchecked: 0, own: 0 };

/** Fault codes which mean that a run can't be checked. */
const UNCHECKABLE: readonly string[] = ['question-unreadable', 'nothing-to-grade', 'run-busy', 'run-missing'];

type Changes = Pick<RunServices['runs'], 'annotate' | 'grade' | 'gradeBy' | 'label' | 'open' | 'resume'>;

export class RunActions {
  /** Why the last action on a single run failed. `null`: it succeeded, or the user cancelled it. */
  fault: Fault | null = $state.raw(null);
  /** Ids of runs with an action in progress. */
  busy: readonly string[] = $state.raw([]);
  /**
   * The counts of the last call of `check`, updated after each run. `null`: there was no call, or
   * the user has dismissed the counts.
   */
  checked: Checked | null = $state.raw(null);
  /** The current action on many runs: its progress, its fault, and a way to stop it. */
  readonly work = new LongWork();

  readonly #runs: Changes;
  readonly #onchange: (run: Run) => void;

  /** @param onchange called with each changed run */
  constructor(runs: Changes, onchange: (run: Run) => void) {
    this.#runs = runs;
    this.#onchange = onchange;
  }

  /** Grades a run. @param correct `null` removes the grade @param comment the user's comment on the grade */
  grade(runId: string, correct: boolean | null, comment = ''): Promise<boolean> {
    return this.#do(runId, () => this.#runs.grade(runId, correct, 'person', comment));
  }

  annotate(runId: string, change: Partial<Annotation>): Promise<boolean> {
    return this.#do(runId, () => this.#runs.annotate(runId, change));
  }

  /** The full note of a run. The list has only the beginning. `null`: the run or its note can't be read. */
  async note(runId: string): Promise<string | null> {
    try {
      return (await this.#runs.open(runId))?.run.annotation.note ?? null;
    } catch (thrown) {
      this.fault = toFault(thrown);
      return null;
    }
  }

  /** Resumes a run in this tab. @returns whether it was resumed */
  resume(runId: string): Promise<boolean> {
    return this.#do(runId, async () => {
      await this.#runs.resume(runId);
      return null;
    });
  }

  /** Adds a tag to runs, or removes the tag. @returns whether this succeeded for all runs */
  async tag(runIds: readonly string[], label: string, on: boolean): Promise<boolean> {
    const [only] = runIds;
    if (runIds.length === 1 && only !== undefined) {
      return this.#do(only, () => this.#runs.label(only, label, on));
    }
    this.fault = null;
    const done = await this.work.do(on ? 'Adding the tag' : 'Removing the tag', async (signal, onprogress) => {
      for (const [place, runId] of runIds.entries()) {
        signal.throwIfAborted();
        this.#onchange(await this.#runs.label(runId, label, on));
        onprogress(place + 1, runIds.length);
      }
      return true;
    });
    return done === true;
  }

  /** Checks the answers of runs and grades the runs. Only answers to puzzles can be checked. */
  async check(runIds: readonly string[]): Promise<void> {
    this.fault = null;
    this.checked = NOTHING_CHECKED;
    await this.work.do('Checking answers', async (signal, onprogress) => {
      const { createPuzzleGrader } = await import('../../core/graders/puzzle');
      const grader = createPuzzleGrader();
      for (const [place, runId] of runIds.entries()) {
        signal.throwIfAborted();
        const outcome = await this.#checkOne(() => this.#runs.gradeBy(runId, grader, signal));
        const { checked } = this;
        if (checked) this.checked = { ...checked, [outcome]: checked[outcome] + 1 };
        onprogress(place + 1, runIds.length);
      }
    });
  }

  async #checkOne(gradeBy: () => Promise<Run>): Promise<keyof Checked> {
    try {
      const run = await gradeBy();
      this.#onchange(run);
      if (isOwnGrade(run.grade)) return 'own';
      return run.grade?.correct === true ? 'right' : 'wrong';
    } catch (thrown) {
      if (thrown instanceof FaultError && UNCHECKABLE.includes(thrown.fault.code)) return 'unchecked';
      throw thrown;
    }
  }

  async #do(runId: string, verb: () => Promise<Run | null>): Promise<boolean> {
    if (this.busy.includes(runId)) {
      this.fault = BUSY;
      return false;
    }
    this.busy = [...this.busy, runId];
    this.fault = null;
    try {
      const run = await verb();
      if (run) this.#onchange(run);
      return true;
    } catch (thrown) {
      // An abort is not shown as a fault, because the user caused it. The user declined to resume the run, or stopped
      // the action.
      if (!isAbort(thrown)) this.fault = toFault(thrown);
      return false;
    } finally {
      this.busy = this.busy.filter((id) => id !== runId);
    }
  }
}
