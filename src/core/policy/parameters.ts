/** @file The parameters of the policy network: names, shapes and initial values. Planning and training share them. */
import { gaussian, type Random } from '../contract';
import { QUESTION_FEATURES, WORKER_FEATURES } from './features';
import { MOVES } from './moves';

/** A matrix, stored row by row. */
export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly values: Float32Array;
}

export interface NetworkSize {
  /** Number of dimensions of the hidden vectors. */
  readonly width: number;
}

export const DEFAULT_SIZE: NetworkSize = { width: 48 };

/**
 * Returns each parameter's [rows, columns, scale]. The initial values have a standard deviation of scale / √rows, so
 * scale 0 means that all of them are zero.
 */
export function parameterShapes({ width }: NetworkSize) {
  const moves = MOVES.length;
  return {
    questionIn: [QUESTION_FEATURES, width, 1],
    questionBias: [1, width, 0],
    workerIn: [WORKER_FEATURES, width, 1],
    workerBias: [1, width, 0],
    workerQuestion: [width, width, 1],
    workerOut: [width, width, 1],
    attentionQuery: [width, width, 1],
    attentionKey: [width, width, 1],
    attentionValue: [width, width, 1],
    attentionOut: [width, width, 0.5],
    mixIn: [width, 2 * width, 1],
    mixOut: [2 * width, width, 0.5],
    start: [2 * width, width, 1],
    stepWorker: [width, width, 1],
    stepMove: [moves, width, 1],
    updateGate: [2 * width, width, 1],
    updateBias: [1, width, 0],
    resetGate: [2 * width, width, 1],
    candidate: [2 * width, width, 1],
    pointQuery: [width, width, 1],
    pointKey: [width, width, 1],
    pointUsed: [width, 1, 0.1],
    stop: [width, 1, 0.1],
    stopBias: [1, 1, 0],
    moveHidden: [2 * width, width, 1],
    moveOut: [width, moves, 0.1],
    moveBias: [1, moves, 0],
    accessHidden: [3 * width, width, 1],
    accessOut: [width, width, 0.1],
    accessStep: [width, width, 1],
    accessEach: [width, 1, 0.1],
    accessBias: [1, 1, 0],
  } as const;
}

export type ParameterName = keyof ReturnType<typeof parameterShapes>;
export type Parameters = Readonly<Record<ParameterName, Matrix>>;

/** The names of all parameters, in the order in which a checkpoint stores the parameters. */
export const PARAMETER_NAMES = Object.keys(parameterShapes(DEFAULT_SIZE)) as readonly ParameterName[];

export function forEachParameter<T>(make: (name: ParameterName) => T): Record<ParameterName, T> {
  return Object.fromEntries(PARAMETER_NAMES.map((name) => [name, make(name)])) as Record<ParameterName, T>;
}

/** Draws initial values from normal distributions with the scales in `parameterShapes`. */
export function initialParameters(size: NetworkSize, random: Random): Parameters {
  const shapes = parameterShapes(size);
  return forEachParameter((name) => {
    const [rows, columns, scale] = shapes[name];
    const deviation = scale / Math.sqrt(rows);
    const values = Float32Array.from({ length: rows * columns }, () =>
      scale === 0 ? 0 : deviation * gaussian(random),
    );
    return { rows, columns, values };
  });
}
