/** @file What a measurement needs of the generated tasks, so that it can be tested with few and simple ones. */
import type { MeasuredItem } from '../../contract/measurement/measurement';
import type { Random } from '../../contract';
import type { MeasurementState } from '../../contract/measurement/measurement-state';

export interface MadeTask {
  readonly question: string;
  /** A right answer, as a worker would write it. */
  readonly right: string;
  /** A plausible wrong answer. */
  wrong(random: Random): string;
  /** Whether an answer is right, and whether it has the form that was asked for. */
  check(text: string): { readonly right: boolean; readonly readable: boolean };
}

export interface MeasuringTasks {
  /** Changes whenever the same item would give another task. */
  readonly revision: number;
  make(item: Pick<MeasuredItem, 'family' | 'level' | 'seed'>): MadeTask;
  /** The family and the level of a worker's next item. `null`: more tasks would not tell more. */
  next(state: MeasurementState, worker: number, seed: number): Pick<MeasuredItem, 'family' | 'level'> | null;
}
