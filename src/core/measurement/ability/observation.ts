/** @file What is known after a graded task, and about the families that tasks come from. */

/** The domains in which workers are measured. */
export const MEASURED_DOMAINS = ['maths', 'code', 'logic', 'language', 'data'] as const;
export type MeasuredDomain = (typeof MEASURED_DOMAINS)[number];

/** A worker's answer to one task. Failures, refusals and answers that were cut off count as wrong. */
export interface Observation {
  /** The worker's id. */
  readonly worker: string;
  /** The id of the task's family. Observations of unknown families and levels are ignored. */
  readonly family: string;
  readonly domain: MeasuredDomain;
  /** The task's level, from 0 (easiest) to the family's number of levels minus 1. */
  readonly level: number;
  readonly right: boolean;
}

/** What the statistics need to know about a family of tasks. */
export interface FamilyFacts {
  readonly id: string;
  readonly domain: MeasuredDomain;
  /** Number of levels. */
  readonly levels: number;
}
