/**
 * @file The learner holds the weights, samples workflows for requests and updates the weights from rewards. It is
 * independent of puzzles: the caller provides requests and rewards.
 */
import { tree, type Array as Tensor } from '@jax-js/jax';
import { mixSeed, seededRandom } from '../../contract';
import {
  DEFAULT_SIZE,
  forEachParameter,
  initialParameters,
  PARAMETER_NAMES,
  type NetworkSize,
  type Parameters,
} from '../../policy/parameters';
import { STEPS, type Skeleton } from '../../policy/moves';
import type { PolicyInput } from '../../policy/features';
import {
  batchOf,
  choicesOf,
  drawNoise,
  skeletonOf,
  choiceMask,
  toChoices,
  toNetworkInput,
  type Batch,
  type PlainChoices,
} from './batch';
import { compiledFor, type CompiledFunctions } from './compiled';
import type { GrpoSettings } from './course-options';
import { advantagesOf, stepWeights } from './grpo';
import type { Weights } from './network-encoder';
import { tensor } from './tensors';
import { ADAM, type UpdateInput } from './update';

interface LearnerOptions {
  readonly seed: number;
  /** Number of workflows sampled for each request. */
  readonly group: number;
  readonly size?: NetworkSize;
  /** Initial weights. Default: random, from the seed. */
  readonly parameters?: Parameters;
}

/** Sampled workflows. The workflows of one request are adjacent. */
interface SampledRollouts {
  readonly batch: Batch;
  readonly choices: PlainChoices;
  readonly logProbability: Float32Array;
  readonly skeletons: readonly Skeleton[];
}

/** Adam's moment estimates. */
interface Moments {
  first: Weights;
  second: Weights;
  /** Number of updates made with these moments. */
  steps: number;
}

/** The loss and the gradient norm of one update. */
export interface UpdateResult {
  readonly loss: number;
  readonly gradient: number;
}

export interface UpdateOptions {
  readonly settings: GrpoSettings;
  readonly learningRate: number;
  /** Entropy coefficient. */
  readonly entropy: number;
  /** Number of weight updates from the same rollouts. Default 1. */
  readonly epochs?: number;
}

/** The settings for imitation, which has no ratio to clip and no exploration. */
const IMITATION_SETTINGS: GrpoSettings = {
  divideByDeviation: false,
  averageByRollout: false,
  clipLow: 0,
  clipHigh: 0,
  entropy: 0,
  floor: 0,
  stepCost: 0,
};

export class Learner {
  readonly group: number;
  readonly #seed: number;
  #batchesSampled = 0;
  #weights: Weights;
  readonly #moments: Moments;
  /** Separate moments for `imitateBounded`. */
  #boundedMoments: Moments | null = null;
  /** Initial weights, used for the shape of each parameter. */
  readonly #initial: Parameters;
  readonly #compiled: CompiledFunctions;

  constructor({ seed, group, size = DEFAULT_SIZE, parameters }: LearnerOptions) {
    this.group = group;
    this.#seed = seed;
    this.#initial = parameters ?? initialParameters(size, seededRandom(mixSeed(seed, 'weights')));
    this.#weights = toWeights(this.#initial);
    this.#moments = zeroMoments(this.#initial);
    this.#compiled = compiledFor(group);
  }

