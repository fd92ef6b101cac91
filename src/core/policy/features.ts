/**
 * @file Converts a plan request to the policy's input: numbers about the question, the previous round and each worker.
 *
 * A worker's numbers cover its description, price, context window, steps in the previous round, and record. The record has
 * declared strengths, published abilities, and success rates in graded runs, both on similar questions and overall.
 */
import { questionEmbedding } from '../analysis/question-embedding';
import { workerRecords, type WorkerRecord } from '../analysis/worker-record';
import { EFFORT_LEVELS, ROLES, stepLimit, type PlanRequest, type PoolWorker, type Role } from '../contract';
import { STEPS, type SkeletonLimits } from './moves';

const QUESTION_SIZE = 64;
const DESCRIPTION_SIZE = 32;
/**
 * Number of features that describe the question, the previous round, whether recursion is on, and how many
 * workers there are.
 */
export const QUESTION_FEATURES = QUESTION_SIZE + 6;
/** Number of features of one worker. */
export const WORKER_FEATURES = DESCRIPTION_SIZE + 7 * ROLES.length + 9;

/** A plan request as numbers. */
export interface PolicyInput {
  /** `QUESTION_FEATURES` numbers. */
  readonly question: Float32Array;
  /** One row of `WORKER_FEATURES` numbers for each worker that may get a step. */
  readonly workers: Float32Array;
  /** For each row of `workers`, the index of the worker in the pool. */
  readonly rows: readonly number[];
  readonly limits: SkeletonLimits;
}

/** In the success rate over all roles, the prior of 0.5 weighs as much as this many graded runs. */
const OVERALL_WEIGHT = 2;

/**
 * Converts a request. Python workers have no row, because they take no instructions in words. The Conductor has a row if
 * recursion is on, because it may then name itself as a worker. The order of the pool affects only the order of the rows.
 */
export function policyInput(request: PlanRequest): PolicyInput {
  const { pool, recursion } = request;
  const rows = [...pool.keys()].filter((index) => {
    const kind = pool[index]?.kind;
    return kind !== 'python' && (kind !== 'conductor' || (recursion && index === pool.length - 1));
  });
  const conductor = rows.findIndex((index) => pool[index]?.kind === 'conductor');
  const workers = new Float32Array(rows.length * WORKER_FEATURES);
  const known = workerRecords(pool, request.history ?? [], request.question, { embeddings: request.embeddings });
  const features = rows.map((index) => rowFeatures(pool[index], known[index], request));
  for (const [row, values] of features.entries()) workers.set(values, row * WORKER_FEATURES);
  addPoolComparison(workers, rows.length, conductor);
  const mayKeep = request.earlier.some(({ answer }) => answer.trim() !== '');
  // If the policy is the fallback of another Conductor, `request.maxSteps` is that Conductor's limit and may be too high here.
  const maxSteps = Math.min(request.maxSteps, stepLimit('policy', request.effort, pool), STEPS);
  const { repairsUnchecked } = EFFORT_LEVELS[request.effort];
  return {
    question: questionFeatures(request, rows.length),
    workers,
    rows,
    limits: { rows: rows.length, conductor, mayKeep, maxSteps, repairsUnchecked },
  };
}

/** A copy of the input. For the rows where `isHidden` is true, the description features are zero. */
export function withoutDescriptions(input: PolicyInput, isHidden: (row: number) => boolean): PolicyInput {
  const workers = input.workers.slice();
  for (let row = 0; row < input.limits.rows; row++) {
    if (isHidden(row)) workers.fill(0, row * WORKER_FEATURES, row * WORKER_FEATURES + DESCRIPTION_SIZE);
  }
  return { ...input, workers };
}

function questionFeatures({ question, earlier, recursion }: PlanRequest, rows: number): Float32Array {
  const features = new Float32Array(QUESTION_FEATURES);
  features.set(foldedEmbedding(question, QUESTION_SIZE));
  const last = earlier.at(-1);
  const checks = last
    ? last.workflow.steps.flatMap(({ role }, at) => (role === 'verify' ? [last.outputs[at] ?? ''] : []))
    : [];
  const share = (word: RegExp) => checks.filter((text) => word.test(text)).length / Math.max(1, checks.length);
  features.set(
    [
      last ? 1 : 0,
      share(/\b(?:wrong|incorrect|not (?:right|correct)|fails)\b/i),
      share(/\b(?:right|correct|holds)\b/i),
      last && /\bnot (?:quite |entirely )?(?:sure|certain)\b/i.test(last.answer) ? 1 : 0,
      recursion ? 1 : 0,
      Math.log1p(rows) / 2,
    ],
    QUESTION_SIZE,
  );
  return features;
}

