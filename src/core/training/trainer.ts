/**
 * @file A course of training from one seed: a supervised start on the usual shapes, then GRPO on drawn items. Pure but for
 * the network; who calls it looks after time, files and reports.
 */
import { abortError, mixSeed, ROUND_DISCOUNT, seededRandom, type Random, type Step } from '../contract';
import { policyInput, withoutWords, type Parameters, type PolicyInput, type Skeleton } from '../policy';
import { drawItem, nextRound, play, playSkeleton, rewardOf, type Item, type Played, type Society } from './environment';
import { LOSSES, type GrpoSettings, type LossName } from './grpo';
import { distanceBetween, Learner, type Progress, type UpdateOptions } from './learner';
import type { OwnLesson } from './own-runs';
import { rolloutFigures, type RolloutFigures } from './rollout-figures';
import { wordSkeleton } from '../conductor/policy';
import { fillAtRandom, fillByRank, SHAPES } from './templates';

export interface CourseOptions {
  readonly seed: number;
  /** Updates by GRPO, and supervised ones before them. */
  readonly updates: number;
  readonly warmUp: number;
  /** Requests in a batch, and workflows drawn for each. */
  readonly requests: number;
  readonly group: number;
  readonly loss: LossName;
  /** At its highest, once it has risen; it falls to a tenth of it at the end. */
  readonly learningRate: number;
  /** How often the same rollouts are learned from. */
  readonly epochs: number;
  /** Different items; they come again and again, so that what workers answered is remembered. */
  readonly items: number;
  /** Every so many updates the Conductor may ask for a second round. */
  readonly recursionEvery: number;
  readonly width: number;
  /** Share of the updates over which the rate rises. Default: a tenth. */
  readonly rise?: number;
  /** In place of what the loss has. */
  readonly settings?: Partial<GrpoSettings>;
}

export const DEFAULT_COURSE: CourseOptions = {
  seed: 1,
  updates: 1_200,
  warmUp: 150,
  requests: 32,
  group: 16,
  loss: 'default',
  learningRate: 2e-3,
  epochs: 2,
  items: 5_000,
  recursionEvery: 6,
  width: 48,
};

/** What an update came to. */
export interface CourseStep extends Progress {
  /** 1-based; 0 for the supervised start. */
  readonly update: number;
  /** Means over the rollouts. */
  readonly reward: number;
  readonly right: number;
  readonly calls: number;
  /** What the workflows were like; `null` for the supervised start, which draws none. */
  readonly rollouts: RolloutFigures | null;
}

/** The course; `parameters` gives the weights as they are at the time. */
export interface Course {
  steps(signal: AbortSignal): AsyncGenerator<CourseStep>;
  parameters(): Promise<Parameters>;
}

/** Every so many updates of a course with runs of the user's own some of those are imitated. */
export const OWN_EVERY = 4;
/** How far that may move the weights: this share of how far the update before it has moved them. */
export const OWN_SHARE = 0.1;

/**
 * Prepares a course in a society. Call `steps` once.
 * @param parameters to go on from; default: drawn from the seed
 * @param own lessons to be imitated beside what is drawn; without any, nothing differs
 */
