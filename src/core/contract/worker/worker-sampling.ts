/**
 * @file A worker's own sampling settings. They override the sampling settings of the run.
 */
import type { Sampling } from '../model/message';

/** The range of a number. Absent: unlimited. */
export interface Bounds {
  readonly least?: number;
  readonly most?: number;
  /** Whether only whole numbers are valid. */
  readonly whole?: boolean;
}

/** A number in a worker's setup. */
export interface WorkerNumber extends Bounds {
  readonly least: number;
  readonly most: number;
  /** Whether only whole numbers are valid. */
  readonly whole: boolean;
  /** The range in stored setups, if it is wider. */
  readonly stored?: Bounds;
}

/** The sampling settings that a worker may have, with their ranges in forms and in files. */
export const SAMPLING_BOUNDS = {
  temperature: { least: 0, most: 2, whole: false },
  maxTokens: { least: 1, most: 10_000_000, whole: true },
  topP: { least: 0, most: 1, whole: false },
  topK: { least: 1, most: 1000, whole: true },
  presencePenalty: { least: -2, most: 2, whole: false },
} as const satisfies Partial<Record<keyof Sampling, WorkerNumber>>;

export const WORKER_SAMPLING_FIELDS = Object.keys(SAMPLING_BOUNDS) as readonly (keyof typeof SAMPLING_BOUNDS)[];

/** A worker's own values. For absent fields, the run's values apply. */
export type WorkerSampling = Partial<Pick<Sampling, keyof typeof SAMPLING_BOUNDS>>;

/** The sampling settings for calling a worker. The worker's own settings override the run's. */
export function samplingOf<Fields extends Partial<Sampling>>(
  { sampling }: { readonly sampling?: WorkerSampling },
  run: Fields,
): Fields {
  return sampling ? { ...run, ...sampling } : run;
}

/** Whether two workers override the run's sampling settings in the same way. */
export function sameSampling(one: WorkerSampling | undefined, other: WorkerSampling | undefined): boolean {
  return WORKER_SAMPLING_FIELDS.every((field) => one?.[field] === other?.[field]);
}
