/** @file What the steps so far have come to, and what may follow them: the grammar of `core/policy/moves.ts` as masks. */
import { givesAnswer, MOVES, needsAnswer, STEPS } from '../policy';
import type { Scene } from './network-encoder';
import { add, complement, constant, joined, multiply, ones, reshape, zeros, type Tensor } from './tensors';

/** What the steps so far have come to. */
export interface State {
  /** [rollouts, width] */
  hidden: Tensor;
  /** How often each row was chosen. [rollouts, rows] */
  used: Tensor;
  /** 1 where the last step gives an answer. [rollouts, 1] */
  lastAnswers: Tensor;
  /** One-hot of the latest step that gives an answer, one column for each step so far; empty at first. */
  latest: Tensor[];
  /** 1 until the workflow has ended. [rollouts, 1] */
  alive: Tensor;
  readonly steps: Tensor[];
}

export function firstState({ rollouts, rows, start }: Scene): State {
  return {
    hidden: start,
    used: zeros(rollouts, rows),
    lastAnswers: zeros(rollouts, 1),
    latest: [],
    alive: ones(rollouts, 1),
    steps: [],
  };
}

/** STOP and the Conductor itself come only after an answer; STOP also first where the answer so far may be kept. */
export function allowedRows(
  { rollouts, present, conductor, mayKeep }: Scene,
  { lastAnswers }: State,
  step: number,
): Tensor {
  const mayHandOver = step === 0 ? zeros(rollouts, 1) : lastAnswers;
  const rowsAllowed = multiply(present, complement(multiply(conductor, complement(mayHandOver))));
  return joined(rowsAllowed, step === 0 ? mayKeep : lastAnswers);
}

/** What is about an answer comes after one; the last step gives one. [rollouts, MOVES] */
export function allowedMoves({ rollouts }: Scene, { latest }: State, step: number): Tensor {
  const none = complement(
    reshape(
      latest.reduce((sum, each) => add(sum, each), zeros(rollouts, 1)),
      rollouts,
      1,
    ),
  );
  const allowed = complement(multiply(moveFlags(needsAnswer), none));
  return step === STEPS - 1 ? multiply(allowed, moveFlags(givesAnswer)) : allowed;
}

/** [1, MOVES]: 1 for the moves that are so. */
export function moveFlags(isSo: (move: (typeof MOVES)[number]) => boolean): Tensor {
  return constant(
    MOVES.map((move) => Number(isSo(move))),
    1,
    MOVES.length,
  );
}
