/**
 * @file A training course from one seed: supervised pretraining on common workflow shapes, then GRPO on random items. An item
 * is a puzzle with a pool of simulated workers.
 */
import { abortError, mixSeed, ROUND_DISCOUNT, seededRandom, type Random, type Step } from '../../contract';
import { policyInput, withoutDescriptions, type PolicyInput } from '../../policy/features';
import type { Parameters } from '../../policy/parameters';
import type { Skeleton } from '../../policy/moves';
import {
  playSecondRound,
  playSkeleton,
  secondRoundRequest,
  trainingReward,
  type Item,
  type RoundResult,
  type Society,
  cacheItems,
} from '../environment/items';
import { fillAtRandom, fillByRank, SHAPES } from '../environment/workflow-shapes';
import type { CourseOptions } from './course-options';
import type { RolloutFigures } from './figures';
import { LOSSES } from './grpo';
import { distanceBetween, Learner, type UpdateOptions, type UpdateResult } from './learner';
import type { OwnLesson } from './own-runs';
import { rolloutFigures } from './rollout-figures';

/** The result of one update. */
export interface CourseStep extends UpdateResult {
  /** 1-based. 0 for all pretraining updates. */
  readonly update: number;
  /** Means over the rollouts. `right` and `calls` are of the first round only. All three are 0 for pretraining. */
  readonly reward: number;
  readonly right: number;
  readonly calls: number;
  /** `null` for pretraining, which samples no workflows. */
  readonly rollouts: RolloutFigures | null;
}

export interface Course {
  /** Runs the course. Throws an `AbortError` on abort, and a `RangeError` if a gradient is not finite. */
  steps(signal: AbortSignal): AsyncGenerator<CourseStep>;
  /** The current weights. */
  parameters(): Promise<Parameters>;
}

/** In every update whose number is a multiple of this, the course also imitates the user's own runs. */
export const OWN_RUNS_EVERY = 4;
/**
 * Maximum size of the weight change by imitation, as a share of the preceding weight change by GRPO.
 * Both sizes are Euclidean norms.
 */
export const OWN_RUNS_SHARE = 0.1;

/** Share of workers whose description is hidden, so that the policy does not rely on descriptions alone. */
const DESCRIPTION_DROPOUT = 0.3;

/**
 * Number of items in the cache. An item takes about 30 kB with the workers' cached answers, and grows whenever it is used.
 * The cache is smaller than the number of items, so that an item is evicted before it grows large.
 */
const CACHED_ITEMS = 500;

/**
 * Prepares a course. Call its `steps` only once.
 * @param parameters initial weights. Default: random weights from the seed
 * @param own examples from the user's own runs
 */
