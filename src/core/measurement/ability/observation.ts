/** @file What is known after a graded task, and about the families that tasks come from. */

/** The domains in which workers are measured. */
export const MEASURED_DOMAINS = ['maths', 'code', 'logic', 'language', 'data'] as const;
export type MeasuredDomain = (typeof MEASURED_DOMAINS)[number];

/** The domain of the tasks of a dataset, with the dataset's name. */
export type DatasetDomain = `dataset:${string}`;
export type TaskDomain = MeasuredDomain | DatasetDomain;

export function isDatasetDomain(domain: string): domain is DatasetDomain {
  return domain.startsWith('dataset:');
}

/** The domains that have families: those of the generated tasks in their usual order, then those of datasets. */
export function domainsOf(families: readonly Pick<FamilyFacts, 'domain'>[]): readonly TaskDomain[] {
  const found = new Set(families.map(({ domain }) => domain));
  return [...MEASURED_DOMAINS.filter((domain) => found.has(domain)), ...[...found].filter(isDatasetDomain)];
}

/** A worker's answer to one task. Failures, refusals and answers that were cut off count as wrong. */
export interface Observation {
  /** The worker's id. */
  readonly worker: string;
  /** The id of the task's family. Observations of unknown families and levels are ignored. */
  readonly family: string;
  readonly domain: TaskDomain;
  /** The task's level, from 0 (easiest) to the family's number of levels minus 1. */
  readonly level: number;
  readonly right: boolean;
}

/** What the statistics need to know about a family of tasks. */
export interface FamilyFacts {
  readonly id: string;
  readonly domain: TaskDomain;
  /** Number of levels. 1: the tasks have no known difficulty, as those of datasets. */
  readonly levels: number;
}
