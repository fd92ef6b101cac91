/**
 * @file What the policy sees of a request, as numbers: the question hashed, and of every worker what it says of itself, what
 * it costs and how it did in graded runs, near this question and overall.
 */
import { questionEmbedding, workerFeatures, type WorkerFeatures } from '../analysis';
import { ROLES, type PlanRequest, type PoolWorker, type Role } from '../contract';
import { STEPS, type SkeletonLimits } from './moves';

const QUESTION_SIZE = 64;
const DESCRIPTION_SIZE = 32;
/** Length of what is seen of the question and of the round before. */
export const QUESTION_FEATURES = QUESTION_SIZE + 6;
/** Length of what is seen of one worker. */
export const WORKER_FEATURES = DESCRIPTION_SIZE + 7 * ROLES.length + 9;

/** A request as numbers. */
export interface PolicyInput {
  /** `QUESTION_FEATURES` numbers. */
  readonly question: Float32Array;
  /** Row after row, `WORKER_FEATURES` numbers each. */
  readonly workers: Float32Array;
  /** For each row its worker's index in the pool. */
  readonly rows: readonly number[];
  readonly limits: SkeletonLimits;
}

/** A declared strength weighs as much as this many graded runs, as in the heuristic Conductor. */
const PRIOR_CALLS = 4;
/** What is known overall weighs as much as this many runs on the very question. */
const PRIOR_NEAR = 2;
const UNKNOWN_STRENGTH = 0.5;

/** Reads a request. Python takes no instructions in words, so it has no row. The order of the pool decides nothing but the rows' order. */
export function policyInput(request: PlanRequest): PolicyInput {
  const { pool, recursion } = request;
  const rows = [...pool.keys()].filter((index) => {
    const kind = pool[index]?.kind;
    return kind !== 'python' && (kind !== 'conductor' || (recursion && index === pool.length - 1));
  });
  const conductor = rows.findIndex((index) => pool[index]?.kind === 'conductor');
  const workers = new Float32Array(rows.length * WORKER_FEATURES);
  const known = workerFeatures(request.history ?? [], pool, request.question, { embeddings: request.embeddings });
  const features = rows.map((index) => rowFeatures(pool[index], known[index], request));
  for (const [row, values] of features.entries()) workers.set(values, row * WORKER_FEATURES);
  compare(workers, rows.length, conductor);
  const mayKeep = request.earlier.some(({ answer }) => answer.trim() !== '');
  const maxSteps = Math.min(request.maxSteps, STEPS);
  return {
    question: questionFeatures(request, rows.length),
    workers,
    rows,
    limits: { rows: rows.length, conductor, mayKeep, maxSteps },
  };
}

/** The same without the descriptions of some workers. */
export function withoutWords(input: PolicyInput, isWordless: (row: number) => boolean): PolicyInput {
  const workers = input.workers.slice();
  for (let row = 0; row < input.limits.rows; row++) {
    if (isWordless(row)) workers.fill(0, row * WORKER_FEATURES, row * WORKER_FEATURES + DESCRIPTION_SIZE);
  }
  return { ...input, workers };
}

function questionFeatures({ question, earlier, recursion }: PlanRequest, rows: number): Float32Array {
  const features = new Float32Array(QUESTION_FEATURES);
  features.set(folded(question, QUESTION_SIZE));
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

/** Where the columns begin that are compared within the pool, and where the comparison goes. */
const POSTERIOR = DESCRIPTION_SIZE;
const COMPARED = DESCRIPTION_SIZE + 2 * ROLES.length;

function rowFeatures(
  worker: PoolWorker | undefined,
  known: WorkerFeatures | undefined,
  request: PlanRequest,
): readonly number[] {
  if (!worker || !known) return [];
  const declared = Object.values(worker.strengths ?? {});
  const mean = declared.length > 0 ? declared.reduce((sum, each) => sum + each, 0) / declared.length : UNKNOWN_STRENGTH;
  const byRole = ROLES.map((role) => roleFeatures(worker.strengths?.[role] ?? mean, role, known));
  const column = (name: keyof RoleFeatures) => byRole.map((each) => each[name]);
  const isConductor = worker.kind === 'conductor';
  const last = request.earlier.at(-1)?.workflow.steps ?? [];
  return [
    ...folded(isConductor ? '' : (worker.description ?? ''), DESCRIPTION_SIZE),
    ...column('overall'),
    ...column('near'),
    // Left free for the comparison with the rest of the pool.
    ...column('overall').map(() => 0),
    ...column('near').map(() => 0),
    ...column('declared'),
    ...column('runs'),
    ...column('runsNear'),
    declared.length > 0 ? 1 : 0,
    posterior(known.overall, 0.5, PRIOR_NEAR),
    Math.log1p(known.overall.count) / 5,
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

/** Where a worker has no graded run in a role, its runs in any role count instead. */
function roleFeatures(declared: number, role: Role, known: WorkerFeatures): RoleFeatures {
  const inRole = known.roles[role];
  const counted = inRole.overall.count > 0 ? inRole : known;
  const overall = posterior(counted.overall, declared, PRIOR_CALLS);
  return {
    overall,
    near: posterior(counted.near, (overall + 1) / 2, PRIOR_NEAR),
    declared: 2 * declared - 1,
    runs: Math.log1p(inRole.overall.count) / 4,
    runsNear: Math.log1p(inRole.near.count) / 3,
  };
}

/** The mean of a Beta distribution with a prior mean and weight, brought from 0…1 to -1…1. */
function posterior({ rate, count }: { rate: number; count: number }, prior: number, weight: number): number {
  return (2 * (rate * count + weight * prior)) / (count + weight) - 1;
}

/** The hashed embedding in fewer places: hashing once more, in effect. Length 1, or 0 for a text that says nothing. */
function folded(text: string, size: number): Float32Array {
  const vector = new Float32Array(size);
  for (const [index, value] of questionEmbedding(text).entries())
    vector[index % size] = (vector[index % size] ?? 0) + value;
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}

/** How much better or worse each worker is than the others of the pool: the same numbers less the pool's mean. */
function compare(workers: Float32Array, rows: number, conductor: number): void {
  const compared = [...Array(rows).keys()].filter((row) => row !== conductor);
  for (let column = 0; column < 2 * ROLES.length; column++) {
    const at = (row: number) => row * WORKER_FEATURES + POSTERIOR + column;
    const mean = compared.reduce((sum, row) => sum + (workers[at(row)] ?? 0), 0) / Math.max(1, compared.length);
    for (const row of compared)
      workers[row * WORKER_FEATURES + COMPARED + column] = 4 * ((workers[at(row)] ?? 0) - mean);
  }
}
