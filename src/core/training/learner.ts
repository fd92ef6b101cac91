/**
 * @file The learner: holds the weights, draws workflows for requests and learns from what they earned. It knows nothing of
 * puzzles; requests and rewards come from outside.
 */
import { jit, tree, type Array as Tensor } from '@jax-js/jax';
import { mixSeed, seededRandom } from '../contract';
import {
  DEFAULT_SIZE,
  forEachParameter,
  initialParameters,
  PARAMETER_NAMES,
  STEPS,
  type NetworkSize,
  type Parameters,
  type PolicyInput,
  type Skeleton,
} from '../policy';
import {
  batchOf,
  choicesOf,
  drawNoise,
  skeletonOf,
  stepsTaken,
  toChoices,
  toNetworkInput,
  type Batch,
  type PlainChoices,
} from './batch';
import { advantagesOf, stepWeights, type GrpoSettings } from './grpo';
import { unroll } from './network';
import type { Choices } from './network-choices';
import type { NetworkInput, Weights } from './network-encoder';
import { tensor } from './tensors';
import { ADAM, compileUpdate, imitationLossOf, lossOf, type Lesson } from './update';

export interface LearnerOptions {
  readonly seed: number;
  /** Workflows drawn for each request. */
  readonly group: number;
  readonly size?: NetworkSize;
  /** Default: drawn from the seed. */
  readonly parameters?: Parameters;
}

/** Workflows that were drawn for some requests, group after group. */
export interface Drawn {
  readonly batch: Batch;
  readonly choices: PlainChoices;
  readonly logProbability: Float32Array;
  readonly skeletons: readonly Skeleton[];
}

/** What Adam remembers of the gradients so far. */
interface Moments {
  first: Weights;
  second: Weights;
  /** Steps taken by them. */
  steps: number;
}

/** What one update came to. */
export interface Progress {
  readonly loss: number;
  readonly gradient: number;
}

export interface UpdateOptions {
  readonly settings: GrpoSettings;
  readonly learningRate: number;
  readonly entropy: number;
  /** How often the same rollouts are learned from. Default 1. */
  readonly epochs?: number;
}

export class Learner {
  readonly group: number;
  readonly #seed: number;
  #drawn = 0;
  #weights: Weights;
  readonly #moments: Moments;
  /** Of imitation beside other updates; made when it is first asked for. */
  #besides: Moments | null = null;
  readonly #shapes: Parameters;
  readonly #draw: (weights: Weights, input: NetworkInput, noise: Choices, floor: Tensor) => Record<string, Tensor>;
  readonly #update: ReturnType<typeof compileUpdate>;
  readonly #imitate: ReturnType<typeof compileUpdate>;

