/**
 * @file Computes the success rates of workers from graded runs, in each role and in all roles together. The rates are inputs of
 * the policy, so a new grade affects the next plan without new training.
 */
import { ROLES, type GradedRun, type QuestionEmbeddings, type Role } from '../contract';
import { questionEmbedding, similarity } from './question-embedding';

/** A success rate. */
interface Rate {
  /** Weighted share of runs with a correct answer, from 0 to 1. It is 0.5 if there are no runs. */
  readonly rate: number;
  /** Sum of the weights of the runs. */
  readonly count: number;
}

/** A success rate with weighted runs, and the same rate with unweighted runs. */
interface NearAndOverall {
  /**
   * A run's weight depends on the similarity of its question to the current question. The weight is 1 for the same question
   * and almost 0 for a different kind of question.
   */
  readonly near: Rate;
  /** Every run has weight 1. */
  readonly overall: Rate;
}

export interface WorkerFeatures extends NearAndOverall {
  readonly workerId: string;
  readonly roles: Readonly<Record<Role, NearAndOverall>>;
}

interface FeatureOptions {
  /**
   * Embeddings from a sentence model. A question without an embedding has a similarity of 0 to every question. Default: the
   * hashed embeddings of `questionEmbedding`.
   */
  readonly embeddings?: QuestionEmbeddings | undefined;
}

/** A graded run with its weight for the current question. */
interface WeightedRun {
  readonly run: GradedRun;
  /** From 0 to 1. */
  readonly weight: number;
}

/**
 * Cosine distance at which a run's weight falls to 1/e. The value was chosen by measurements on families of
 * generated puzzles. With 200 graded runs, the error of `near` is half the error of `overall`. The errors are
 * larger with a width of 0.075 or 0.3. The models in `models/sentence/` give unrelated questions a cosine near 0, as the hashed
 * embedding does, so the same width fits them.
 */
const KERNEL_WIDTH = 0.15;

/**
 * The success rates of each worker, in the given order. A run counts once for each role that the worker had in it, and once for
 * all roles together.
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

/** Computes the weight of every run for a question. Keeps the given order. */
export function weighRuns(
  history: readonly GradedRun[],
  question: string,
  { embeddings }: FeatureOptions = {},
): WeightedRun[] {
  const embeddingOf = (text: string) => embeddings?.vectors.get(text) ?? NO_EMBEDDING;
  const questionVector = embeddings ? embeddingOf(question) : questionEmbedding(question);
  return history.map((run) => {
    const cosine = similarity(questionVector, embeddings ? embeddingOf(run.question) : hashedEmbeddingOf(run));
    return { run, weight: Math.exp((cosine - 1) / KERNEL_WIDTH) };
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
