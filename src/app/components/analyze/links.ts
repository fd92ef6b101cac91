/**
 * @file The links from the marks of plots, such as bars and points. A link selects exactly the runs that its mark counts
 * within the page's filter.
 */
import {
  ALL_RUNS,
  ANY_STEP,
  type Nearness,
  type NumberRange,
  type RunFilter,
  type StepFilter,
} from '../../../core/contract';
import { runsAddress } from '../../state/run-query-text';

/** The filter of the page. The link of a mark adds conditions to it. */
interface Context {
  readonly filter: RunFilter;
}

/**
 * The filter to which a link adds the conditions of its mark. A search by meaning selects only a limited number of runs: the
 * most similar ones that meet all other conditions. With the conditions of a mark, some of these runs no longer qualify, and
 * less similar runs, which the page does not count, would replace them. To prevent this, the lowest similarity on the page
 * becomes a condition too.
 */
export function narrowable(filter: RunFilter, nearness: Nearness | null): RunFilter {
  if (!nearness || nearness.beyond === 0) return filter;
  const least = Object.values(nearness.similarities).reduce((lowest, each) => Math.min(lowest, each), 1);
  return { ...filter, similarity: overlap(filter.similarity, { least, most: null }) };
}

/** The address of the runs that a mark counts. @param conditions conditions of the mark, added to the page's filter */
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
 * Selects runs that have a step with these properties. Users can edit the filter's lists of workers and roles more easily
 * than a condition on a step, so the lists are preferred. They are used only if `step` has no other property, its worker is
 * known, and the page's filter has no workers, providers or roles, because all lists apply to the same step.
 */
export function withStep({ filter }: Context, step: Partial<StepFilter>): Partial<RunFilter> {
  const { workers, providers, roles } = filter;
  const { worker = null, role = null, ...further } = step;
  const isListed =
    worker !== '' && Object.keys(further).length === 0 && workers.length + providers.length + roles.length === 0;
  if (!isListed) return { steps: [{ ...ANY_STEP, ...step }] };
  return { workers: worker === null ? [] : [worker], roles: role === null ? [] : [role] };
}

/** The values that both lists allow. An empty list allows every value. */
function among<Value>(page: readonly Value[], wanted: readonly Value[] = []): readonly Value[] {
  if (wanted.length === 0) return page;
  return page.length === 0 ? wanted : wanted.filter((value) => page.includes(value));
}

function overlap(page: NumberRange, wanted: NumberRange = ALL_RUNS.rounds): NumberRange {
  const both = (one: number | null, other: number | null, pick: (...values: number[]) => number) =>
    one === null || other === null ? (one ?? other) : pick(one, other);
  return { least: both(page.least, wanted.least, Math.max), most: both(page.most, wanted.most, Math.min) };
}
