/**
 * @file The decoder's state after each step, and masks for its next choices. The masks express the grammar of workflows in
 * `core/policy/moves.ts`. A row is a worker, or the Conductor, that the policy can choose for a step. Brackets in comments give
 * the shape of a tensor.
 */
import { givesAnswer, MOVES, needsAnswer, STEPS, type Move } from '../../policy/moves';
import type { EncodedRequests } from './network-encoder';
import { add, complement, constant, joined, multiply, ones, reshape, zeros, type Tensor } from './tensors';

/** The decoder's state after the steps so far. */
export interface DecoderState {
  /** [rollouts, width] */
  hidden: Tensor;
  /** Number of times each row was chosen. [rollouts, rows] */
  used: Tensor;
  /** 1 if the last step gives an answer. [rollouts, 1] */
  lastAnswers: Tensor;
  /** One column for each step so far: 1 if it is the latest step that gives an answer. */
  latest: Tensor[];
  /** 1 until the workflow ends. [rollouts, 1] */
  alive: Tensor;
  /** One vector for each step so far. [rollouts, width] */
  readonly steps: Tensor[];
}

export function initialState({ rollouts, rows, start }: EncodedRequests): DecoderState {
  return {
    hidden: start,
    used: zeros(rollouts, rows),
    lastAnswers: zeros(rollouts, 1),
    latest: [],
    alive: ones(rollouts, 1),
    steps: [],
  };
}

/**
 * STOP (the end of the workflow) and the Conductor's own row are allowed only directly after an answer. STOP is also allowed as
 * the first choice if the previous round's answer may be kept.
 */
export function allowedRows(
  { rollouts, present, conductor, mayKeep }: EncodedRequests,
  { lastAnswers }: DecoderState,
  step: number,
): Tensor {
  const allowsConductor = step === 0 ? zeros(rollouts, 1) : lastAnswers;
  const rowsAllowed = multiply(present, complement(multiply(conductor, complement(allowsConductor))));
  return joined(rowsAllowed, step === 0 ? mayKeep : lastAnswers);
}

/**
 * Moves that need an answer are allowed only after an answer. The last possible step must give an answer. [rollouts, MOVES]
 */
export function allowedMoves({ rollouts }: EncodedRequests, { latest }: DecoderState, step: number): Tensor {
  const noAnswer = complement(
    reshape(
      latest.reduce((sum, each) => add(sum, each), zeros(rollouts, 1)),
      rollouts,
      1,
    ),
  );
  const allowed = complement(multiply(moveFlags(needsAnswer), noAnswer));
  return step === STEPS - 1 ? multiply(allowed, moveFlags(givesAnswer)) : allowed;
}

/** [1, MOVES]: 1 for the moves that satisfy the predicate. */
export function moveFlags(predicate: (move: Move) => boolean): Tensor {
  return constant(
    MOVES.map((move) => Number(predicate(move))),
    1,
    MOVES.length,
  );
}
