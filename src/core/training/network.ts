/**
 * @file The policy's network as it trains, over jax-js. One unrolled function draws workflows and scores them: drawing takes
 * noise (Gumbel for choices of one among several, logistic for single bits), scoring takes the choices, and nothing else
 * differs, so the two cannot come apart. `core/policy/network.ts` is its twin in plain arrays.
 *
 * Here stands the decoder, a gated recurrent unit over at most five steps; each step is a pointer to a worker or STOP, then a
 * move given the worker, then a bit for each earlier step.
 */
import { givesAnswer, MOVES, needsAnswer, STEPS } from '../policy';
import { choose, chooseAccess, type Choices, type From } from './network-choices';
import { encode, type NetworkInput, type Scene, type Weights } from './network-encoder';
import { allowedMoves, allowedRows, firstState, moveFlags, type State } from './network-state';
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

export interface Unrolled extends Choices {
  /** Log-probability of each step's choices; 0 after the end. [rollouts, STEPS] */
  readonly logProbability: Tensor;
  /** Entropy of the choice of worker and of move. [rollouts, STEPS] */
  readonly entropy: Tensor;
}

/** How much of what a step sees goes into the decoder's state. */
const SEEN_WEIGHT = 0.5;

/**
 * Draws or scores `group` workflows for each request.
 * @param from noise to draw by, or choices to score
 * @param floor [1]: share of every choice that is uniform over what is allowed
 */
export function unroll(weights: Weights, input: NetworkInput, group: number, from: From, floor: Tensor): Unrolled {
  const [, rows = 0] = input.present.shape;
  const scene = encode(weights, input, group);
  const state = firstState(scene);
  const steps: StepResult[] = [];
  for (let step = 0; step < STEPS; step++) steps.push(decide(weights, scene, state, step, from, floor));
  const each = (of: (result: StepResult) => Tensor, width: number) =>
    reshape(joined(...steps.map((result) => reshape(of(result), scene.rollouts, width))), scene.rollouts, STEPS, width);
  return {
    logProbability: joined(...steps.map(({ logProbability }) => reshape(logProbability, scene.rollouts, 1))),
    entropy: joined(...steps.map(({ entropy }) => reshape(entropy, scene.rollouts, 1))),
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

function decide(weights: Weights, scene: Scene, state: State, step: number, from: From, floor: Tensor): StepResult {
  const { rollouts, rows, width } = scene;
  const { hidden, alive } = state;

  const worker = choose(pointerLogits(weights, scene, state), allowedRows(scene, state, step), floor, {
    noise: 'noise' in from ? atStep(from.noise.worker, step) : null,
    chosen: 'choices' in from ? atStep(from.choices.worker, step) : null,
  });
  const row = columns(worker.chosen, 0, rows);
  const isConductor = reshape(sumLast(multiply(row, scene.conductor)), rollouts, 1);
  // A step that is neither STOP nor the Conductor has a move and is followed by another decision.
  const goes = subtract(complement(columns(worker.chosen, rows, rows + 1)), isConductor);
  const who = reshape(matmul(reshape(row, rollouts, 1, rows), scene.workers), rollouts, width);

  const considered = relu(matmul(joined(hidden, who), weights.moveHidden));
  const move = choose(
    add(matmul(considered, weights.moveOut), weights.moveBias),
    allowedMoves(scene, state, step),
    floor,
    {
      noise: 'noise' in from ? atStep(from.noise.move, step) : null,
      chosen: 'choices' in from ? atStep(from.choices.move, step) : null,
    },
  );
  const doing = matmul(move.chosen, weights.stepMove);
  const needs = sumLast(multiply(move.chosen, moveFlags(needsAnswer)));
  const access = chooseAccess(weights, scene, state, step, from, floor, joined(hidden, who, doing), needs);

  const counts = reshape(goes, rollouts);
  const logProbability = add(worker.logProbability, multiply(counts, add(move.logProbability, access.logProbability)));
  const entropy = add(worker.entropy, multiply(counts, move.entropy));
  const living = reshape(alive, rollouts);
  const acting = multiply(alive, goes);
  const result = {
    logProbability: multiply(living, logProbability),
    entropy: multiply(living, entropy),
    worker: multiply(worker.chosen, alive),
    move: multiply(move.chosen, acting),
    access: multiply(access.chosen, acting),
  };

  const taken = tanh(add(matmul(who, weights.stepWorker), doing));
  state.hidden = recur(weights, hidden, add(taken, multiply(access.seen, SEEN_WEIGHT)));
  state.steps.push(taken);
  state.used = add(state.used, row);
  const answers = reshape(sumLast(multiply(move.chosen, moveFlags(givesAnswer))), rollouts, 1);
  state.latest = [...state.latest.map((each) => multiply(each, complement(answers))), answers];
  state.lastAnswers = answers;
  state.alive = acting;
  return result;
}

function pointerLogits(weights: Weights, { rollouts, rows, width, keys }: Scene, { hidden, used }: State): Tensor {
  const query = reshape(matmul(hidden, weights.pointQuery), rollouts, 1, width);
  const pointed = multiply(reshape(matmul(query, keys), rollouts, rows), 1 / Math.sqrt(width));
  const again = multiply(used, matmul(hidden, weights.pointUsed));
  return joined(add(pointed, again), add(matmul(hidden, weights.stop), weights.stopBias));
}

/** A gated recurrent unit. */
function recur(weights: Weights, hidden: Tensor, input: Tensor): Tensor {
  const both = joined(hidden, input);
  const update = sigmoid(add(matmul(both, weights.updateGate), weights.updateBias));
  const reset = sigmoid(matmul(both, weights.resetGate));
  const candidate = tanh(matmul(joined(multiply(hidden, reset), input), weights.candidate));
  return add(multiply(hidden, complement(update)), multiply(candidate, update));
}
