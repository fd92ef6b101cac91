/** @file Says which workers get fewer calls at the same time than the batch has runs at the same time. */
import type { BatchPlan } from '../../core/contract';
import { targetOf } from '../../platform/workers/openai-client';
import { placesOf } from '../../platform/workers/limits/call';
import type { Engine } from '../engine';

/** One sentence for each worker of the plan whose limit is lower than the number of parallel runs. */
export function fewerCallsSentences(
  { methods, judge, concurrency }: Pick<BatchPlan, 'methods' | 'judge' | 'concurrency'>,
  { pool: { setups } }: Engine,
): readonly string[] {
  const workers = [...methods.flatMap(({ settings }) => settings.pool), ...(judge ? [judge] : [])];
  return [...new Map(workers.map((worker) => [worker.id, worker.name]))].flatMap(([id, name]) => {
    const setup = setups.get(id);
    if (!setup) return [];
    const target = targetOf(setup, null);
    const entered = target.limits.concurrent;
    const places = entered ?? placesOf(target, Number.POSITIVE_INFINITY);
    if (places >= concurrency) return [];
    const reason =
      entered === null
        ? 'It is a server of your own, and no number of parallel calls is entered for it. Enter one under Workers and export the pool again.'
        : 'You entered this limit for the worker.';
    return [`${name} gets at most ${places} calls at a time, although ${concurrency} runs are in progress. ${reason}`];
  });
}
