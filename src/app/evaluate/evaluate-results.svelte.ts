/** @file The results of a batch, computed again when its outcomes, the grading profile or the comparison change. */
import { toFault, type Batch, type Fault, type GradingProfile, type Outcome } from '../../core/contract';
import { hasTagTasks } from '../../core/evaluation/batches/sent-question';
import type { EvaluationDesk } from '../services';
import { computeResults, type BatchResults } from './evaluate-results';

/** Lets the page handle input and paint. */
const pauseForInput = () => new Promise<void>((resolve) => setTimeout(resolve));

interface Input {
  readonly batch: Batch;
  readonly outcomes: readonly Outcome[];
  readonly profile: GradingProfile;
  readonly compared: number | null;
}

export class ResultsState {
  profile: GradingProfile = $state('strict');
  /** Index of the method that other methods are compared with. `null`: no comparison. */
  compared: number | null = $state(0);
  /** Whether the rows with the paper's results are shown. */
  showsPublished = $state(false);
  /** `null` until the results were computed once. */
  current: BatchResults | null = $state.raw(null);
  /** The outcomes from which `current` was computed. */
  computed: readonly Outcome[] | null = $state.raw(null);
  /** Why the newest results could not be computed. `current` keeps the earlier results. */
  fault: Fault | null = $state.raw(null);
  readonly #desk: Pick<EvaluationDesk, 'datasets'>;
  readonly #pause: () => Promise<void>;
  /** Whether the answer format with tags changes any task's question. `undefined`: not read yet. `null`: tasks can't be read. */
  #hasTagTasks: boolean | null | undefined = undefined;
  #next: Input | null = null;
  #isComputing = false;

  constructor(desk: Pick<EvaluationDesk, 'datasets'>, pause: () => Promise<void> = pauseForInput) {
    this.#desk = desk;
    this.#pause = pause;
  }

  /** Computes the results of these outcomes, and sets `current`. Call it in an effect. */
  show(batch: Batch | null, outcomes: readonly Outcome[]): void {
    const { profile, compared } = this;
    if (!batch) return;
    this.#next = { batch, outcomes, profile, compared };
    if (!this.#isComputing) void this.#compute();
  }

  /**
   * Computes the results of the newest input, until no input waits. New input does not abort a computation.
   * Otherwise a running batch, whose outcomes change often, might never show results.
   */
  async #compute(): Promise<void> {
    this.#isComputing = true;
    for (let input = this.#next; input; input = this.#next) {
      this.#next = null;
      try {
        if (this.#hasTagTasks === undefined) this.#hasTagTasks = await this.#readTagTasks(input.batch);
        const given = { ...input, hasTagTasks: this.#hasTagTasks, pause: this.#pause };
        this.current = await computeResults(input.batch, input.outcomes, given);
        this.computed = input.outcomes;
        this.fault = null;
      } catch (thrown) {
        this.fault = toFault(thrown);
      }
    }
    this.#isComputing = false;
  }

  #readTagTasks({ plan }: Batch): Promise<boolean | null> {
    return hasTagTasks(plan, this.#desk.datasets).catch(() => null);
  }
}
