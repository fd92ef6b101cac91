/**
 * @file Between requests and tensors: requests padded into one batch, noise to draw by, and drawn choices read as skeletons.
 */
import type { Random } from '../contract';
import {
  MOVES,
  QUESTION_FEATURES,
  STEPS,
  WORKER_FEATURES,
  type PolicyInput,
  type Skeleton,
  type SkeletonStep,
} from '../policy';
import type { Choices } from './network-choices';
import type { NetworkInput } from './network-encoder';
import { tensor } from './tensors';

/** Rows of every batch: seven workers and the Conductor. Shapes are fixed so that the network is compiled once. */
export const ROWS = 8;

/** A batch in plain arrays; may be made into tensors more than once. */
export interface Batch {
  readonly size: number;
  readonly question: Float32Array;
  readonly workers: Float32Array;
  readonly present: Float32Array;
  readonly conductor: Float32Array;
  readonly mayKeep: Float32Array;
}

/** Throws a `RangeError` for a request with more rows than fit. */
export function batchOf(inputs: readonly PolicyInput[]): Batch {
  const size = inputs.length;
  const batch: Batch = {
    size,
    question: new Float32Array(size * QUESTION_FEATURES),
    workers: new Float32Array(size * ROWS * WORKER_FEATURES),
    present: new Float32Array(size * ROWS),
    conductor: new Float32Array(size * ROWS),
    mayKeep: new Float32Array(size),
  };
  for (const [index, { question, workers, limits }] of inputs.entries()) {
    if (limits.rows > ROWS) throw new RangeError(`A pool of ${limits.rows} does not fit into ${ROWS} rows.`);
    batch.question.set(question, index * QUESTION_FEATURES);
    batch.workers.set(workers, index * ROWS * WORKER_FEATURES);
    batch.present.fill(1, index * ROWS, index * ROWS + limits.rows);
    if (limits.conductor >= 0) batch.conductor[index * ROWS + limits.conductor] = 1;
    batch.mayKeep[index] = Number(limits.mayKeep);
  }
  return batch;
}

export function toNetworkInput({ size, question, workers, present, conductor, mayKeep }: Batch): NetworkInput {
  return {
    question: tensor(question, size, QUESTION_FEATURES),
    workers: tensor(workers, size, ROWS, WORKER_FEATURES),
    present: tensor(present, size, ROWS),
    conductor: tensor(conductor, size, ROWS),
    mayKeep: tensor(mayKeep, size, 1),
  };
}

/** Choices, or noise, in plain arrays. */
export interface PlainChoices {
  readonly worker: Float32Array;
  readonly move: Float32Array;
  readonly access: Float32Array;
}

export function toChoices({ worker, move, access }: PlainChoices, rollouts: number): Choices {
  return {
    worker: tensor(worker, rollouts, STEPS, ROWS + 1),
    move: tensor(move, rollouts, STEPS, MOVES.length),
    access: tensor(access, rollouts, STEPS, STEPS),
  };
}

/** Gumbel noise for choices among several, logistic noise for bits: the largest of noisy log-probabilities is a fair draw. */
export function drawNoise(rollouts: number, random: Random): PlainChoices {
  const uniform = () => Math.min(1 - 1e-7, Math.max(1e-7, random()));
  const gumbel = () => -Math.log(-Math.log(uniform()));
  const logistic = () => {
    const drawn = uniform();
    return Math.log(drawn / (1 - drawn));
  };
  return {
    worker: Float32Array.from({ length: rollouts * STEPS * (ROWS + 1) }, gumbel),
    move: Float32Array.from({ length: rollouts * STEPS * MOVES.length }, gumbel),
    access: Float32Array.from({ length: rollouts * STEPS * STEPS }, logistic),
  };
}

/** The skeleton of one rollout. */
export function skeletonOf({ worker, move, access }: PlainChoices, rollout: number): Skeleton {
  const skeleton: SkeletonStep[] = [];
  for (let step = 0; step < STEPS; step++) {
    const at = rollout * STEPS + step;
    const row = worker.subarray(at * (ROWS + 1), (at + 1) * (ROWS + 1)).findIndex((value) => value > 0.5);
    if (row < 0 || row === ROWS) break;
    const chosen = move.subarray(at * MOVES.length, (at + 1) * MOVES.length).findIndex((value) => value > 0.5);
    const seen = [...Array(step).keys()].filter((earlier) => (access[at * STEPS + earlier] ?? 0) > 0.5);
    skeleton.push({ row, move: MOVES[chosen] ?? null, access: seen });
  }
  return skeleton;
}

/** Skeletons as choices that were made, for a policy to learn from. */
export function choicesOf(skeletons: readonly Skeleton[]): PlainChoices {
  const rollouts = skeletons.length;
  const choices = {
    worker: new Float32Array(rollouts * STEPS * (ROWS + 1)),
    move: new Float32Array(rollouts * STEPS * MOVES.length),
    access: new Float32Array(rollouts * STEPS * STEPS),
  };
  for (const [rollout, skeleton] of skeletons.entries()) {
    for (const [step, { row, move, access }] of skeleton.entries()) {
      const at = rollout * STEPS + step;
      choices.worker[at * (ROWS + 1) + row] = 1;
      if (move !== null) choices.move[at * MOVES.length + MOVES.indexOf(move)] = 1;
      for (const seen of access) choices.access[at * STEPS + seen] = 1;
    }
    const endedBy = skeleton.at(-1);
    const stops = skeleton.length < STEPS && endedBy?.move !== null;
    if (stops) choices.worker[(rollout * STEPS + skeleton.length) * (ROWS + 1) + ROWS] = 1;
  }
  return choices;
}

/** 1 for every step at which something was chosen, STOP included. [rollouts, STEPS] */
export function stepsTaken({ worker }: PlainChoices, rollouts: number): Float32Array {
  return Float32Array.from({ length: rollouts * STEPS }, (_, at) =>
    worker.subarray(at * (ROWS + 1), (at + 1) * (ROWS + 1)).some((value) => value > 0.5) ? 1 : 0,
  );
}
