/**
 * @file The training environment: items, and the reward of a workflow on an item. An item is a question, a
 * pool and the known graded runs of the pool's workers. Nothing here depends on the policy that is trained.
 * Change this environment only between training runs, because results of different versions are not
 * comparable.
 */
import { wordSkeleton } from '../../conductor/policy';
import {
  CONDUCTOR_MAX_STEPS,
  mixSeed,
  randomIndex,
  seededRandom,
  SETTING_DEFAULTS,
  type ConductorInfo,
  type PlanRequest,
  type Step,
} from '../../contract';
import { policyInput, type PolicyInput } from '../../policy/features';
import type { Skeleton } from '../../policy/moves';
import { conductorEntry } from '../../runs/new-run';
import {
  drawHistoryDepth,
  drawQuestion,
  historyOf,
  simulateHistories,
  type Split,
  type WorkerHistories,
} from './history';
import { drawPool, drawPopulation, type TrainingWorker } from './population';
import { HELD_OUT_RANGES, TRAINING_RANGES } from './habits';
import { QuestionSimulator, type Settling } from './question-simulator';

/** Subtracted from the reward for each call of a worker, unless the loss settings override it. */
export const STEP_COST = 0.02;
/** Maximum and minimum number of workers in a drawn pool, not counting the Conductor. */
const MAX_WORKERS = 7;
const MIN_WORKERS = 2;

/** A population of workers and their graded runs. The pools of items are drawn from this population. */
export interface Society {
  readonly split: Split;
  readonly population: readonly TrainingWorker[];
  readonly histories: WorkerHistories;
}

interface SocietyOptions {
  readonly split: Split;
  readonly seed: number;
  readonly workers: number;
  /** Number of graded runs to simulate. */
  readonly runs: number;
  /** Number of different questions in those runs. */
  readonly questions: number;
}

/**
 * Draws a population and simulates its graded runs. Different splits draw their workers and questions from separate random
 * streams.
 */
export function drawSociety({ split, seed, workers, runs, questions }: SocietyOptions): Society {
  const ranges = split === 'held-out' ? HELD_OUT_RANGES : TRAINING_RANGES;
  const population = drawPopulation(mixSeed(split, seed), workers, ranges);
  return { split, population, histories: simulateHistories(population, { split, seed, runs, questions }) };
}

/** One training or evaluation example: a question and the pool that has to answer it. */
export interface Item {
  readonly simulator: QuestionSimulator;
  /** The pool without the Conductor. */
  readonly workers: readonly TrainingWorker[];
  readonly request: PlanRequest;
  readonly input: PolicyInput;
}

interface ItemOptions {
  readonly seed: number;
  readonly index: number;
  /** Share of items whose Conductor may request a second round. */
  readonly recursion: number;
  /** Number of known graded runs of each worker. Default: random. */
  readonly depth?: number;
}

const SELF: ConductorInfo = { id: 'policy', label: 'Trained policy', kind: 'policy', origin: null };

/** Draws the item with a given index. The same options always give the same item. */
export function drawItem(society: Society, { seed, index, recursion, depth }: ItemOptions): Item {
  const random = seededRandom(mixSeed(society.split, 'item', seed, index));
  const { text, difficulty } = drawQuestion(society.split, mixSeed(seed, 'items'), index);
  const size = MIN_WORKERS + randomIndex(random, MAX_WORKERS - MIN_WORKERS + 1);
  const workers = drawPool(society.population, size, random);
  const recursive = random() < recursion;
  const ids = workers.map(({ profile }) => profile.id);
  const historyDepth = depth ?? drawHistoryDepth(random);
  const runSeed = mixSeed(seed, 'run', index);
  const pool = workers.map(({ poolWorker }) => poolWorker);
  const request: PlanRequest = {
    ...SETTING_DEFAULTS,
    question: text,
    pool: recursive ? [...pool, conductorEntry(SELF)] : pool,
    maxSteps: CONDUCTOR_MAX_STEPS,
    recursion: recursive,
    round: 0,
    earlier: [],
    seed: runSeed,
    history: historyOf(society.histories, ids, historyDepth),
  };
  return { simulator: new QuestionSimulator(text, runSeed, difficulty), workers, request, input: policyInput(request) };
}

