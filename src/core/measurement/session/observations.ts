/** @file What a measurement has observed: which tasks each worker solved. */
import type { MeasurementState } from '../../contract/measurement/measurement-state';
import type { FamilyFacts, Observation } from '../ability/observation';

/** The tasks that count, in the order in which they were asked. Planted answers and lost calls don't count. */
export function observationsOf(
  { plan, items }: Pick<MeasurementState, 'plan' | 'items'>,
  families: readonly FamilyFacts[],
): readonly Observation[] {
  const domains = new Map(families.map(({ id, domain }) => [id, domain]));
  return items.flatMap(({ item, answer }) => {
    const domain = domains.get(item.family);
    const worker = plan.workers[item.worker]?.worker.id;
    if (!answer || answer.end === 'lost' || item.planted !== undefined || !domain || worker === undefined) return [];
    return [{ worker, family: item.family, domain, level: item.level, right: answer.right }];
  });
}
