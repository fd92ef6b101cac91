/** @file The columns of the list of runs, and the order in which the list is sorted when the user chooses a column. */
import type { RunSort, SortKey } from '../../core/contract';

export interface Column {
  readonly name: string;
  /** Absent: the list can't be sorted by this column. */
  readonly by?: SortKey;
  /** Whether the order is descending when the user chooses this column. Default false. */
  readonly isDown?: boolean;
  /**
   * `wide`: shown only in wide windows. `middle`: hidden only in narrow windows. `num`: numbers. `indented`: with
   * a gap before the column.
   */
  readonly class?: string;
}

export const COLUMNS: readonly Column[] = [
  { name: 'Shape', by: 'shape' },
  { name: 'Question', by: 'question' },
  { name: 'Conductor', by: 'conductor', class: 'wide' },
  { name: 'Steps', by: 'steps', isDown: true, class: 'wide num' },
  { name: 'Time', by: 'time', isDown: true, class: 'middle num' },
  { name: 'Tokens', by: 'tokens', isDown: true, class: 'wide num' },
  { name: 'Cost', by: 'usd', isDown: true, class: 'num' },
  { name: 'Plan', class: 'middle indented' },
  { name: 'Reward', by: 'reward', isDown: true, class: 'num' },
  { name: 'Grade', by: 'grade', isDown: true, class: 'indented' },
  { name: 'Started', by: 'startedAt', isDown: true, class: 'middle num' },
];

/** How runs are sorted when the user chooses a column. */
export function sortOf(by: SortKey): RunSort {
  return { by, descending: COLUMNS.find((column) => column.by === by)?.isDown ?? false };
}
