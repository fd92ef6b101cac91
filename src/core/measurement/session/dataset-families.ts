/** @file The families of a measurement. The tasks of a dataset are a family without levels, in a domain of their own. */
import type { MeasuredDataset, MeasurementPlan } from '../../contract/measurement/measurement';
import type { FamilyFacts } from '../ability/observation';

/** The id of the family of a dataset's tasks. */
export function familyOf({ id }: Pick<MeasuredDataset, 'id'>): string {
  return `dataset:${id}`;
}

/** @param generated the families of generated tasks, which always take part */
export function familiesOf(
  generated: readonly FamilyFacts[],
  { datasets = [] }: Pick<MeasurementPlan, 'datasets'>,
): readonly FamilyFacts[] {
  const chosen = datasets.map((dataset): FamilyFacts => ({
    id: familyOf(dataset),
    domain: `dataset:${dataset.name}`,
    levels: 1,
  }));
  return [...generated, ...chosen];
}
