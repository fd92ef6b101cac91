/** @file What a measurement needs of the generated tasks, so that it can be tested with few and simple ones. */
import type { Random } from '../../contract';
import type { MeasuredItem } from '../../contract/measurement/measurement';
import type { FamilyFacts } from '../ability/observation';

/** A question whose answers can be graded. */
export interface GradedTask {
  readonly question: string;
  /** Set if the texts of the answers must not be stored. */
  readonly isConfidential?: boolean;
  /** Whether an answer is right, and whether it has the form that was asked for. May reject with a `FaultError`. */
  check(text: string, signal: AbortSignal): Grade | Promise<Grade>;
}

interface Grade {
  readonly right: boolean;
  readonly readable: boolean;
}

/** A generated task, whose answers can also be planted for a check. */
export interface MadeTask extends GradedTask {
  /** A right answer, as a worker would write it. */
  readonly right: string;
  /** A plausible wrong answer. */
  wrong(random: Random): string;
}

export interface MeasuringTasks {
  /** Changes whenever the same item would give another task. */
  readonly revision: number;
  readonly families: readonly FamilyFacts[];
  make(item: Pick<MeasuredItem, 'family' | 'level' | 'seed'>): MadeTask;
}
