/** @file Plot of the workers that check answers: how often their verdicts were true. */
import type { FigureData } from '../../core/analysis/figures';
import { ENOUGH_CHECKED } from '../../core/analysis/statistics/check-trust';
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

export function checkersPlot({ rows, answers }: FigureData['checkers'], context: PlotContext): PlotSpec {
  const drawn = rows.map(({ worker, rightWasRight, wrongWasWrong, fooled, precision }): WhiskerRow => {
    const title = worker === '' ? UNKNOWN_WORKER : worker;
    const trust = precision ? percent(precision.low) : 'too few answers';
    const cell = (estimate: Estimate | null, name: string) =>
      estimate && {
        ...whiskerOf(estimate),
        title,
        lines: [
          `${name}: ${shareWords(estimate)}`,
          ...(fooled ? [`${FOOLED}: ${shareWords(fooled)}`] : []),
          `${TRUST}: ${trust}`,
        ],
      };
    return {
      key: title,
      label: title,
      mark: context.markOf(worker),
      cells: [cell(rightWasRight, RIGHT), cell(wrongWasWrong, WRONG)],
    };
  });
  return {
    title: 'How often checks are right',
    caption: `The share of answers called right that were right, and of answers called wrong that were wrong, with 95 % intervals. An answer is known if the run ended with it, or with another answer that was right. The table has the trust: how sure it is that an answer is right if the check says so. It needs ${ENOUGH_CHECKED} right and ${ENOUGH_CHECKED} wrong answers. ${plural(answers, 'checked answer')}.`,
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
      rows: rows.map(({ worker, rightWasRight, wrongWasWrong, fooled, unsure, answers: own, precision }) => [
        worker === '' ? UNKNOWN_WORKER : worker,
        ...[rightWasRight, wrongWasWrong, fooled].flatMap((estimate) => estimateCells(estimate, finePercent)),
        countCell(unsure),
        countCell(own),
        precision && { value: precision.low, text: finePercent(precision.low) },
      ]),
    },
  };
}