  constructor({ seed, group, size = DEFAULT_SIZE, parameters }: LearnerOptions) {
    this.group = group;
    this.#seed = seed;
    this.#shapes = parameters ?? initialParameters(size, seededRandom(mixSeed(seed, 'weights')));
    this.#weights = toWeights(this.#shapes);
    this.#moments = noMoments(this.#shapes);
    this.#draw = jit((weights: Weights, input: NetworkInput, noise: Choices, floor: Tensor) => {
      const { logProbability, worker, move, access } = unroll(weights, input, group, { noise }, floor);
      return { logProbability, worker, move, access };
    });
    this.#update = compileUpdate(lossOf, group);
    this.#imitate = compileUpdate(imitationLossOf, group);
  }

  /** Draws `group` workflows for each request, by the next noise of the seed. */
  async draw(inputs: readonly PolicyInput[], floor: number): Promise<Drawn> {
    const batch = batchOf(inputs);
    const rollouts = batch.size * this.group;
    const noise = drawNoise(rollouts, seededRandom(mixSeed(this.#seed, 'noise', this.#drawn)));
    this.#drawn += 1;
    const drawn = this.#draw(
      tree.ref(this.#weights),
      toNetworkInput(batch),
      toChoices(noise, rollouts),
      tensor(Float32Array.of(floor), 1),
    );
    const [logProbability, worker, move, access] = await Promise.all([
      read(drawn.logProbability),
      read(drawn.worker),
      read(drawn.move),
      read(drawn.access),
    ]);
    const choices = { worker, move, access };
    const skeletons = Array.from({ length: rollouts }, (_, rollout) => skeletonOf(choices, rollout));
    return { batch, choices, logProbability, skeletons };
  }

  /** Learns from drawn workflows and what each of them earned. */
  async learn(drawn: Drawn, rewards: Float32Array, options: UpdateOptions): Promise<Progress> {
    const { settings } = options;
    const rollouts = rewards.length;
    const advantages = advantagesOf(rewards, this.group, settings);
    const weights = stepWeights(stepsTaken(drawn.choices, rollouts), settings);
    let progress: Progress = { loss: 0, gradient: 0 };
    for (let epoch = 0; epoch < (options.epochs ?? 1); epoch++) {
      progress = await this.#step(this.#update, this.#moments, drawn, advantages, weights, options);
    }
    return progress;
  }

  /** Learns to write given workflows: `group` for each request, group after group. */
  async imitate(
    inputs: readonly PolicyInput[],
    skeletons: readonly Skeleton[],
    learningRate: number,
  ): Promise<Progress> {
    return this.#imitateWith(this.#moments, inputs, skeletons, learningRate);
  }

  /**
   * Imitates beside other updates: by moments of its own, so that theirs stay as they are, and by a step of at most a given
   * length. Adam steps as far for a loss that weighs little, so a small weight would bound nothing.
   * @param longest length of the step over all weights together
   */
  async imitateBeside(
    inputs: readonly PolicyInput[],
    skeletons: readonly Skeleton[],
    learningRate: number,
    longest: number,
  ): Promise<Progress> {
    this.#besides ??= noMoments(this.#shapes);
    const before = await this.parameters();
    const progress = await this.#imitateWith(this.#besides, inputs, skeletons, learningRate);
    const after = await this.parameters();
    const length = distanceBetween(before, after);
    if (length > longest) {
      tree.dispose(this.#weights);
      this.#weights = toWeights(onTheWay(before, after, longest / length));
    }
    return progress;
  }

  /** The weights as they are now. */
  async parameters(): Promise<Parameters> {
    const entries = forEachParameter((name) => read(this.#weights[name].ref));
    const values = new Map<string, Float32Array>();
    for (const [name, value] of Object.entries(entries)) values.set(name, await value);
    return forEachParameter((name) => ({ ...this.#shapes[name], values: values.get(name) ?? new Float32Array() }));
  }

  /** Frees the tensors. */
  dispose(): void {
    const moments = [this.#moments, ...(this.#besides ? [this.#besides] : [])];
    tree.dispose([this.#weights, ...moments.flatMap(({ first, second }) => [first, second])]);
  }

  async #imitateWith(
    moments: Moments,
    inputs: readonly PolicyInput[],
    skeletons: readonly Skeleton[],
    learningRate: number,
  ): Promise<Progress> {
    const choices = choicesOf(skeletons);
    const rollouts = skeletons.length;
    const lesson = { batch: batchOf(inputs), choices, logProbability: new Float32Array(rollouts * STEPS) };
    const settings = { floor: 0, clipLow: 0, clipHigh: 0, averageByRollout: false, stepCost: 0 } as const;
    const weights = stepWeights(stepsTaken(choices, rollouts), { ...settings, divideByDeviation: false, entropy: 0 });
    const options = { settings: { ...settings, divideByDeviation: false, entropy: 0 }, learningRate, entropy: 0 };
    return this.#step(this.#imitate, moments, lesson, new Float32Array(rollouts).fill(1), weights, options);
  }

  async #step(
    update: ReturnType<typeof compileUpdate>,
    moments: Moments,
    { batch, choices, logProbability }: Pick<Drawn, 'batch' | 'choices' | 'logProbability'>,
    advantages: Float32Array,
    weights: Float32Array,
    { settings, learningRate, entropy }: UpdateOptions,
  ): Promise<Progress> {
    moments.steps += 1;
    const rollouts = advantages.length;
    const settingsRow = [
      learningRate,
      entropy,
      settings.floor,
      1 - settings.clipLow,
      1 + settings.clipHigh,
      1 / (1 - ADAM.first ** moments.steps),
      1 / (1 - ADAM.second ** moments.steps),
    ];
    const lesson: Lesson = {
      input: toNetworkInput(batch),
      choices: toChoices(choices, rollouts),
      drawnWith: tensor(logProbability, rollouts, STEPS),
      advantages: tensor(advantages, rollouts, 1),
      stepWeights: tensor(weights, rollouts, STEPS),
      settings: tensor(Float32Array.from(settingsRow), 1, settingsRow.length),
    };
    const updated = update(this.#weights, moments.first, moments.second, lesson);
    this.#weights = updated.weights;
    moments.first = updated.first;
    moments.second = updated.second;
    const [loss, gradient] = await Promise.all([read(updated.loss), read(updated.gradient)]);
    return { loss: loss[0] ?? Number.NaN, gradient: gradient[0] ?? Number.NaN };
  }
}

/** Plain matrices as tensors. */
export function toWeights(parameters: Parameters): Weights {
  return forEachParameter((name) => {
    const { rows, columns, values } = parameters[name];
    return tensor(values, rows, columns);
  });
}

function noMoments(parameters: Parameters): Moments {
  return { first: zerosLike(parameters), second: zerosLike(parameters), steps: 0 };
}

/** How far apart weights are, all of them together (Euclidean). */
export function distanceBetween(one: Parameters, other: Parameters): number {
  const squares = PARAMETER_NAMES.map((name) =>
    one[name].values.reduce((sum, value, at) => sum + (value - (other[name].values[at] ?? 0)) ** 2, 0),
  );
  return Math.sqrt(squares.reduce((sum, each) => sum + each, 0));
}

/** Weights between others. @param share of the way, from 0 to 1 */
function onTheWay(from: Parameters, to: Parameters, share: number): Parameters {
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

async function read(value: Tensor | undefined): Promise<Float32Array> {
  if (!value) throw new RangeError('A tensor is missing.');
  return Float32Array.from(await value.data());
}
