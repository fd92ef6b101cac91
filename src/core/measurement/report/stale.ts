/** @file Finds out whether a measured worker has changed since. */
import { samePrice, sameSampling } from '../../contract';
import type { MeasuredWorker } from '../../contract/measurement/measurement';
import type { Measurable } from '../session/plan';

/** What has changed. `gone`: the worker was removed. `tasks`: the generated tasks are others. */
export type Change = 'gone' | 'model' | 'price' | 'thinking' | 'sampling' | 'tasks';

/**
 * @param now the worker as it is now. `undefined`: removed
 * @param sameTasks whether the measurement has the tasks of this version
 */
export function changesOf(
  { worker, reasoning = null, reasoningTokens }: MeasuredWorker,
  now: Measurable | undefined,
  sameTasks: boolean,
): readonly Change[] {
  const tasks: readonly Change[] = sameTasks ? [] : ['tasks'];
  if (!now) return [...tasks, 'gone'];
  const thinks = worker.thinks === now.worker.thinks && reasoning === (now.reasoning ?? null);
  return [
    ...tasks,
    ...(worker.model === now.worker.model && worker.origin === now.worker.origin ? [] : (['model'] as const)),
    ...(samePrice(worker.price, now.worker.price) ? [] : (['price'] as const)),
    ...(thinks && reasoningTokens === now.reasoningTokens ? [] : (['thinking'] as const)),
    ...(sameSampling(worker.sampling, now.worker.sampling) ? [] : (['sampling'] as const)),
  ];
}
