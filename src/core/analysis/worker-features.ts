/**
 * @file What graded runs say of workers with a question in view: how often each was right in each role, near this question
 * and over all. Near is a matter of degree: a run on the very same question counts as one, one on a question of the same kind
 * as a part of one, one on another kind as next to nothing. These are input features, so a new grade counts at once.
 */
import { ROLES, type GradedRun, type QuestionEmbeddings, type Role } from '../contract';
import { questionEmbedding, similarity } from './question-embedding';

/** How often the answer was right. */
export interface Rate {
  /** 0 to 1; one half where nothing counts. */
  readonly rate: number;
  /** How many runs stand behind it. Not whole where runs count in part. */
  readonly count: number;
}

/** `near`: weighted by how close each run's question is. `overall`: every run counts as one. */
export interface NearAndOverall {
  readonly near: Rate;
  readonly overall: Rate;
}

export interface WorkerFeatures extends NearAndOverall {
  readonly workerId: string;
  readonly roles: Readonly<Record<Role, NearAndOverall>>;
}

export interface FeatureOptions {
  /** Where a sentence model places the questions; one that it does not place is like no other. Absent: the hashed embedding does. */
  readonly embeddings?: QuestionEmbeddings | undefined;
}

/** A graded run, and how much it counts for a question. */
export interface WeightedRun {
  readonly run: GradedRun;
  /** 0 to 1. */
  readonly weight: number;
}

/**
 * How fast a run's weight falls with the likeness of its question, as a part of the cosine. Chosen on questions of the puzzle
 * families: with 200 graded runs it halves the error of the overall rate, and half or double this width does worse.
 */
const KERNEL_WIDTH = 0.15;

/**
 * Features of each worker, in the order given. Pure; a worker counts once in a run for each role, and once over all roles.
 * @param workers whose ids to look for
 */
export function workerFeatures(
  history: readonly GradedRun[],
  workers: readonly { readonly id: string }[],
  question: string,
  options: FeatureOptions = {},
): WorkerFeatures[] {
  const tallies = new Map(workers.map(({ id }) => [id, newTally()]));
  for (const { run, weight } of weighRuns(history, question, options)) {
    for (const [workerId, roles] of playedBy(run)) {
      const tally = tallies.get(workerId);
      if (!tally) continue;
      count(tally.any, run.right, weight);
      for (const role of roles) count(tally.roles[role], run.right, weight);
    }
  }
  return workers.map(({ id }) => featuresOf(id, tallies.get(id) ?? newTally()));
}

/** Every run with how much it counts for a question, in the order given. */
export function weighRuns(
  history: readonly GradedRun[],
  question: string,
  { embeddings }: FeatureOptions = {},
): WeightedRun[] {
  const placed = (text: string) => embeddings?.vectors.get(text) ?? UNPLACED;
  const asked = embeddings ? placed(question) : questionEmbedding(question);
  const width = embeddings?.kernelWidth ?? KERNEL_WIDTH;
  return history.map((run) => {
    const likeness = similarity(asked, embeddings ? placed(run.question) : hashedEmbeddingOf(run));
    return { run, weight: Math.exp((likeness - 1) / width) };
  });
}

const UNPLACED = new Float32Array();

const hashed = new WeakMap<GradedRun, Float32Array>();

function hashedEmbeddingOf(run: GradedRun): Float32Array {
  let embedding = hashed.get(run);
  if (!embedding) hashed.set(run, (embedding = questionEmbedding(run.question)));
  return embedding;
}

function playedBy(run: GradedRun): Map<string, Set<Role>> {
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
