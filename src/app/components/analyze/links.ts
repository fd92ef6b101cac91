/** @file The addresses behind the marks of plots. Each leads to exactly the runs that its mark counts within the page's filter. */
import {
  ALL_RUNS,
  ANY_STEP,
  type Nearness,
  type NumberRange,
  type RunFilter,
  type StepFilter,
} from '../../../core/contract';
import { runsAddress } from '../../state/run-query-text';

/** The filter of the page, which a mark narrows. */
interface Context {
  readonly filter: RunFilter;
}

/**
 * The filter to which the conditions of a mark are added. A search by meaning shows only a limited number of the most similar runs
 * that meet all other conditions. A mark adds conditions, so fewer runs meet them. Less similar runs, which the page does not
 * count, would take the free places. To prevent this, the lowest similarity on the page becomes a condition too.
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
 * The condition that a run has a step with these properties. If possible, it uses the filter's lists of workers and roles,
 * because users can edit lists more easily than a condition on a step. All lists apply to the same step. So the lists are used
 * only if the page's filter leaves them empty, and if they can express all properties of the step.
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
