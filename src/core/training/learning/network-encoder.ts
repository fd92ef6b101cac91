/**
 * @file The encoder of the policy network: a multilayer perceptron and masked self-attention. The
 * encoder ignores the positions of workers in the pool. Reordering the pool changes only the worker
 * numbers in the plan. Padding rows have no effect.
 */
import type { ParameterName } from '../../policy/parameters';
import {
  add,
  complement,
  divide,
  joined,
  matmul,
  multiply,
  relu,
  repeated,
  reshape,
  softmax,
  standardize,
  sumLast,
  tanh,
  transposeLast,
  type Tensor,
} from './tensors';

/** Subtracted from the logits of options that are not allowed. */
export const MASKED_LOGIT = 1e9;

export type Weights = Record<ParameterName, Tensor>;

/**
 * A batch of requests. A request is a question with a worker pool. Each row is a worker or the
 * Conductor. Requests are padded to the same number of rows.
 */
export interface NetworkInput {
  /** [batch, QUESTION_FEATURES] */
  readonly question: Tensor;
  /** [batch, rows, WORKER_FEATURES] */
  readonly workers: Tensor;
  /** [batch, rows]: 0 for padding, 1 for any other row. */
  readonly present: Tensor;
  /** [batch, rows]: 1 for the Conductor's own row. */
  readonly conductor: Tensor;
  /** [batch, 1]: 1 if the workflow may be empty. */
  readonly mayKeep: Tensor;
}

/**
 * The encoded requests. Each request occurs once for each of its rollouts. Decoding does not change these
 * tensors.
 */
export interface EncodedRequests {
  readonly rollouts: number;
  readonly rows: number;
  readonly width: number;
  /** [rollouts, rows, width] */
  readonly workers: Tensor;
  readonly keys: Tensor;
  /** [rollouts, rows] */
  readonly present: Tensor;
  readonly conductor: Tensor;
  readonly mayKeep: Tensor;
  /** [rollouts, width] */
  readonly start: Tensor;
}

/** @param group number of workflows for each request */
export function encode(weights: Weights, input: NetworkInput, group: number): EncodedRequests {
  const [batch = 0, rows = 0] = input.present.shape;
  const [width = 0] = weights.start.shape.slice(-1);
  const question = relu(add(matmul(input.question, weights.questionIn), weights.questionBias));
  const questionTerm = reshape(matmul(question, weights.workerQuestion), batch, 1, width);
  const seen = add(add(matmul(input.workers, weights.workerIn), weights.workerBias), questionTerm);
  let hidden = matmul(relu(seen), weights.workerOut);
  const normal = standardize(hidden);
  const keys = transposeLast(matmul(normal, weights.attentionKey));
  const scores = multiply(matmul(matmul(normal, weights.attentionQuery), keys), 1 / Math.sqrt(width));
  const absent = reshape(multiply(complement(input.present), -MASKED_LOGIT), batch, 1, rows);
  const attended = matmul(softmax(add(scores, absent)), matmul(normal, weights.attentionValue));
  hidden = add(hidden, matmul(attended, weights.attentionOut));
  hidden = add(hidden, matmul(relu(matmul(standardize(hidden), weights.mixIn)), weights.mixOut));
  const workers = standardize(hidden);
  const meanWeights = divide(input.present, reshape(sumLast(input.present), batch, 1));
  const pool = reshape(matmul(reshape(meanWeights, batch, 1, rows), workers), batch, width);
  const start = tanh(matmul(joined(question, pool), weights.start));
  return {
    rollouts: batch * group,
    rows,
    width,
    workers: repeated(workers, group),
    keys: repeated(transposeLast(matmul(workers, weights.pointKey)), group),
    present: repeated(input.present, group),
    conductor: repeated(input.conductor, group),
    mayKeep: repeated(input.mayKeep, group),
    start: repeated(start, group),
  };
}
