/**
 * @file The policy network for training, with jax-js. `core/policy/network.ts` is the same network in plain
 * arrays.
 *
 * One unrolled function both samples and scores workflows. Sampling takes noise (Gumbel for categorical
 * choices, logistic for binary ones). Scoring takes the choices and computes their log-probabilities. The two
 * share all other code, so they cannot diverge.
 *
 * This file has the decoder: a gated recurrent unit over at most five steps. Each step first chooses a worker
 * or STOP. Then it chooses a move (the kind of the step), which depends on the worker. Finally, it chooses
 * one bit for each earlier step: whether the new step sees the earlier step.
 */
import { givesAnswer, MOVES, needsAnswer, STEPS } from '../../policy/moves';
import { ACCESS_WEIGHT } from '../../policy/network';
import { choose, chooseAccess, type Choices, type ChoiceSource } from './network-choices';
import { encode, type EncodedRequests, type NetworkInput, type Weights } from './network-encoder';
import { allowedMoves, allowedRows, initialState, moveFlags, type DecoderState } from './network-state';
import {
  add,
  atStep,
  columns,
  complement,
  joined,
  matmul,
  multiply,
  relu,
  reshape,
  sigmoid,
  subtract,
  sumLast,
  tanh,
  type Tensor,
} from './tensors';

interface Unrolled extends Choices {
  /** Log-probability of each step's choices. 0 after the end of the workflow. [rollouts, STEPS] */
  readonly logProbability: Tensor;
  /** Entropy of the worker choice plus entropy of the move choice. 0 after the end of the workflow. [rollouts, STEPS] */
  readonly entropy: Tensor;
}

/**
 * Samples or scores `group` workflows for each request.
 * @param source noise to sample with, or choices to score
 * @param floor in every choice, this share of the probability is spread evenly over the allowed options. [1]
 */
export function unroll(
  weights: Weights,
  input: NetworkInput,
  group: number,
  source: ChoiceSource,
  floor: Tensor,
): Unrolled {
  const [, rows = 0] = input.present.shape;
  const encoded = encode(weights, input, group);
  const state = initialState(encoded);
  const steps: StepResult[] = [];
  for (let step = 0; step < STEPS; step++) steps.push(decideStep(weights, encoded, state, step, source, floor));
  const { rollouts } = encoded;
  const each = (of: (result: StepResult) => Tensor, width: number) =>
    reshape(joined(...steps.map((result) => reshape(of(result), rollouts, width))), rollouts, STEPS, width);
  return {
    logProbability: joined(...steps.map(({ logProbability }) => reshape(logProbability, rollouts, 1))),
    entropy: joined(...steps.map(({ entropy }) => reshape(entropy, rollouts, 1))),
    worker: each(({ worker }) => worker, rows + 1),
    move: each(({ move }) => move, MOVES.length),
    access: each(({ access }) => access, STEPS),
  };
}

interface StepResult {
  readonly logProbability: Tensor;
  readonly entropy: Tensor;
  readonly worker: Tensor;
  readonly move: Tensor;
  readonly access: Tensor;
}

function decideStep(
  weights: Weights,
  encoded: EncodedRequests,
  state: DecoderState,
  step: number,
  source: ChoiceSource,
  floor: Tensor,
): StepResult {
  const { rollouts, rows, width } = encoded;
  const { hidden, alive } = state;

  const worker = choose(pointerLogits(weights, encoded, state), allowedRows(encoded, state, step), floor, {
    noise: 'noise' in source ? atStep(source.noise.worker, step) : null,
    chosen: 'choices' in source ? atStep(source.choices.worker, step) : null,
  });
  const row = columns(worker.chosen, 0, rows);
  const isConductor = reshape(sumLast(multiply(row, encoded.conductor)), rollouts, 1);
  // STOP and the Conductor's own step end the workflow. Only other steps have a move.
  const continues = subtract(complement(columns(worker.chosen, rows, rows + 1)), isConductor);
  const workerVector = reshape(matmul(reshape(row, rollouts, 1, rows), encoded.workers), rollouts, width);

  const moveHidden = relu(matmul(joined(hidden, workerVector), weights.moveHidden));
  const move = choose(
    add(matmul(moveHidden, weights.moveOut), weights.moveBias),
    allowedMoves(encoded, state, step),
    floor,
    {
      noise: 'noise' in source ? atStep(source.noise.move, step) : null,
      chosen: 'choices' in source ? atStep(source.choices.move, step) : null,
    },
  );
  const moveVector = matmul(move.chosen, weights.stepMove);
  const needs = sumLast(multiply(move.chosen, moveFlags(needsAnswer)));
  const access = chooseAccess(
    weights,
    encoded,
    state,
    step,
    source,
    floor,
    joined(hidden, workerVector, moveVector),
    needs,
  );

  const hasMove = reshape(continues, rollouts);
  const logProbability = add(worker.logProbability, multiply(hasMove, add(move.logProbability, access.logProbability)));
  const entropy = add(worker.entropy, multiply(hasMove, move.entropy));
  const aliveRow = reshape(alive, rollouts);
  const stillAlive = multiply(alive, continues);
  const result = {
    logProbability: multiply(aliveRow, logProbability),
    entropy: multiply(aliveRow, entropy),
    worker: multiply(worker.chosen, alive),
    move: multiply(move.chosen, stillAlive),
    access: multiply(access.chosen, stillAlive),
  };

  const stepVector = tanh(add(matmul(workerVector, weights.stepWorker), moveVector));
  state.hidden = recur(weights, hidden, add(stepVector, multiply(access.seen, ACCESS_WEIGHT)));
  state.steps.push(stepVector);
  state.used = add(state.used, row);
  const answers = reshape(sumLast(multiply(move.chosen, moveFlags(givesAnswer))), rollouts, 1);
  state.latest = [...state.latest.map((each) => multiply(each, complement(answers))), answers];
  state.lastAnswers = answers;
  state.alive = stillAlive;
  return result;
}

function pointerLogits(
  weights: Weights,
  { rollouts, rows, width, keys }: EncodedRequests,
  { hidden, used }: DecoderState,
): Tensor {
  const query = reshape(matmul(hidden, weights.pointQuery), rollouts, 1, width);
  const scores = multiply(reshape(matmul(query, keys), rollouts, rows), 1 / Math.sqrt(width));
  const reuse = multiply(used, matmul(hidden, weights.pointUsed));
  return joined(add(scores, reuse), add(matmul(hidden, weights.stop), weights.stopBias));
}

/** A gated recurrent unit. */
function recur(weights: Weights, hidden: Tensor, input: Tensor): Tensor {
  const both = joined(hidden, input);
  const update = sigmoid(add(matmul(both, weights.updateGate), weights.updateBias));
  const reset = sigmoid(matmul(both, weights.resetGate));
  const candidate = tanh(matmul(joined(multiply(hidden, reset), input), weights.candidate));
  return add(multiply(hidden, complement(update)), multiply(candidate, update));
}
