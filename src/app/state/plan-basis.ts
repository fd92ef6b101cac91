/**
 * @file Compares the inputs of two plans. If the inputs change after a run has ended, the Conduct page shows a new plan instead
 * of the run.
 */
import { planRequestOf } from '../../core/contract';
import { startOf, type NewRun } from '../../core/runs/new-run';
import type { PlanDraft } from './plan-draft';

/** The inputs of a plan, serialized as JSON for comparison. */
export interface PlanBasis {
  /** The question, the Conductor, the edited plan, the settings, and the ids of the workers in the pool. */
  readonly request: string;
  /** The workers in the pool, with all their settings. */
  readonly workers: string;
}

export interface BasisParts {
  /** Id of the chosen Conductor. `null`: automatic. */
  readonly conductor: string | null;
  /** The edited plan. `null`: the Conductor's own plan. */
  readonly draft: PlanDraft | null;
  /** The seed in the settings. `null`: each run draws a random seed. */
  readonly seed: number | null;
}

/** The basis of a plan for this request. Leaves out inputs that change with every run: the history and a random seed. */
export function planBasis(request: NewRun | null, { conductor, draft, seed }: BasisParts): PlanBasis {
  if (!request) return { request: '', workers: '' };
  const { pool, question, ...rest } = planRequestOf(startOf(request));
  const ids = pool.map(({ id }) => id);
  // A hash stands for the text of a file, which can be long.
  const files = rest.files?.map(({ hash, name }) => [hash, name]);
  const settings = { ...rest, files, seed, pool: ids, question: question.trim().replace(/\s+/g, ' ') };
  return {
    request: JSON.stringify([conductor, draft, settings]),
    workers: JSON.stringify(pool),
  };
}

/**
 * Whether two plans have the same basis.
 * @param isFinished whether the run with the basis `one` finished with an answer. If not, differences in `workers` are ignored,
 * because the user may fix a worker and then resume the run
 */
export function isSameBasis(one: PlanBasis, other: PlanBasis, isFinished: boolean): boolean {
  return one.request === other.request && (!isFinished || one.workers === other.workers);
}