export function createCourse(
  society: Society,
  options: CourseOptions,
  parameters?: Parameters,
  own: readonly OwnLesson[] = [],
): Course {
  const { seed, group } = options;
  const learner = new Learner({ seed, group, size: { width: options.width }, ...(parameters ? { parameters } : {}) });
  const plainItem = cacheItems(society, mixSeed(seed, 'plain'), 0, CACHED_ITEMS);
  // Only `options.items / options.recursionEvery` items allow a second round. Their cache is smaller by the same factor.
  const recursiveCapacity = Math.ceil(CACHED_ITEMS / options.recursionEvery);
  const recursiveItem = cacheItems(society, mixSeed(seed, 'recursive'), 1, recursiveCapacity);

  function itemsFor(update: number): Item[] {
    const random = seededRandom(mixSeed(seed, 'batch', update));
    const isRecursive = update % options.recursionEvery === 0;
    const itemAt = isRecursive ? recursiveItem : plainItem;
    const count = isRecursive ? Math.ceil(options.items / options.recursionEvery) : options.items;
    return Array.from({ length: options.requests }, () => itemAt(Math.floor(random() * count)));
  }

  async function pretrain(step: number): Promise<CourseStep> {
    // `warm-up` is part of the seed. Another label would change every trained policy.
    const random = seededRandom(mixSeed(seed, 'warm-up', step));
    const items = Array.from({ length: options.requests }, () => plainItem(Math.floor(random() * options.items)));
    const skeletons = items.flatMap((item) =>
      Array.from({ length: group }, () => {
        const shape = SHAPES[Math.floor(random() * SHAPES.length)] ?? [];
        const { request, input } = item;
        return random() < 0.5 ? fillByRank(shape, request, input.rows) : fillAtRandom(shape, input.rows.length, random);
      }),
    );
    const result = await learner.imitate(inputsOf(items, random), skeletons, options.learningRate);
    return { ...result, update: 0, reward: 0, right: 0, calls: 0, rollouts: null };
  }

  async function improve(update: number): Promise<CourseStep> {
    const settings = { ...LOSSES[options.loss], ...options.settings };
    const progress = update / options.updates;
    const warmUp = Math.min(1, update / ((options.warmUpShare ?? 0.1) * options.updates));
    const updateOptions = {
      settings,
      learningRate: options.learningRate * warmUp * cosineDecay(progress),
      entropy: settings.entropy * (1 - 0.9 * progress),
      epochs: options.epochs,
    };
    const items = itemsFor(update);
    const inputs = inputsOf(items, seededRandom(mixSeed(seed, 'dropout', update)));
    const sampled = await learner.sample(inputs, settings.floor);
    const first = sampled.skeletons.map((skeleton, rollout) => ({
      ...playRollout(items, rollout, group, skeleton),
      skeleton,
    }));
    const rewards = Float32Array.from(first, ({ correct, calls }) => trainingReward(correct, calls, settings.stepCost));
    await learnSecondRounds(items, first, rewards, updateOptions);
    const before = own.length > 0 && update % OWN_RUNS_EVERY === 0 ? await learner.parameters() : null;
    const result = await learner.learn(sampled, rewards, updateOptions);
    if (before) {
      const moved = distanceBetween(before, await learner.parameters());
      await imitateOwnRuns(update, updateOptions.learningRate, OWN_RUNS_SHARE * moved);
    }
    const mean = (of: (played: RoundResult) => number) => first.reduce((sum, each) => sum + of(each), 0) / first.length;
    return {
      ...result,
      update,
      reward: rewards.reduce((sum, each) => sum + each, 0) / rewards.length,
      right: mean(({ correct }) => Number(correct)),
      calls: mean(({ calls }) => calls),
      rollouts: rolloutFigures(items, group, sampled.skeletons, sampled.logProbability),
    };
  }

  async function imitateOwnRuns(update: number, learningRate: number, maxStep: number): Promise<void> {
    const random = seededRandom(mixSeed(seed, 'own', update));
    const lessons = Array.from({ length: options.requests }, () => own[Math.floor(random() * own.length)]).filter(
      (lesson) => lesson !== undefined,
    );
    const skeletons = lessons.flatMap(({ skeleton }) => Array.from({ length: group }, () => skeleton));
    const { gradient } = await learner.imitateBounded(
      lessons.map(({ input }) => input),
      skeletons,
      learningRate,
      maxStep,
    );
    if (!Number.isFinite(gradient))
      throw new RangeError(`The gradient on your own runs is not finite at update ${update}.`);
  }

  /**
   * Simulates second rounds for at most `options.requests` workflows that request a second round, and learns from them. The
   * second rounds of one workflow form a group. Changes `rewards` in place: mixes the mean reward of this group into the reward
   * of the workflow's first round.
   */
  async function learnSecondRounds(
    items: readonly Item[],
    first: readonly FirstRound[],
    rewards: Float32Array,
    updateOptions: UpdateOptions,
  ): Promise<void> {
    const requesting = [...first.entries()].filter(([, { skeleton }]) => skeleton.at(-1)?.move === null);
    const chosen = requesting.slice(0, options.requests);
    if (chosen.length === 0) return;
    // The batch size is fixed. Padding repeats the first request. The rewards of the padding are set to 0 below, so its
    // advantages are 0.
    const padded = Array.from({ length: options.requests }, (_, index) => chosen[index] ?? chosen[0]);
    const requests = padded.flatMap((entry) => {
      const item = items[Math.floor((entry?.[0] ?? 0) / group)];
      return item && entry
        ? [{ item, request: secondRoundRequest(item, entry[1].steps, entry[1]), firstRound: entry[1] }]
        : [];
    });
    const sampled = await learner.sample(
      requests.map(({ request }) => policyInput(request)),
      updateOptions.settings.floor,
    );
    const secondRewards = Float32Array.from(sampled.skeletons, (skeleton, rollout) => {
      const entry = requests[Math.floor(rollout / group)];
      if (!entry) return 0;
      const { correct, calls } = playSecondRound(entry.item, entry.firstRound, skeleton);
      return trainingReward(correct, entry.firstRound.calls + calls, updateOptions.settings.stepCost);
    });
    for (const [index, [rollout]] of chosen.entries()) {
      const groupRewards = secondRewards.subarray(index * group, (index + 1) * group);
      const mean = groupRewards.reduce((sum, each) => sum + each, 0) / group;
      // `ROUND_DISCOUNT` is γ = 0.25 in arXiv 2512.04388 (A.1). The published code uses this formula.
      rewards[rollout] = (1 - ROUND_DISCOUNT) * (rewards[rollout] ?? 0) + ROUND_DISCOUNT * mean;
    }
    secondRewards.fill(0, chosen.length * group);
    await learner.learn(sampled, secondRewards, updateOptions);
  }

  return {
    async *steps(signal) {
      for (let step = 0; step < options.pretrainingUpdates; step++) {
        if (signal.aborted) throw abortError();
        yield await pretrain(step);
      }
      for (let update = 1; update <= options.updates; update++) {
        if (signal.aborted) throw abortError();
        const step = await improve(update);
        if (!Number.isFinite(step.gradient)) throw new RangeError(`The gradient is not finite at update ${update}.`);
        yield step;
      }
    },
    parameters: () => learner.parameters(),
  };
}

function inputsOf(items: readonly Item[], random: Random): PolicyInput[] {
  return items.map(({ input }) => withoutDescriptions(input, () => random() < DESCRIPTION_DROPOUT));
}

interface FirstRound extends RoundResult {
  readonly skeleton: Skeleton;
  readonly steps: readonly Step[];
}

function playRollout(items: readonly Item[], rollout: number, group: number, skeleton: Skeleton) {
  const item = items[Math.floor(rollout / group)];
  if (!item) throw new RangeError(`Rollout ${rollout} has no item.`);
  return playSkeleton(item, skeleton);
}

/** Decays from 1 to 0.1. @param progress from 0 to 1 */
function cosineDecay(progress: number): number {
  return 0.1 + 0.45 * (1 + Math.cos(Math.PI * progress));
}
