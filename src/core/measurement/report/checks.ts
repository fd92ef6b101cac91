/** @file Counts what workers said of planted answers. */
import { checkerCounts, ENOUGH_CHECKED, NO_CHECKS } from '../../analysis/statistics/check-trust';
import type { CheckCounts, CheckObservation, PoolWorker } from '../../contract';
import type { AskedItem, MeasurementState } from '../../contract/measurement/measurement-state';
import type { FamilyFacts } from '../ability/observation';
import { domainFor } from './stand-for';

/** Calls without a readable verdict count as unsure. @param items of one worker */
export function checksIn(items: readonly AskedItem[]): CheckCounts {
  const observations = items.flatMap((asked) => {
    const seen = verdictOn(asked);
    return seen ? [{ checker: '', ...seen }] : [];
  });
  return checkerCounts(observations)[0] ?? NO_CHECKS;
}

/**
 * What the workers of a pool said of planted answers. Leaves out workers that had another model when they were measured.
 * @param families the families of tasks. Verdicts on tasks of other families are left out
 */
export function checksOfPool(
  { plan, items }: Pick<MeasurementState, 'plan' | 'items'>,
  families: readonly FamilyFacts[],
  pool: readonly PoolWorker[],
): readonly CheckObservation[] {
  const domains = new Map(families.map(({ id, domain }) => [id, domainFor(domain)]));
  return items.flatMap((asked): CheckObservation[] => {
    const { worker: then } = plan.workers[asked.item.worker] ?? {};
    const now = pool.find(({ id }) => id === then?.id);
    const domain = domains.get(asked.item.family);
    const seen = verdictOn(asked);
    if (!seen || domain === undefined || now?.model !== then?.model || now?.origin !== then?.origin) return [];
    return now ? [{ checker: now.id, domain, ...seen }] : [];
  });
}

function verdictOn({ item: { planted }, answer }: AskedItem): Pick<CheckObservation, 'verdict' | 'isRight'> | null {
  if (planted === undefined || !answer || answer.end === 'lost') return null;
  return { verdict: answer.verdict ?? 'unsure', isRight: planted };
}

export function sumOfVerdicts({ right, wrong, unsure }: CheckCounts['right']): number {
  return right + wrong + unsure;
}

/**
 * How well a worker's “right” tells right from wrong answers: the mean of its shares of correct verdicts on both. `null`: too few
 * planted answers.
 */
export function trustIn({ right, wrong }: CheckCounts): number | null {
  const [ofRight, ofWrong] = [sumOfVerdicts(right), sumOfVerdicts(wrong)];
  if (ofRight < ENOUGH_CHECKED || ofWrong < ENOUGH_CHECKED) return null;
  return (right.right / ofRight + 1 - wrong.right / ofWrong) / 2;
}
