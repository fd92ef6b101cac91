/** @file The families of generated tasks that measure workers. */
import { mixSeed, seededRandom } from '../../contract';
import { measured } from './definition';
import type { MeasuredFamily, MeasuredTask } from './family';
import { patternMatches } from './code/pattern-matches';
import { programOutput } from './code/program-output';
import { sortState } from './code/sort-state';
import { stackMachine } from './code/stack-machine';
import { textRewriting } from './code/text-rewriting';
import { cleanMedian } from './data/clean-median';
import { coveredTime } from './data/covered-time';
import { groupTotals } from './data/group-totals';
import { logSessions } from './data/log-sessions';
import { mixedUnits } from './data/mixed-units';
import { tableJoin } from './data/table-join';
import { cipher } from './language/cipher';
import { letterCounts } from './language/letter-counts';
import { ownAlphabet } from './language/own-alphabet';
import { relationChains } from './language/relation-chains';
import { whoHasWhat } from './language/who-has-what';
import { wordMoves } from './language/word-moves';
import { cellRows } from './logic/cell-rows';
import { discMoves } from './logic/disc-moves';
import { knightsAndKnaves } from './logic/knights-and-knaves';
import { queueOrder } from './logic/queue-order';
import { shortestRoute } from './logic/shortest-route';
import { baseConversion } from './maths/base-conversion';
import { gridSum } from './maths/grid-sum';
import { modularChain } from './maths/modular-chain';
import { polynomialProduct } from './maths/polynomial-product';
import { recurrence } from './maths/recurrence';

export const MEASURED_FAMILIES: readonly MeasuredFamily[] = [
  measured(modularChain),
  measured(baseConversion),
  measured(polynomialProduct),
  measured(gridSum),
  measured(recurrence),
  measured(programOutput),
  measured(stackMachine),
  measured(textRewriting),
  measured(patternMatches),
  measured(sortState),
  measured(knightsAndKnaves),
  measured(queueOrder),
  measured(shortestRoute),
  measured(discMoves),
  measured(cellRows),
  measured(letterCounts),
  measured(wordMoves),
  measured(cipher),
  measured(whoHasWhat),
  measured(relationChains),
  measured(ownAlphabet),
  measured(tableJoin),
  measured(cleanMedian),
  measured(coveredTime),
  measured(groupTotals),
  measured(logSessions),
  measured(mixedUnits),
];

/** The task with a seed. The same seed gives the same task. */
export function measuredTask(family: string, level: number, seed: number): MeasuredTask {
  const found = MEASURED_FAMILIES.find(({ id }) => id === family);
  if (!found) throw new RangeError(`There is no measured family ${family}.`);
  return found.generate(seededRandom(mixSeed('measured', family, level, seed)), level);
}
