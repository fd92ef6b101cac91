/**
 * @file The figures of the page *Analyze*: functions that compute the data of its plots. They read the columns of the index of
 * runs, and count only the runs that a filter selects.
 */
import * as z from 'zod/mini';
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

export const FIGURES = {
  'cost-score': costScoreFigure,
  conductors: conductorsFigure,
  'worker-domain': workerDomainFigure,
  'worker-role': workerRoleFigure,
  shapes: shapesFigure,
  steps: stepsFigure,
  routing: routingFigure,
  recursion: recursionFigure,
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
