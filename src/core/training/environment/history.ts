/**
 * @file Simulated histories: graded runs of a population of simulated workers. In training, these runs tell
 * the policy about unknown workers, in place of a user's saved runs.
 */
import { wordSkeleton } from '../../conductor/policy';
import { mixSeed, randomIndex, ROLES, seededRandom, type GradedRun, type Random } from '../../contract';
import { drawPool, type TrainingWorker } from './population';
import { QuestionSimulator } from './question-simulator';
import { drawSkeleton, fillAtRandom, SHAPES } from './workflow-shapes';
import { TASK_FAMILIES } from '../../tasks';

/** For each worker id, the graded runs in which the worker took part, in the order of the runs. */
export type WorkerHistories = ReadonlyMap<string, readonly GradedRun[]>;

interface HistoryOptions {
  readonly split: Split;
  readonly seed: number;
  readonly runs: number;
  /** Number of different questions, from which each run draws one. */
  readonly questions: number;
}

/** Simulates runs with random pools of three workers. Most of their workflows have one of the common shapes. */
export function simulateHistories(population: readonly TrainingWorker[], options: HistoryOptions): WorkerHistories {
  const { split, seed } = options;
  const simulators = Array.from({ length: options.questions }, (_, index) => {
    const { text, difficulty } = drawQuestion(split, mixSeed(seed, 'past'), index);
    return new QuestionSimulator(text, mixSeed(seed, 'past', index), difficulty);
  });
  const histories = new Map<string, GradedRun[]>(population.map(({ profile }) => [profile.id, []]));
  for (let index = 0; index < options.runs; index++) {
    const random = seededRandom(mixSeed(split, seed, 'past-run', index));
    const simulator = simulators[randomIndex(random, simulators.length)];
    if (!simulator) continue;
    const pool = drawPool(population, 3, random);
    const run = playRun(`past-${index}`, index, simulator, pool, random);
    for (const id of new Set(run.played.map(({ workerId }) => workerId))) histories.get(id)?.push(run);
  }
  return histories;
}

function playRun(
  runId: string,
  startedAt: number,
  simulator: QuestionSimulator,
  pool: readonly TrainingWorker[],
  random: Random,
): GradedRun {
  const shape = SHAPES[randomIndex(random, SHAPES.length)] ?? [];
  const skeleton = random() < 0.8 ? fillAtRandom(shape, pool.length, random) : drawSkeleton(pool.length, random);
  const steps = wordSkeleton(skeleton, [...pool.keys()]);
  const simulated = steps.flatMap((step) => {
    const worker = pool[step.worker];
    return worker ? [{ ...step, ...worker }] : [];
  });
  // Skipped steps count for no worker, as in the history of real runs.
  const { correct, settled } = simulator.run(simulated, 0, 'skipped');
  const called = steps.filter((_, index) => !settled[index]);
  const played = pool.flatMap(({ profile }, index) =>
    ROLES.filter((role) => called.some((step) => step.worker === index && step.role === role)).map((role) => {
      return { workerId: profile.id, role };
    }),
  );
  return { runId, startedAt, question: simulator.question, right: correct, played };
}

/**
 * Draws how many graded runs of each worker are known to the policy when it writes a plan. The result is 0
 * for 15 % of plans, otherwise 1 to 400. Small numbers are the most likely. Users start without any history,
 * so the policy must also work without it.
 */
export function drawHistoryDepth(random: Random): number {
  return random() < 0.15 ? 0 : Math.round(400 ** random());
}

/** The first `depth` runs of each worker. A run in which several of the workers took part is included once. */
export function historyOf(histories: WorkerHistories, workerIds: readonly string[], depth: number): GradedRun[] {
  return [...new Set(workerIds.flatMap((id) => histories.get(id)?.slice(0, depth) ?? []))];
}

// Questions drawn from all puzzle families. Training, validation and held-out questions come from separate random
// streams.

/** The data split that a question belongs to. */
export type Split = 'train' | 'validation' | 'held-out';

interface DrawnQuestion {
  readonly text: string;
  /** Identifies the puzzle. Two wordings of one puzzle have the same key. */
  readonly key: string;
  /** From 0 to 1. */
  readonly difficulty: number;
}

/** Draws a question of a random family, difficulty and wording. The same arguments always draw the same question. */
export function drawQuestion(split: Split, seed: number, index: number): DrawnQuestion {
  const random = seededRandom(mixSeed(split, 'question', seed, index));
  const family = TASK_FAMILIES[randomIndex(random, TASK_FAMILIES.length)];
  if (!family) throw new RangeError('There are no puzzle families.');
  const difficulty = random();
  const puzzle = family.generate(random, difficulty);
  return { text: puzzle.writeQuestion(random), key: puzzle.key, difficulty };
}