  /**
   * Samples `group` workflows for each request. Each call draws new noise, which depends on the seed and the number of earlier
   * calls.
   */
  async sample(inputs: readonly PolicyInput[], floor: number): Promise<SampledRollouts> {
    const batch = batchOf(inputs);
    const rollouts = batch.size * this.group;
    const noise = drawNoise(rollouts, seededRandom(mixSeed(this.#seed, 'noise', this.#batchesSampled)));
    this.#batchesSampled += 1;
    const sampled = this.#compiled.sample(
      tree.ref(this.#weights),
      toNetworkInput(batch),
      toChoices(noise, rollouts),
      tensor(Float32Array.of(floor), 1),
    );
    const [logProbability, worker, move, access] = await Promise.all([
      readTensor(sampled.logProbability),
      readTensor(sampled.worker),
      readTensor(sampled.move),
      readTensor(sampled.access),
    ]);
    const choices = { worker, move, access };
    const skeletons = Array.from({ length: rollouts }, (_, rollout) => skeletonOf(choices, rollout));
    return { batch, choices, logProbability, skeletons };
  }

  /** Updates the weights from sampled workflows and the reward of each. */
  async learn(sampled: SampledRollouts, rewards: Float32Array, options: UpdateOptions): Promise<UpdateResult> {
    const { settings } = options;
    const rollouts = rewards.length;
    const advantages = advantagesOf(rewards, this.group, settings);
    const weights = stepWeights(choiceMask(sampled.choices, rollouts), settings);
    let result: UpdateResult = { loss: 0, gradient: 0 };
    for (let epoch = 0; epoch < (options.epochs ?? 1); epoch++) {
      result = await this.#step(this.#compiled.update, this.#moments, sampled, advantages, weights, options);
    }
    return result;
  }

  /**
   * Makes given workflows more likely.
   * @param skeletons `group` workflows for the first request, then `group` for the second, and so on
   */
  async imitate(
    inputs: readonly PolicyInput[],
    skeletons: readonly Skeleton[],
    learningRate: number,
  ): Promise<UpdateResult> {
    return this.#imitateWith(this.#moments, inputs, skeletons, learningRate);
  }

  /**
   * Like `imitate`, but with less effect on the GRPO updates: it uses separate moments and limits the norm of the weight
   * update. Multiplying the loss by a small factor would not limit this norm, because Adam normalizes the gradient.
   * @param maxStep maximum Euclidean norm of the weight update
   */
  async imitateBounded(
    inputs: readonly PolicyInput[],
    skeletons: readonly Skeleton[],
    learningRate: number,
    maxStep: number,
  ): Promise<UpdateResult> {
    this.#boundedMoments ??= zeroMoments(this.#initial);
    const before = await this.parameters();
    const result = await this.#imitateWith(this.#boundedMoments, inputs, skeletons, learningRate);
    const after = await this.parameters();
    const length = distanceBetween(before, after);
    if (length > maxStep) {
      tree.dispose(this.#weights);
      this.#weights = toWeights(interpolate(before, after, maxStep / length));
    }
    return result;
  }

  /** A copy of the current weights. */
  async parameters(): Promise<Parameters> {
    const entries = forEachParameter((name) => readTensor(this.#weights[name].ref));
    const values = new Map<string, Float32Array>();
    for (const [name, value] of Object.entries(entries)) values.set(name, await value);
    return forEachParameter((name) => ({ ...this.#initial[name], values: values.get(name) ?? new Float32Array() }));
  }

  /** Frees the tensors. */
  dispose(): void {
    const moments = [this.#moments, ...(this.#boundedMoments ? [this.#boundedMoments] : [])];
    tree.dispose([this.#weights, ...moments.flatMap(({ first, second }) => [first, second])]);
  }

  async #imitateWith(
    moments: Moments,
    inputs: readonly PolicyInput[],
    skeletons: readonly Skeleton[],
    learningRate: number,
  ): Promise<UpdateResult> {
    const choices = choicesOf(skeletons);
    const rollouts = skeletons.length;
    const rollout = { batch: batchOf(inputs), choices, logProbability: new Float32Array(rollouts * STEPS) };
    const weights = stepWeights(choiceMask(choices, rollouts), IMITATION_SETTINGS);
    const options = { settings: IMITATION_SETTINGS, learningRate, entropy: 0 };
    return this.#step(this.#compiled.imitate, moments, rollout, new Float32Array(rollouts).fill(1), weights, options);
  }

  async #step(
    update: CompiledFunctions['update'],
    moments: Moments,
    { batch, choices, logProbability }: Pick<SampledRollouts, 'batch' | 'choices' | 'logProbability'>,
    advantages: Float32Array,
    weights: Float32Array,
    { settings, learningRate, entropy }: UpdateOptions,
  ): Promise<UpdateResult> {
    moments.steps += 1;
    const rollouts = advantages.length;
    const settingsRow = [
      learningRate,
      entropy,
      settings.floor,
      1 - settings.clipLow,
      1 + settings.clipHigh,
      1 / (1 - ADAM.firstDecay ** moments.steps),
      1 / (1 - ADAM.secondDecay ** moments.steps),
    ];
    const input: UpdateInput = {
      input: toNetworkInput(batch),
      choices: toChoices(choices, rollouts),
      oldLogProbability: tensor(logProbability, rollouts, STEPS),
      advantages: tensor(advantages, rollouts, 1),
      stepWeights: tensor(weights, rollouts, STEPS),
      settings: tensor(Float32Array.from(settingsRow), 1, settingsRow.length),
    };
    const updated = update(this.#weights, moments.first, moments.second, input);
    this.#weights = updated.weights;
    moments.first = updated.first;
    moments.second = updated.second;
    const [loss, gradient] = await Promise.all([readTensor(updated.loss), readTensor(updated.gradient)]);
    return { loss: loss[0] ?? Number.NaN, gradient: gradient[0] ?? Number.NaN };
  }
}

/** Converts plain matrices to tensors. */
export function toWeights(parameters: Parameters): Weights {
  return forEachParameter((name) => {
    const { rows, columns, values } = parameters[name];
    return tensor(values, rows, columns);
  });
}

function zeroMoments(parameters: Parameters): Moments {
  return { first: zerosLike(parameters), second: zerosLike(parameters), steps: 0 };
}

/** The Euclidean distance over all weights. */
export function distanceBetween(one: Parameters, other: Parameters): number {
  const squares = PARAMETER_NAMES.map((name) =>
    one[name].values.reduce((sum, value, at) => sum + (value - (other[name].values[at] ?? 0)) ** 2, 0),
  );
  return Math.sqrt(squares.reduce((sum, each) => sum + each, 0));
}

/** @param share from 0 (`from`) to 1 (`to`) */
function interpolate(from: Parameters, to: Parameters, share: number): Parameters {
  return forEachParameter((name) => {
    const { rows, columns, values } = from[name];
    return { rows, columns, values: values.map((value, at) => value + share * ((to[name].values[at] ?? 0) - value)) };
  });
}

function zerosLike(parameters: Parameters): Weights {
  return forEachParameter((name) => {
    const { rows, columns } = parameters[name];
    return tensor(new Float32Array(rows * columns), rows, columns);
  });
}

async function readTensor(value: Tensor): Promise<Float32Array> {
  return Float32Array.from(await value.data());
}
