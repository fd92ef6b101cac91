/**
 * @file Computes the success rates of workers from graded runs, in each role and in all roles together. Each rate is computed
 * twice. In the overall rate, every run has weight 1. In the other rate, runs are weighted by the similarity of their question to
 * the current question: a run on the same question has weight 1, a run on a similar question less, and a run on a different kind
 * of question almost 0. The rates are inputs of the policy, so a new grade has an immediate effect.
 */
import { ROLES, type GradedRun, type QuestionEmbeddings, type Role } from '../contract';
import { questionEmbedding, similarity } from './question-embedding';

/** A success rate. */
interface Rate {
  /** Share of right runs, from 0 to 1. 0.5 without runs. */
  readonly rate: number;
  /** Number of runs. Fractional when runs are weighted. */
  readonly count: number;
}

/** `near`: each run is weighted by the similarity of its question. `overall`: each run has weight 1. */
interface NearAndOverall {
  readonly near: Rate;
  readonly overall: Rate;
}

export interface WorkerFeatures extends NearAndOverall {
  readonly workerId: string;
  readonly roles: Readonly<Record<Role, NearAndOverall>>;
}

interface FeatureOptions {
  /**
   * Embeddings from a sentence model. A question without an embedding is similar to no other. Default: the hashed
   * embedding.
   */
  readonly embeddings?: QuestionEmbeddings | undefined;
}

/** A graded run with its weight for a question. */
interface WeightedRun {
  readonly run: GradedRun;
  /** From 0 to 1. */
  readonly weight: number;
}

/**
 * Cosine distance at which a run's weight falls to 1/e. The value was chosen by tests with families of generated puzzles. With
 * 200 graded runs, the weighted rate has half the error of the overall rate. Half and double this width give larger errors.
 */
const KERNEL_WIDTH = 0.15;

/**
 * The success rates of each worker, in the given order. A worker counts once per run for each role and once per run
 * overall.
 */
export function workerFeatures(
  history: readonly GradedRun[],
  workers: readonly { readonly id: string }[],
  question: string,
  options: FeatureOptions = {},
): WorkerFeatures[] {
  const tallies = new Map(workers.map(({ id }) => [id, newTally()]));
  for (const { run, weight } of weighRuns(history, question, options)) {
    for (const [workerId, roles] of rolesByWorker(run)) {
      const tally = tallies.get(workerId);
      if (!tally) continue;
      count(tally.any, run.right, weight);
      for (const role of roles) count(tally.roles[role], run.right, weight);
    }
  }
  return workers.map(({ id }) => featuresOf(id, tallies.get(id) ?? newTally()));
}

/** Every run with its weight for the question, in the given order. */
export function weighRuns(
  history: readonly GradedRun[],
  question: string,
  { embeddings }: FeatureOptions = {},
): WeightedRun[] {
  const embeddingOf = (text: string) => embeddings?.vectors.get(text) ?? NO_EMBEDDING;
  const questionVector = embeddings ? embeddingOf(question) : questionEmbedding(question);
  const width = embeddings?.kernelWidth ?? KERNEL_WIDTH;
  return history.map((run) => {
    const cosine = similarity(questionVector, embeddings ? embeddingOf(run.question) : hashedEmbeddingOf(run));
    return { run, weight: Math.exp((cosine - 1) / width) };
  });
}

const NO_EMBEDDING = new Float32Array();

const hashedEmbeddings = new WeakMap<GradedRun, Float32Array>();

function hashedEmbeddingOf(run: GradedRun): Float32Array {
  let embedding = hashedEmbeddings.get(run);
  if (!embedding) hashedEmbeddings.set(run, (embedding = questionEmbedding(run.question)));
  return embedding;
}

function rolesByWorker(run: GradedRun): Map<string, Set<Role>> {
  const played = new Map<string, Set<Role>>();
  for (const { workerId, role } of run.played) {
    const roles = played.get(workerId);
    if (roles) roles.add(role);
    else played.set(workerId, new Set([role]));
  }
  return played;
}

interface Count {
  right: number;
  runs: number;
  nearRight: number;
  near: number;
}

interface Tally {
  readonly any: Count;
  readonly roles: Readonly<Record<Role, Count>>;
}

const newCount = (): Count => ({ right: 0, runs: 0, nearRight: 0, near: 0 });

function newTally(): Tally {
  return { any: newCount(), roles: forEachRole(newCount) };
}

function forEachRole<T>(make: (role: Role) => T): Record<Role, T> {
  const [plan, solve, verify, refine, aggregate, decide] = ROLES;
  return {
    plan: make(plan),
    solve: make(solve),
    verify: make(verify),
    refine: make(refine),
    aggregate: make(aggregate),
    decide: make(decide),
  };
}

function count(to: Count, isRight: boolean, weight: number): void {
  to.runs += 1;
  to.near += weight;
  if (!isRight) return;
  to.right += 1;
  to.nearRight += weight;
}

function featuresOf(workerId: string, { any, roles }: Tally): WorkerFeatures {
  return { workerId, ...ratesOf(any), roles: forEachRole((role) => ratesOf(roles[role])) };
}

function ratesOf({ right, runs, nearRight, near }: Count): NearAndOverall {
  return { near: rateOf(nearRight, near), overall: rateOf(right, runs) };
}

function rateOf(right: number, count: number): Rate {
  return { rate: count > 0 ? right / count : 0.5, count };
}
