/**
 * @file A worker's own sampling settings. They override the sampling settings of the run.
 */
import type { Sampling } from '../model/message';

/** The sampling settings that a worker may have. */
export const WORKER_SAMPLING_FIELDS = ['temperature', 'maxTokens', 'topP', 'topK', 'presencePenalty'] as const;

/** A worker's own values. For absent fields, the run's values apply. */
export type WorkerSampling = Partial<Pick<Sampling, (typeof WORKER_SAMPLING_FIELDS)[number]>>;

/** The range of each setting, in forms and in files. `whole`: only whole numbers are accepted. */
export const SAMPLING_BOUNDS = {
  temperature: { least: 0, most: 2, whole: false },
  maxTokens: { least: 1, most: 10_000_000, whole: true },
  topP: { least: 0, most: 1, whole: false },
  topK: { least: 1, most: 1000, whole: true },
  presencePenalty: { least: -2, most: 2, whole: false },
} as const satisfies Record<(typeof WORKER_SAMPLING_FIELDS)[number], object>;

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
