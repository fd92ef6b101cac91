/**
 * @file Converts data for the training network. Pads plan requests into one batch of tensors, draws the sampling noise,
 * and converts sampled choices to skeletons (workflows without subtask texts) and back.
 */
import type { Random } from '../../contract';
import { MOVES, STEPS, type Skeleton, type SkeletonStep } from '../../policy/moves';
import { QUESTION_FEATURES, WORKER_FEATURES, type PolicyInput } from '../../policy/features';
import { BATCH_ROWS } from './course-options';
import type { Choices } from './network-choices';
import type { NetworkInput } from './network-encoder';
import { tensor } from './tensors';

/** A batch of requests in plain arrays, so that it can be converted to tensors more than once. */
export interface Batch {
  readonly size: number;
  readonly question: Float32Array;
  readonly workers: Float32Array;
  readonly present: Float32Array;
  readonly conductor: Float32Array;
  readonly mayKeep: Float32Array;
}

/** Pads requests to `BATCH_ROWS` rows each. Throws a `RangeError` if a request has more rows (entries of its pool). */
export function batchOf(inputs: readonly PolicyInput[]): Batch {
  const size = inputs.length;
  const batch: Batch = {
    size,
    question: new Float32Array(size * QUESTION_FEATURES),
    workers: new Float32Array(size * BATCH_ROWS * WORKER_FEATURES),
    present: new Float32Array(size * BATCH_ROWS),
    conductor: new Float32Array(size * BATCH_ROWS),
    mayKeep: new Float32Array(size),
  };
  for (const [index, { question, workers, limits }] of inputs.entries()) {
    if (limits.rows > BATCH_ROWS)
      throw new RangeError(`The pool has ${limits.rows} entries, but training supports only ${BATCH_ROWS}.`);
    batch.question.set(question, index * QUESTION_FEATURES);
    batch.workers.set(workers, index * BATCH_ROWS * WORKER_FEATURES);
    batch.present.fill(1, index * BATCH_ROWS, index * BATCH_ROWS + limits.rows);
    if (limits.conductor >= 0) batch.conductor[index * BATCH_ROWS + limits.conductor] = 1;
    batch.mayKeep[index] = Number(limits.mayKeep);
  }
  return batch;
}

export function toNetworkInput({ size, question, workers, present, conductor, mayKeep }: Batch): NetworkInput {
  return {
    question: tensor(question, size, QUESTION_FEATURES),
    workers: tensor(workers, size, BATCH_ROWS, WORKER_FEATURES),
    present: tensor(present, size, BATCH_ROWS),
    conductor: tensor(conductor, size, BATCH_ROWS),
    mayKeep: tensor(mayKeep, size, 1),
  };
}

/** `Choices` in plain arrays. */
export interface PlainChoices {
  readonly worker: Float32Array;
  readonly move: Float32Array;
  readonly access: Float32Array;
}

export function toChoices({ worker, move, access }: PlainChoices, rollouts: number): Choices {
  return {
    worker: tensor(worker, rollouts, STEPS, BATCH_ROWS + 1),
    move: tensor(move, rollouts, STEPS, MOVES.length),
    access: tensor(access, rollouts, STEPS, STEPS),
  };
}

/**
 * Draws noise for sampling. A categorical choice adds Gumbel noise to the log-probability of each option, and the
 * largest sum wins. A binary choice adds logistic noise to the log-odds, and the bit is 1 if the sum is above 0.
 */
export function drawNoise(rollouts: number, random: Random): PlainChoices {
  const uniform = () => Math.min(1 - 1e-7, Math.max(1e-7, random()));
  const gumbel = () => -Math.log(-Math.log(uniform()));
  const logistic = () => {
    const drawn = uniform();
    return Math.log(drawn / (1 - drawn));
  };
  return {
    worker: Float32Array.from({ length: rollouts * STEPS * (BATCH_ROWS + 1) }, gumbel),
    move: Float32Array.from({ length: rollouts * STEPS * MOVES.length }, gumbel),
    access: Float32Array.from({ length: rollouts * STEPS * STEPS }, logistic),
  };
}

/** Converts the choices of one rollout to its skeleton. */
export function skeletonOf({ worker, move, access }: PlainChoices, rollout: number): Skeleton {
  const skeleton: SkeletonStep[] = [];
  for (let step = 0; step < STEPS; step++) {
    const at = rollout * STEPS + step;
    const row = worker.subarray(at * (BATCH_ROWS + 1), (at + 1) * (BATCH_ROWS + 1)).findIndex((value) => value > 0.5);
    if (row < 0 || row === BATCH_ROWS) break;
    const chosen = move.subarray(at * MOVES.length, (at + 1) * MOVES.length).findIndex((value) => value > 0.5);
    const seen = [...Array(step).keys()].filter((earlier) => (access[at * STEPS + earlier] ?? 0) > 0.5);
    skeleton.push({ row, move: MOVES[chosen] ?? null, access: seen });
  }
  return skeleton;
}

/** Converts skeletons to the choices that produce them, so that the network can compute their log-probabilities. */
export function choicesOf(skeletons: readonly Skeleton[]): PlainChoices {
  const rollouts = skeletons.length;
  const choices = {
    worker: new Float32Array(rollouts * STEPS * (BATCH_ROWS + 1)),
    move: new Float32Array(rollouts * STEPS * MOVES.length),
    access: new Float32Array(rollouts * STEPS * STEPS),
  };
  for (const [rollout, skeleton] of skeletons.entries()) {
    for (const [step, { row, move, access }] of skeleton.entries()) {
      const at = rollout * STEPS + step;
      choices.worker[at * (BATCH_ROWS + 1) + row] = 1;
      if (move !== null) choices.move[at * MOVES.length + MOVES.indexOf(move)] = 1;
      for (const seen of access) choices.access[at * STEPS + seen] = 1;
    }
    const last = skeleton.at(-1);
    const stops = skeleton.length < STEPS && last?.move !== null;
    if (stops) choices.worker[(rollout * STEPS + skeleton.length) * (BATCH_ROWS + 1) + BATCH_ROWS] = 1;
  }
  return choices;
}

/** Returns a mask of shape [rollouts, STEPS]: 1 where the policy chose a row or chose to stop. */
export function choiceMask({ worker }: PlainChoices, rollouts: number): Float32Array {
  return Float32Array.from({ length: rollouts * STEPS }, (_, at) =>
    worker.subarray(at * (BATCH_ROWS + 1), (at + 1) * (BATCH_ROWS + 1)).some((value) => value > 0.5) ? 1 : 0,
  );
}
