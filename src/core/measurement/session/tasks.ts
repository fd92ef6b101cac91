/** @file What a measurement needs of the generated tasks, so that it can be tested with few and simple ones. */
import type { Random } from '../../contract';
import type { MeasuredItem } from '../../contract/measurement/measurement';
import type { FamilyFacts } from '../ability';

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
  readonly families: readonly FamilyFacts[];
  make(item: Pick<MeasuredItem, 'family' | 'level' | 'seed'>): MadeTask;
}
