/**
 * @file The figures of the page *Analyze*: functions that compute the data of its plots. They read the columns of the index of
 * runs, and count only the runs that a filter selects.
 */
import * as z from 'zod/mini';
import { FLAGS, type RunColumns, type Selection } from '../columns/layout';
import { checkersFigure } from './checkers';
import { conductorsFigure } from './conductors';
import { costScoreFigure } from './cost-score';
import type { Figure } from './figure';
import { grammarFigure } from './grammar';
import { latencyFigure } from './latency';
import { recursionFigure } from './recursion';
import { routingFigure } from './routing';
import { shapesFigure } from './shapes';
import { spendByDayFigure, spendByPurposeFigure, spendByWorkerFigure } from './spend';
import { stepsFigure } from './steps';
import { workerDomainFigure, workerRoleFigure } from './workers';

/** A figure without the runs that the user ended early, because not all of their plan was carried out. */
function ofWholePlans<Data>(
  figure: (columns: RunColumns, selection: Selection) => Figure<Data>,
): (columns: RunColumns, selection: Selection) => Figure<Data> {
  return (columns, selection) => {
    const { flags } = columns.runs.kinds;
    return figure(
      columns,
      selection.map((isSelected, run) => (((flags[run] ?? 0) & FLAGS.early) === 0 ? isSelected : 0)),
    );
  };
}

export const FIGURES = {
  'cost-score': ofWholePlans(costScoreFigure),
  conductors: ofWholePlans(conductorsFigure),
  'worker-domain': ofWholePlans(workerDomainFigure),
  'worker-role': ofWholePlans(workerRoleFigure),
  checkers: ofWholePlans(checkersFigure),
  shapes: ofWholePlans(shapesFigure),
  steps: ofWholePlans(stepsFigure),
  routing: ofWholePlans(routingFigure),
  recursion: ofWholePlans(recursionFigure),
  grammar: grammarFigure,
  latency: latencyFigure,
  'spend-day': spendByDayFigure,
  'spend-worker': spendByWorkerFigure,
  'spend-purpose': spendByPurposeFigure,
} as const;

export type FigureName = keyof typeof FIGURES;

type DataOf<Result> = Result extends { readonly isEnough: true; readonly data: infer Data } ? Data : never;

/** The data of each figure when it has enough runs. */
export type FigureData = { readonly [Name in FigureName]: DataOf<ReturnType<(typeof FIGURES)[Name]>> };

const answer = z.discriminatedUnion('isEnough', [
  z.object({ isEnough: z.literal(true), data: z.looseObject({}) }),
  z.object({ isEnough: z.literal(false), have: z.number(), needed: z.number() }),
]);

/**
 * Checks only the outer shape of a figure, because this app has computed the figure. Throws a `ZodError` if the shape is wrong.
 */
export function readFigure<Name extends FigureName>(name: Name, data: unknown): Figure<FigureData[Name]> {
  return z
    .custom<Figure<FigureData[Name]>>((value) => answer.safeParse(value).success, `no figure ${name}`)
    .parse(data);
}
