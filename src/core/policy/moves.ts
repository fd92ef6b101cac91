/**
 * @file The kinds of steps that the policy can write (moves), and the rules of its workflows (the grammar). Every workflow that
 * follows the grammar can run.
 */
import type { Role } from '../contract';

/** The kinds of steps, in the order of the network's outputs. The subtask of each kind has a fixed wording. */
export const MOVES = ['plan', 'solve', 'solveAnotherWay', 'verify', 'refine', 'aggregate', 'decide'] as const;
export type Move = (typeof MOVES)[number];

export const ROLE_OF_MOVE: Readonly<Record<Move, Role>> = {
  plan: 'plan',
  solve: 'solve',
  solveAnotherWay: 'solve',
  verify: 'verify',
  refine: 'refine',
  aggregate: 'aggregate',
  decide: 'decide',
};

/** Whether the move's output can be the answer. The last move of a workflow must give an answer. */
export function givesAnswer(move: Move): boolean {
  return move !== 'plan' && move !== 'verify';
}

/** Whether the move works on an earlier answer. The step of such a move must see the latest answer. */
export function needsAnswer(move: Move): boolean {
  return move === 'verify' || move === 'refine' || move === 'aggregate' || move === 'decide';
}

/** Maximum number of steps that the policy writes (arXiv 2512.04388, section 4.1). */
export const STEPS = 5;

/** A step without its subtask text. */
export interface SkeletonStep {
  /** Index of the worker's row in `PolicyInput`. */
  readonly row: number;
  /** `null`: the step requests another round, with the Conductor in place of a worker. */
  readonly move: Move | null;
  /** Indexes of the earlier steps that this step sees, ascending. */
  readonly access: readonly number[];
}

/** A workflow without its subtask texts. An empty skeleton keeps the previous round's answer. */
export type Skeleton = readonly SkeletonStep[];

/** Limits for one workflow. */
export interface SkeletonLimits {
  readonly rows: number;
  /** The Conductor's own row, or -1. */
  readonly conductor: number;
  /** Whether the skeleton may be empty. */
  readonly mayKeep: boolean;
  /** At most `STEPS`. */
  readonly maxSteps: number;
  /** Whether a `refine` step is allowed without an earlier `verify` step. Default true. */
  readonly repairsUnchecked?: boolean;
}

/**
 * Whether `repairsUnchecked` permits the move. If it is `false`, a `refine` step needs an earlier `verify`
 * step.
 */
export function isAllowedAfter(
  earlier: Skeleton,
  move: Move,
  { repairsUnchecked = true }: Pick<SkeletonLimits, 'repairsUnchecked'>,
): boolean {
  return repairsUnchecked || move !== 'refine' || earlier.some((step) => step.move === 'verify');
}

/** Whether a skeleton follows the grammar. */
export function isGrammatical(skeleton: Skeleton, limits: SkeletonLimits): boolean {
  if (skeleton.length === 0) return limits.mayKeep;
  if (skeleton.length > Math.min(limits.maxSteps, STEPS)) return false;
  let latest = -1;
  for (const [index, { row, move, access }] of skeleton.entries()) {
    if (row < 0 || row >= limits.rows || access.some((seen) => seen < 0 || seen >= index)) return false;
    if ((move === null) !== (row === limits.conductor)) return false;
    if (move === null) return index > 0 && index === skeleton.length - 1 && latest === index - 1;
    if (needsAnswer(move) && (latest < 0 || !access.includes(latest))) return false;
    if (!isAllowedAfter(skeleton.slice(0, index), move, limits)) return false;
    if (givesAnswer(move)) latest = index;
  }
  return latest === skeleton.length - 1;
}
