/**
 * @file Predicts how likely each worker is to answer a question right, by a logistic regression for each worker. Its inputs are the
 * embedding of the question, how the worker does on similar questions, and how all workers do there.
 */
import { EMBEDDING_DIMENSION, questionEmbedding } from '../../analysis/question-embedding';
import { FOLDS, type KnownOutcomes, type Router } from './known-outcomes';
import { chanceOf, fitLogistic, logit, lossOf, type Examples, type Weights } from './logistic';
import { fitNeighbours } from './neighbours';

/** The penalties to choose from, strongest first. With the strongest, similar questions decide almost alone. */
const PENALTIES = [0.03, 0.01, 0.003] as const;
const SIZE = EMBEDDING_DIMENSION + 2;

/**
 * Fits the regressions. The penalty, which all workers share, has the smallest loss when each part of the known questions is
 * predicted from the others.
 */
export function fitRouter(known: KnownOutcomes): Router & { readonly penalty: number } {
  const neighbours = fitNeighbours(known);
  const inputs = known.questions.map(({ embedding }, index) => {
    const near = neighbours.crossed[index] ?? known.overall;
    return known.overall.map((_, worker) => inputsOf(embedding, near, known, worker));
  });
  /** The examples of a worker in the parts that `isIn` admits. `null`: there are none. */
  const examplesOf = (worker: number, isIn: (fold: number) => boolean): Examples | null => {
    const rows: { readonly inputs: Float32Array; readonly right: number }[] = [];
    for (const [index, { right, fold }] of known.questions.entries()) {
      const [share, own] = [right[worker], inputs[index]?.[worker]];
      if (share !== undefined && own && isIn(fold)) rows.push({ inputs: own, right: share });
    }
    if (rows.length === 0) return null;
    const packed = new Float32Array(rows.length * SIZE);
    for (const [index, row] of rows.entries()) packed.set(row.inputs, index * SIZE);
    return { inputs: packed, right: Float32Array.from(rows, ({ right }) => right) };
  };
  const losses = PENALTIES.map(() => 0);
  for (const worker of known.overall.keys()) {
    for (let fold = 0; fold < FOLDS; fold++) {
      const tested = examplesOf(worker, (each) => each === fold);
      const others = examplesOf(worker, (each) => each !== fold);
      if (!tested || !others) continue;
      for (const [index, weights] of pathOf(others).entries()) {
        losses[index] = (losses[index] ?? 0) + lossOf(weights, tested);
      }
    }
  }
  const best = losses.indexOf(Math.min(...losses));
  const fitted = known.overall.map((_, worker) => {
    const examples = examplesOf(worker, () => true);
    return examples && (pathOf(examples, best + 1).at(-1) ?? null);
  });
  return {
    penalty: PENALTIES[best] ?? PENALTIES[0],
    predict(question) {
      const near = neighbours.predict(question);
      const embedding = questionEmbedding(question);
      return fitted.map((own, worker) =>
        own ? chanceOf(own, inputsOf(embedding, near, known, worker)) : (known.overall[worker] ?? 0),
      );
    },
  };
}

/** The weights for the first penalties. Each fit starts from the one before, because their weights are close. */
function pathOf(examples: Examples, count: number = PENALTIES.length): readonly Weights[] {
  const path: Weights[] = [];
  for (const penalty of PENALTIES.slice(0, count)) path.push(fitLogistic(examples, penalty, path.at(-1)));
  return path;
}

/** @param near the chance of each worker to be right on similar questions */
function inputsOf(
  embedding: Float32Array,
  near: readonly number[],
  { overall }: KnownOutcomes,
  worker: number,
): Float32Array {
  const lead = (index: number) => logit(near[index] ?? 0) - logit(overall[index] ?? 0);
  const all = near.reduce((sum, _, index) => sum + lead(index), 0) / near.length;
  const inputs = new Float32Array(SIZE);
  inputs.set(embedding);
  inputs.set([lead(worker), all], EMBEDDING_DIMENSION);
  return inputs;
}
