/**
 * @file Links from the marks of plots, such as bars and points, to the *Runs* page. Each link selects exactly the runs that its
 * mark counts.
 */
import {
  ALL_RUNS,
  ANY_STEP,
  type Nearness,
  type NumberRange,
  type RunFilter,
  type StepFilter,
} from '../../core/contract';
import { runsAddress } from '../state/run-query-text';

/** The page's filter, to which a mark's link adds conditions. */
interface Context {
  readonly filter: RunFilter;
}

/**
 * Prepares the page's filter for links from marks. A search by meaning finds only a limited number of runs,
 * the most similar ones. If this limit leaves out runs, the returned filter gets a minimum similarity: that
 * of the least similar run found. A link adds conditions, so fewer runs compete for the limit. Without the
 * minimum, the link could find runs that the page leaves out.
 */
export function narrowable(filter: RunFilter, nearness: Nearness | null): RunFilter {
  if (!nearness || nearness.beyond === 0) return filter;
  const least = Object.values(nearness.similarities).reduce((lowest, each) => Math.min(lowest, each), 1);
  return { ...filter, similarity: overlap(filter.similarity, { least, most: null }) };
}

/** The address of the runs that a mark counts. @param conditions the mark's conditions, added to the page's filter */
export function runsBehind({ filter }: Context, conditions: Partial<RunFilter>): string {
  return runsAddress({
    ...filter,
    ...conditions,
    grades: among(filter.grades, conditions.grades),
    validities: among(filter.validities, conditions.validities),
    startedAt: overlap(filter.startedAt, conditions.startedAt),
    rounds: overlap(filter.rounds, conditions.rounds),
    steps: [...filter.steps, ...(conditions.steps ?? [])],
    spentOn: [...new Set([...filter.spentOn, ...(conditions.spentOn ?? [])])],
  });
}

/** The address of the graded runs that a mark counts. */
export function gradedBehind(context: Context, conditions: Partial<RunFilter>): string {
  return runsBehind(context, { ...conditions, grades: ['right', 'wrong'] });
}

/**
 * Conditions that select the runs with a matching step. If possible, the result uses the filter's `workers`
 * and `roles`, because users can edit these lists more easily than a condition on a step. The lists can't
 * express an unknown worker or other properties of a step. They are also not used if the page's filter
 * already has workers, providers or roles. All these lists apply to the same step. But in a run that the
 * mark counts, the page's lists may match one step, and the mark's condition another.
 */
export function withStep({ filter }: Context, step: Partial<StepFilter>): Partial<RunFilter> {
  const { workers, providers, roles } = filter;
  const { worker = null, role = null, ...further } = step;
  const isListed =
    worker !== '' && Object.keys(further).length === 0 && workers.length + providers.length + roles.length === 0;
  if (!isListed) return { steps: [{ ...ANY_STEP, ...step }] };
  return { workers: worker === null ? [] : [worker], roles: role === null ? [] : [role] };
}

/**
 * The values that both lists allow. An empty list allows every value. Two non-empty lists always have a common value, because a
 * mark counts at least one run that matches the page's filter.
 */
function among<Value>(page: readonly Value[], wanted: readonly Value[] = []): readonly Value[] {
  if (wanted.length === 0) return page;
  return page.length === 0 ? wanted : wanted.filter((value) => page.includes(value));
}

function overlap(page: NumberRange, wanted: NumberRange = ALL_RUNS.rounds): NumberRange {
  const both = (one: number | null, other: number | null, pick: (...values: number[]) => number) =>
    one === null || other === null ? (one ?? other) : pick(one, other);
  return { least: both(page.least, wanted.least, Math.max), most: both(page.most, wanted.most, Math.min) };
}
