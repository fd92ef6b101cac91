/**
 * @file Invented histories: graded runs of a population, so that what a policy reads of workers it has never met is what a
 * user's saved runs would tell.
 */
import { mixSeed, randomIndex, ROLES, seededRandom, type GradedRun, type Random } from '../contract';
import { drawPool, type TrainingWorker } from './population';
import { QuestionSimulator } from './question-simulator';
import { drawQuestion, type Split } from './questions';
import { wordSkeleton } from '../conductor/policy';
import { drawSkeleton, fillAtRandom, SHAPES } from './templates';

/** The graded runs in which a worker took part, by its id, in the order in which they were played. */
export type Past = ReadonlyMap<string, readonly GradedRun[]>;

export interface PastOptions {
  readonly split: Split;
  readonly seed: number;
  readonly runs: number;
  /** How many different questions they asked. */
  readonly questions: number;
}

/** Plays runs with random pools of three and workflows mostly of the usual shapes. */
export function playPast(population: readonly TrainingWorker[], options: PastOptions): Past {
  const { split, seed } = options;
  const simulators = Array.from({ length: options.questions }, (_, index) => {
    const { text } = drawQuestion(split, mixSeed(seed, 'past'), index);
    return new QuestionSimulator(text, mixSeed(seed, 'past', index));
  });
  const past = new Map<string, GradedRun[]>(population.map(({ profile }) => [profile.id, []]));
  for (let index = 0; index < options.runs; index++) {
    const random = seededRandom(mixSeed(split, seed, 'past-run', index));
    const simulator = simulators[randomIndex(random, simulators.length)];
    if (!simulator) continue;
    const pool = drawPool(population, 3, random);
    const run = playRun(`past-${index}`, index, simulator, pool, random);
    for (const id of new Set(run.played.map(({ workerId }) => workerId))) past.get(id)?.push(run);
  }
  return past;
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
  const called = steps.flatMap(({ worker, subtask, access }) => {
    const profile = pool[worker]?.profile;
    return profile ? [{ profile, subtask, access }] : [];
  });
  const { correct } = simulator.run(called);
  const played = pool.flatMap(({ profile }, index) =>
    ROLES.filter((role) => steps.some((step) => step.worker === index && step.role === role)).map((role) => {
      return { workerId: profile.id, role };
    }),
  );
  return { runId, startedAt, question: simulator.question, right: correct, played };
}

/**
 * How many graded runs of each worker a request may know of: none for one in seven, else one to 400, as far as there are any;
 * few most often.
 */
export function drawDepth(random: Random): number {
  return random() < 0.15 ? 0 : Math.round(400 ** random());
}

/** What is known of some workers when a question is asked: the first `depth` runs of each. */
export function historyOf(past: Past, workerIds: readonly string[], depth: number): GradedRun[] {
  return [...new Set(workerIds.flatMap((id) => past.get(id)?.slice(0, depth) ?? []))];
}
