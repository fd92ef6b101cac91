/**
 * @file The environment: items (a question, a pool, what is known of it) and what a workflow earns on them. Nothing here
 * depends on the policy that is trained; it stays as it is between runs that are compared.
 */
import { conductorEntry } from '../runs/new-run';
import {
  CONDUCTOR_MAX_STEPS,
  mixSeed,
  randomIndex,
  seededRandom,
  type ConductorInfo,
  type PlanRequest,
  type Step,
} from '../contract';
import { policyInput, type PolicyInput, type Skeleton } from '../policy';
import { drawDepth, historyOf, playPast, type Past } from './history';
import { drawPool, drawPopulation, type TrainingWorker } from './population';
import { QuestionSimulator } from './question-simulator';
import { drawQuestion, type Split } from './questions';
import { wordSkeleton } from '../conductor/policy';

/** Taken from the reward for each step, unless the loss settings say otherwise. */
export const STEP_COST = 0.01;
/** Most workers in a drawn pool. With the Conductor itself a pool has one more. */
export const MOST_WORKERS = 7;
const FEWEST_WORKERS = 2;

/** Workers and their past, from which pools are drawn. */
export interface Society {
  readonly split: Split;
  readonly population: readonly TrainingWorker[];
  readonly past: Past;
}

export interface SocietyOptions {
  readonly split: Split;
  readonly seed: number;
  readonly workers: number;
  /** Graded runs in their past, and how many different questions these asked. */
  readonly runs: number;
  readonly questions: number;
}

/** Draws a population and plays its past. The splits share no worker and no question. */
export function drawSociety({ split, seed, workers, runs, questions }: SocietyOptions): Society {
  const population = drawPopulation(mixSeed(split, seed), workers);
  return { split, population, past: playPast(population, { split, seed, runs, questions }) };
}

/** A question put to a pool. */
export interface Item {
  readonly simulator: QuestionSimulator;
  /** Without the Conductor. */
  readonly workers: readonly TrainingWorker[];
  readonly request: PlanRequest;
  readonly input: PolicyInput;
}

export interface ItemOptions {
  readonly seed: number;
  readonly index: number;
  /** Share of items whose Conductor may ask for a second round. */
  readonly recursion: number;
  /** Graded runs known of each worker. Default: drawn. */
  readonly depth?: number;
}

const SELF: ConductorInfo = { id: 'policy', label: 'Trained policy', kind: 'policy', origin: null };

/** The item at a place of a society's stream. */
export function drawItem(society: Society, { seed, index, recursion, depth }: ItemOptions): Item {
  const random = seededRandom(mixSeed(society.split, 'item', seed, index));
  const { text } = drawQuestion(society.split, mixSeed(seed, 'items'), index);
  const size = FEWEST_WORKERS + randomIndex(random, MOST_WORKERS - FEWEST_WORKERS + 1);
  const workers = drawPool(society.population, size, random);
  const recursive = random() < recursion;
  const ids = workers.map(({ profile }) => profile.id);
  const known = depth ?? drawDepth(random);
  const runSeed = mixSeed(seed, 'run', index);
  const seen = workers.map((worker) => worker.seen);
  const request: PlanRequest = {
    question: text,
    pool: recursive ? [...seen, conductorEntry(SELF)] : seen,
    maxSteps: CONDUCTOR_MAX_STEPS,
    access: 'fine',
    recursion: recursive,
    round: 0,
    earlier: [],
    seed: runSeed,
    history: historyOf(society.past, ids, known),
  };
  return { simulator: new QuestionSimulator(text, runSeed), workers, request, input: policyInput(request) };
}

/** What came of a workflow. */
export interface Played {
  readonly correct: boolean;
  /** Workers that were called. */
  readonly calls: number;
  readonly outputs: readonly string[];
}

/** Plays one round. The Conductor's own step is not called: the answer is that of the step before it. */
export function play(item: Item, steps: readonly Step[], round = 0): Played {
  const called = steps.filter(({ worker }) => worker < item.workers.length);
  const played = called.flatMap(({ worker, subtask, access }) => {
    const profile = item.workers[worker]?.profile;
    return profile ? [{ profile, subtask, access }] : [];
  });
  return { ...item.simulator.run(played, round), calls: played.length };
}

/** The request for the round after one that was played. */
export function nextRound({ request }: Item, steps: readonly Step[], { outputs }: Played): PlanRequest {
  const earlier = {
    workflow: { steps },
    outputs: steps.map((_, at) => outputs[at] ?? null),
    answer: outputs.at(-1) ?? '',
  };
  return { ...request, round: 1, recursion: false, earlier: [earlier] };
}

/**
 * 0.5 for any valid workflow, 1 for a right answer (arXiv 2512.04388, section 3.2), less a little for each step.
 * @param stepCost 0 for the paper's own reward
 */
export function rewardOf(correct: boolean, calls: number, stepCost: number = STEP_COST): number {
  return (correct ? 1 : 0.5) - stepCost * calls;
}

/** Plays a skeleton's first round on an item. */
export function playSkeleton(item: Item, skeleton: Skeleton): Played & { readonly steps: readonly Step[] } {
  const steps = wordSkeleton(skeleton, item.input.rows);
  return { ...play(item, steps), steps };
}