export function createCourse(
  society: Society,
  options: CourseOptions,
  parameters?: Parameters,
  own: readonly OwnLesson[] = [],
): Course {
  const { seed, group } = options;
  const learner = new Learner({ seed, group, size: { width: options.width }, ...(parameters ? { parameters } : {}) });
  const plain = rememberItems(society, mixSeed(seed, 'plain'), 0, MOST_REMEMBERED);
  // They are as many times fewer as they come more rarely, so as large a part of them is remembered.
  const mostRecursive = Math.ceil(MOST_REMEMBERED / options.recursionEvery);
  const recursive = rememberItems(society, mixSeed(seed, 'recursive'), 1, mostRecursive);

  function itemsFor(update: number): Item[] {
    const random = seededRandom(mixSeed(seed, 'batch', update));
    const mayGoOn = update % options.recursionEvery === 0;
    const from = mayGoOn ? recursive : plain;
    const among = mayGoOn ? Math.ceil(options.items / options.recursionEvery) : options.items;
    return Array.from({ length: options.requests }, () => from(Math.floor(random() * among)));
  }

  async function warmUp(step: number): Promise<CourseStep> {
    const random = seededRandom(mixSeed(seed, 'warm-up', step));
    const items = Array.from({ length: options.requests }, () => plain(Math.floor(random() * options.items)));
    const skeletons = items.flatMap((item) =>
      Array.from({ length: group }, () => {
        const shape = SHAPES[Math.floor(random() * SHAPES.length)] ?? [];
        const { request, input } = item;
        return random() < 0.5 ? fillByRank(shape, request, input.rows) : fillAtRandom(shape, input.rows.length, random);
      }),
    );
    const progress = await learner.imitate(seenBy(items, random), skeletons, options.learningRate);
    return { ...progress, update: 0, reward: 0, right: 0, calls: 0, rollouts: null };
  }

  async function improve(update: number): Promise<CourseStep> {
    const settings = { ...LOSSES[options.loss], ...options.settings };
    const done = update / options.updates;
    const learning = {
      settings,
      learningRate:
        options.learningRate * Math.min(1, update / ((options.rise ?? 0.1) * options.updates)) * cosine(done),
      entropy: settings.entropy * (1 - 0.9 * done),
      epochs: options.epochs,
    };
    const items = itemsFor(update);
    const drawn = await learner.draw(seenBy(items, seededRandom(mixSeed(seed, 'dropout', update))), settings.floor);
    const first = drawn.skeletons.map((skeleton, rollout) => ({
      ...playDrawn(items, rollout, group, skeleton),
      skeleton,
    }));
    const rewards = Float32Array.from(first, ({ correct, calls }) => rewardOf(correct, calls, settings.stepCost));
    await goOn(items, first, rewards, learning);
    const before = own.length > 0 && update % OWN_EVERY === 0 ? await learner.parameters() : null;
    const progress = await learner.learn(drawn, rewards, learning);
    if (before) {
      const moved = distanceBetween(before, await learner.parameters());
      await imitateOwn(update, learning.learningRate, OWN_SHARE * moved);
    }
    const mean = (of: (played: Played) => number) => first.reduce((sum, each) => sum + of(each), 0) / first.length;
    return {
      ...progress,
      update,
      reward: rewards.reduce((sum, each) => sum + each, 0) / rewards.length,
      right: mean(({ correct }) => Number(correct)),
      calls: mean(({ calls }) => calls),
      rollouts: rolloutFigures(items, group, drawn.skeletons, drawn.logProbability),
    };
  }

  /** Right runs of the user's own, drawn evenly: a batch of them. */
  async function imitateOwn(update: number, learningRate: number, longest: number): Promise<void> {
    const random = seededRandom(mixSeed(seed, 'own', update));
    const lessons = Array.from({ length: options.requests }, () => own[Math.floor(random() * own.length)]).filter(
      (lesson) => lesson !== undefined,
    );
    const skeletons = lessons.flatMap(({ skeleton }) => Array.from({ length: group }, () => skeleton));
    const { gradient } = await learner.imitateBeside(
      lessons.map(({ input }) => input),
      skeletons,
      learningRate,
      longest,
    );
    if (!Number.isFinite(gradient)) throw new RangeError(`Your runs at update ${update} have no finite gradient.`);
  }

  /**
   * Second rounds, for the first `requests` workflows that ask for one. Each is a group of its own; the mean of what the group
   * earned is what the first round is credited with, in part.
   */
  async function goOn(
    items: readonly Item[],
    first: readonly FirstRound[],
    rewards: Float32Array,
    learning: UpdateOptions,
  ): Promise<void> {
    const asking = [...first.entries()].filter(([, { skeleton }]) => skeleton.at(-1)?.move === null);
    const chosen = asking.slice(0, options.requests);
    if (chosen.length === 0) return;
    // The batch's size is fixed; what is missing is filled up with the first, whose advantage is then taken away.
    const contexts = Array.from({ length: options.requests }, (_, index) => chosen[index] ?? chosen[0]);
    const requests = contexts.flatMap((context) => {
      const item = items[Math.floor((context?.[0] ?? 0) / group)];
      return item && context
        ? [{ item, request: nextRound(item, context[1].steps, context[1]), before: context[1] }]
        : [];
    });
    const drawn = await learner.draw(
      requests.map(({ request }) => policyInput(request)),
      learning.settings.floor,
    );
    const second = Float32Array.from(drawn.skeletons, (skeleton, rollout) => {
      const context = requests[Math.floor(rollout / group)];
      if (!context) return 0;
      const { correct, calls } = playSecond(context.item, context.before, skeleton);
      return rewardOf(correct, context.before.calls + calls, learning.settings.stepCost);
    });
    for (const [index, [rollout]] of chosen.entries()) {
      const own = second.subarray(index * group, (index + 1) * group);
      const mean = own.reduce((sum, each) => sum + each, 0) / group;
      rewards[rollout] = (1 - ROUND_DISCOUNT) * (rewards[rollout] ?? 0) + ROUND_DISCOUNT * mean;
    }
    second.fill(0, chosen.length * group);
    await learner.learn(drawn, second, learning);
  }

  return {
    async *steps(signal) {
      for (let step = 0; step < options.warmUp; step++) {
        if (signal.aborted) throw abortError();
        yield await warmUp(step);
      }
      for (let update = 1; update <= options.updates; update++) {
        if (signal.aborted) throw abortError();
        const step = await improve(update);
        if (!Number.isFinite(step.gradient)) throw new RangeError(`Update ${update} has no finite gradient.`);
        yield step;
      }
    },
    parameters: () => learner.parameters(),
  };
}

