/** @file The families of generated tasks that measure workers. */
import { mixSeed, seededRandom } from '../../contract';
import { measured } from './definition';
import type { MeasuredFamily, MeasuredTask } from './family';
import { gridSum } from './maths/grid-sum';
import { tableJoin } from './data/table-join';

export type { MeasuredDomain, MeasuredFamily, MeasuredTask } from './family';

export const MEASURED_FAMILIES: readonly MeasuredFamily[] = [measured(gridSum), measured(tableJoin)];

/** The task with a seed. The same seed gives the same task. */
export function measuredTask(family: string, level: number, seed: number): MeasuredTask {
  const found = MEASURED_FAMILIES.find(({ id }) => id === family);
  if (!found) throw new RangeError(`There is no measured family ${family}.`);
  return found.generate(seededRandom(mixSeed('measured', family, level, seed)), level);
}
