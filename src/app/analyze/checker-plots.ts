/** @file Plot of the workers that check answers: how often their verdicts were true. */
import type { FigureData } from '../../core/analysis/figures';
import type { CheckCounts, CheckObservation, PoolWorker } from '../../core/contract';
import {
  checkerCounts,
  checkerRows,
  ENOUGH_CHECKED,
  type CheckerRow,
} from '../../core/analysis/statistics/check-trust';
import type { Estimate } from '../../core/analysis/statistics/estimate';
import { finePercent, percent, plural } from '../ui/figures';
import type { WhiskerRow } from '../ui/plots/plot';
import type { PlotSpec } from './plot-spec';
import {
  countCell,
  estimateCells,
  estimateColumns,
  numberColumn,
  shareWords,
  textColumn,
  UNKNOWN_WORKER,
  whiskerOf,
  type PlotContext,
} from './words';

const RIGHT = '“Right” was right';
const WRONG = '“Wrong” was wrong';
const FOOLED = 'Wrong answers called right';
const TRUST = 'Trust, lower end of 90 %';

/** What is known of checks without any run, if workers were measured. */
export const NO_CHECKED_RUNS: FigureData['checkers'] = { checkers: [], answers: 0 };

/** The verdicts on planted answers by the name of the worker, as plots name workers. Workers of the same name count together. */
export function plantedByName(
  observations: readonly CheckObservation[],
  pool: readonly Pick<PoolWorker, 'id' | 'name'>[],
): ReadonlyMap<string, CheckCounts> {
  const names = new Map(pool.map(({ id, name }) => [id, name]));
  const named = observations.map((each) => ({ ...each, checker: names.get(each.checker) ?? each.checker }));
  return new Map(checkerCounts(named).map(({ checker, ...counts }) => [checker, counts]));
}

export function checkersPlot({ checkers, answers }: FigureData['checkers'], context: PlotContext): PlotSpec {
  const rows = checkerRows(checkers, context.planted);
  const planted = rows.reduce((sum, row) => sum + (row.isPlanted ? row.answers : 0), 0);
  const drawn = rows.map((row): WhiskerRow => {
    const { rightWasRight, wrongWasWrong, fooled, precision } = row;
    const title = titleOf(row);
    const trust = precision ? percent(precision.low) : 'too few answers';
    const hasTrust = precision !== null || !row.isPlanted;
    const cell = (estimate: Estimate | null, name: string) =>
      estimate && {
        ...whiskerOf(estimate),
        title,
        lines: [
          `${name}: ${shareWords(estimate)}`,
          ...(fooled ? [`${FOOLED}: ${shareWords(fooled)}`] : []),
          ...(hasTrust ? [`${TRUST}: ${trust}`] : []),
        ],
      };
    return {
      key: title,
      label: title,
      mark: context.markOf(row.worker),
      cells: [cell(rightWasRight, RIGHT), cell(wrongWasWrong, WRONG)],
    };
  });
  return {
    title: 'How often checks are right',
    caption: `The share of answers called right that were right, and of answers called wrong that were wrong, with 95 % intervals. An answer is known if the run ended with it, or with another answer that was right. The table has the trust: how sure it is that an answer is right if the check says so. It needs ${ENOUGH_CHECKED} right and ${ENOUGH_CHECKED} wrong answers. ${plural(answers, 'checked answer')}${planted === 0 ? '' : `, and ${plural(planted, 'planted answer')} of measurements, of which half are right`}.`,
    drawing: {
      kind: 'rows',
      rows: drawn,
      panels: [
        { title: RIGHT, words: percent, domain: [0, 1] },
        { title: WRONG, words: percent, domain: [0, 1] },
      ],
    },
    table: {
      header: [
        textColumn('Worker'),
        ...estimateColumns(RIGHT),
        ...estimateColumns(WRONG),
        ...estimateColumns(FOOLED),
        ...['Unsure', 'Answers', TRUST].map(numberColumn),
      ],
      rows: rows.map((row) => [
        titleOf(row),
        ...[row.rightWasRight, row.wrongWasWrong, row.fooled].flatMap((estimate) =>
          estimateCells(estimate, finePercent),
        ),
        countCell(row.unsure),
        countCell(row.answers),
        row.precision && { value: row.precision.low, text: finePercent(row.precision.low) },
      ]),
    },
  };
}

function titleOf({ worker, isPlanted }: CheckerRow): string {
  const name = worker === '' ? UNKNOWN_WORKER : worker;
  return isPlanted ? `${name}, planted answers` : name;
}
