/**
 * @file Computes the figures (the data of the plots) of the Analyze page. Each figure is a pure function of the columns of all
 * indexed runs and of the runs that a filter selects.
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

/** The data of each figure if there are enough runs. */
export type FigureData = { readonly [Name in FigureName]: DataOf<ReturnType<(typeof FIGURES)[Name]>> };

const answer = z.discriminatedUnion('isEnough', [
  z.object({ isEnough: z.literal(true), data: z.looseObject({}) }),
  z.object({ isEnough: z.literal(false), have: z.number(), needed: z.number() }),
]);

/**
 * Reads a figure that the index of runs has computed. The index is part of this app, so the data is not checked in depth.
 * Throws a `ZodError` if the data is not a figure.
 * @param name the figure that was requested
 */
export function readFigure<Name extends FigureName>(name: Name, data: unknown): Figure<FigureData[Name]> {
  return z
    .custom<Figure<FigureData[Name]>>((value) => answer.safeParse(value).success, `no figure ${name}`)
    .parse(data);
}