/** Share of workers whose description is kept from the policy, so that it cannot know them by their words. */
const WORDLESS = 0.3;

function seenBy(items: readonly Item[], random: Random): PolicyInput[] {
  return items.map(({ input }) => withoutWords(input, () => random() < WORDLESS));
}

interface FirstRound extends Played {
  readonly skeleton: Skeleton;
  readonly steps: readonly Step[];
}

function playDrawn(items: readonly Item[], rollout: number, group: number, skeleton: Skeleton) {
  const item = items[Math.floor(rollout / group)];
  if (!item) throw new RangeError('There is no such item.');
  return playSkeleton(item, skeleton);
}

/** Plays a second round; an empty skeleton keeps the answer of the first and costs nothing. */
export function playSecond(item: Item, before: Played, skeleton: Skeleton): Pick<Played, 'correct' | 'calls'> {
  if (skeleton.length === 0) return { correct: before.correct, calls: 0 };
  return play(item, wordSkeleton(skeleton, item.input.rows), 1);
}

/**
 * Items that are remembered, with all that workers have answered on them: about 30 kB each, more with every visit. Fewer than
 * there are, so that an item is soon forgotten and begins anew.
 */
const MOST_REMEMBERED = 500;

/**
 * The items of a stream by their places. Those asked for longest ago are forgotten, so that memory does not grow with the
 * updates; they come from the seed again as they were.
 */
export function rememberItems(
  society: Society,
  seed: number,
  recursion: number,
  most: number,
): (index: number) => Item {
  const items = new Map<number, Item>();
  return (index) => {
    const item = items.get(index) ?? drawItem(society, { seed, index, recursion });
    items.delete(index);
    items.set(index, item);
    const [oldest] = items.keys();
    if (items.size > most && oldest !== undefined) items.delete(oldest);
    return item;
  };
}

/** From 1 down to a tenth. */
function cosine(done: number): number {
  return 0.1 + 0.45 * (1 + Math.cos(Math.PI * done));
}