/**
 * Draws the first `count` items of a seed. None of these items allows a second round. So the policy and the
 * built-in rules, which are compared on these items, have the same maximum number of steps.
 * @param depth number of known graded runs of each worker. Default: random for each item
 */
export function drawItems(society: Society, seed: number, count: number, depth?: number): Item[] {
  const known = depth === undefined ? {} : { depth };
  return Array.from({ length: count }, (_, index) => drawItem(society, { seed, index, recursion: 0, ...known }));
}

/** The result of one round. */
export interface RoundResult {
  readonly correct: boolean;
  /** Number of calls. Settled steps are not called. */
  readonly calls: number;
  readonly outputs: readonly string[];
  /** Whether the round was cut short: its last step was not called, because a check had found the answer right. */
  readonly cutShort: boolean;
}

/**
 * Simulates one round. A step of the Conductor itself makes no call. The answer is the output of the last step of a worker.
 * @param settling default: settled steps are skipped, as in the runs of the page
 */
export function playRound(item: Item, steps: readonly Step[], round = 0, settling: Settling = 'skipped'): RoundResult {
  const simulated = steps.flatMap((step) => {
    const worker = item.workers[step.worker];
    return worker ? [{ ...step, ...worker }] : [];
  });
  const { correct, outputs, settled } = item.simulator.run(simulated, round, settling);
  const calls = settled.filter((each) => each === null).length;
  return { correct, outputs, calls, cutShort: (settled.at(-1) ?? null) !== null };
}

/** Simulates the first round of a skeleton, which is a workflow without subtasks. */
export function playSkeleton(item: Item, skeleton: Skeleton): RoundResult & { readonly steps: readonly Step[] } {
  const steps = wordSkeleton(skeleton, item.input.rows);
  return { ...playRound(item, steps), steps };
}

/** The plan request for the second round. */
export function secondRoundRequest(
  { request }: Item,
  steps: readonly Step[],
  { outputs }: Pick<RoundResult, 'outputs'>,
): PlanRequest {
  const earlier = {
    workflow: { steps },
    outputs: steps.map((_, at) => outputs[at] ?? null),
    answer: outputs.at(-1) ?? '',
  };
  return { ...request, round: 1, recursion: false, earlier: [earlier] };
}

/** Simulates the second round. An empty skeleton keeps the first round's answer and makes no calls. */
export function playSecondRound(item: Item, first: RoundResult, skeleton: Skeleton): Omit<RoundResult, 'outputs'> {
  if (skeleton.length === 0) return { correct: first.correct, calls: 0, cutShort: first.cutShort };
  return playRound(item, wordSkeleton(skeleton, item.input.rows), 1);
}

/**
 * The reward of a valid workflow: 0.5 for a wrong answer and 1 for a right one (arXiv 2512.04388, section 3.1). A small
 * cost is subtracted for each call of a worker.
 * @param stepCost cost of each call. With 0, the result is the paper's reward
 */
export function trainingReward(correct: boolean, calls: number, stepCost: number = STEP_COST): number {
  return (correct ? 1 : 0.5) - stepCost * calls;
}

/**
 * A cache of training items, so that the answers of simulated workers are reused when an item recurs.
 *
 * Creates a function that returns the item with a given index, from the cache or newly drawn. The least
 * recently used items are evicted. If an evicted item is drawn again, it is identical.
 * @param recursion share of items whose Conductor may request a second round
 * @param capacity number of items kept
 */
export function cacheItems(
  society: Society,
  seed: number,
  recursion: number,
  capacity: number,
): (index: number) => Item {
  const items = new Map<number, Item>();
  return (index) => {
    const item = items.get(index) ?? drawItem(society, { seed, index, recursion });
    items.delete(index);
    items.set(index, item);
    const [oldest] = items.keys();
    if (items.size > capacity && oldest !== undefined) items.delete(oldest);
    return item;
  };
}
