/** @file Compares the inputs of two plans. When they differ, the page *Conduct* shows a new plan in place of the run that ended. */
import { planRequestOf } from '../../core/contract';
import { startOf, type NewRun } from '../../core/runs';
import type { PlanDraft } from './plan-draft';

/** The inputs of a plan, as texts to compare. */
export interface PlanBasis {
  /** The question, the Conductor, the edited plan, the settings, and which workers are in the pool. */
  readonly request: string;
  /** The setup of the workers in the pool. */
  readonly workers: string;
}

export interface BasisParts {
  /** Id of the chosen Conductor. `null`: automatic. */
  readonly conductor: string | null;
  /** The edited plan. `null`: the Conductor's own plan. */
  readonly draft: PlanDraft | null;
  /** The seed in the settings. `null`: each run draws one. */
  readonly seed: number | null;
}

/**
 * The basis of a plan for this request. It leaves out the inputs that change with every run: the history, and a random seed.
 */
export function planBasis(request: NewRun | null, { conductor, draft, seed }: BasisParts): PlanBasis {
  if (!request) return { request: '', workers: '' };
  const { pool, question, ...rest } = planRequestOf(startOf(request));
  const ids = pool.map(({ id }) => id);
  const settings = { ...rest, seed, pool: ids, question: question.trim().replace(/\s+/g, ' ') };
  return {
    request: JSON.stringify([conductor, draft, settings]),
    workers: JSON.stringify(pool),
  };
}

/**
 * Whether two plans have the same basis.
 * @param isFinished whether the run with the basis `one` has its answer. If not, the user may still fix the workers and resume
 * the run, so the comparison ignores the setup of the workers
 */
export function isSameBasis(one: PlanBasis, other: PlanBasis, isFinished: boolean): boolean {
  return one.request === other.request && (!isFinished || one.workers === other.workers);
}
