/**
 * @file What a step of the policy can be, and the grammar over whole workflows: whatever is drawn under it may run.
 */
import type { Role } from '../contract';

/** The kinds of step, in the order of the network's outputs. Each has one wording. */
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

/** Moves whose output can be the answer. A workflow ends with one of them. */
export function givesAnswer(move: Move): boolean {
  return move !== 'plan' && move !== 'verify';
}

/** Moves that are about an earlier answer. They come after one, and always see the latest. */
export function needsAnswer(move: Move): boolean {
  return move === 'verify' || move === 'refine' || move === 'aggregate' || move === 'decide';
}

/** Most steps that the policy writes (arXiv 2512.04388, section 3.1). */
export const STEPS = 5;

/** A step without its words. */
export interface SkeletonStep {
  /** Index of a row, as `PolicyInput` numbers the workers. */
  readonly row: number;
  /** `null` for the Conductor itself, whose step is another round. */
  readonly move: Move | null;
  /** 0-based, ascending. */
  readonly access: readonly number[];
}

/** A workflow without its words. Empty: the answer of the round before is kept. */
export type Skeleton = readonly SkeletonStep[];

/** What the grammar allows, besides its own rules. */
export interface SkeletonLimits {
  readonly rows: number;
  /** Row of the Conductor itself, or -1. */
  readonly conductor: number;
  /** Whether the skeleton may be empty. */
  readonly mayKeep: boolean;
  /** At most `STEPS`. */
  readonly maxSteps: number;
}

/** Whether a skeleton keeps to the grammar. */
export function isGrammatical(skeleton: Skeleton, limits: SkeletonLimits): boolean {
  if (skeleton.length === 0) return limits.mayKeep;
  if (skeleton.length > Math.min(limits.maxSteps, STEPS)) return false;
  let latest = -1;
  for (const [index, { row, move, access }] of skeleton.entries()) {
    if (row < 0 || row >= limits.rows || access.some((seen) => seen < 0 || seen >= index)) return false;
    if ((move === null) !== (row === limits.conductor)) return false;
    if (move === null) return index > 0 && index === skeleton.length - 1 && latest === index - 1;
    if (needsAnswer(move) && (latest < 0 || !access.includes(latest))) return false;
    if (givesAnswer(move)) latest = index;
  }
  return latest === skeleton.length - 1;
}