/** First column of the success rates in a worker's row. */
const POSTERIOR_COLUMN = DESCRIPTION_SIZE;
/** First column of the comparison with the pool in a worker's row. */
export const COMPARISON_COLUMN = DESCRIPTION_SIZE + 2 * ROLES.length;

function rowFeatures(
  worker: PoolWorker | undefined,
  known: WorkerRecord | undefined,
  request: PlanRequest,
): readonly number[] {
  if (!worker || !known) return [];
  const byRole = ROLES.map((role) => roleFeatures(role, known));
  const column = (name: keyof RoleFeatures) => byRole.map((each) => each[name]);
  const isConductor = worker.kind === 'conductor';
  const last = request.earlier.at(-1)?.workflow.steps ?? [];
  return [
    ...foldedEmbedding(isConductor ? '' : (worker.description ?? ''), DESCRIPTION_SIZE),
    ...column('overall'),
    ...column('near'),
    // Filled in by `addPoolComparison`.
    ...column('overall').map(() => 0),
    ...column('near').map(() => 0),
    ...column('declared'),
    ...column('runs'),
    ...column('runsNear'),
    known.hasPrior ? 1 : 0,
    posterior(known.measured.overall, 0.5, OVERALL_WEIGHT),
    Math.log1p(known.measured.overall.count) / 5,
    Math.log1p(Math.max(0, worker.price?.output ?? 0)) / 4,
    worker.price ? 1 : 0,
    worker.contextWindow ? Math.log2(Math.max(1, worker.contextWindow) / 32_768) / 4 : 0,
    isConductor ? 1 : 0,
    last.some((step) => request.pool[step.worker] === worker) ? 1 : 0,
    request.pool[last.at(-1)?.worker ?? -1] === worker ? 1 : 0,
  ];
}

interface RoleFeatures {
  readonly overall: number;
  readonly near: number;
  readonly declared: number;
  readonly runs: number;
  readonly runsNear: number;
}

/**
 * The expected success rates in a role, scaled from 0…1 to -1…1, and the scaled logarithms of the numbers of graded runs.
 * `declared` is the prior, which comes from declared strengths or published abilities.
 */
function roleFeatures(role: Role, known: WorkerRecord): RoleFeatures {
  const { prior, overall, near } = known.expect(role);
  const inRole = known.measured.roles[role];
  return {
    overall: 2 * overall - 1,
    near: 2 * near - 1,
    declared: 2 * prior - 1,
    runs: Math.log1p(inRole.overall.count) / 4,
    runsNear: Math.log1p(inRole.near.count) / 3,
  };
}

/** The mean of a Beta distribution with the given prior, scaled from 0…1 to -1…1. */
function posterior({ rate, count }: { rate: number; count: number }, prior: number, weight: number): number {
  return (2 * (rate * count + weight * prior)) / (count + weight) - 1;
}

/** The hashed embedding reduced to fewer dimensions. Its Euclidean norm is 1, or 0 for a text without features. */
function foldedEmbedding(text: string, size: number): Float32Array {
  const vector = new Float32Array(size);
  for (const [index, value] of questionEmbedding(text).entries())
    vector[index % size] = (vector[index % size] ?? 0) + value;
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}

/**
 * Compares each success rate of a worker with the mean of the pool, and writes the difference times four. The
 * Conductor's own row is neither compared nor part of the mean.
 */
function addPoolComparison(workers: Float32Array, rows: number, conductor: number): void {
  const compared = [...Array(rows).keys()].filter((row) => row !== conductor);
  for (let column = 0; column < 2 * ROLES.length; column++) {
    const at = (row: number) => row * WORKER_FEATURES + POSTERIOR_COLUMN + column;
    const mean = compared.reduce((sum, row) => sum + (workers[at(row)] ?? 0), 0) / Math.max(1, compared.length);
    for (const row of compared)
      workers[row * WORKER_FEATURES + COMPARISON_COLUMN + column] = 4 * ((workers[at(row)] ?? 0) - mean);
  }
}
