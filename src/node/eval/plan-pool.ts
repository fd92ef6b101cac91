/**
 * @file Checks that the command line can use every worker and Conductor of a batch. The check comes before
 * any call to a worker.
 */
import { FaultError, originOf, type Batch, type PoolWorker } from '../../core/contract';
import type { Engine } from '../engine';
import { UsageError } from '../exit-codes';

/**
 * Throws a `UsageError` for the first worker or Conductor that is missing, differs from the plan, or works only in the browser.
 */
export function checkPlanPool({ plan }: Batch, { pool, conductorFor }: Engine): void {
  for (const { label, settings } of plan.methods) {
    for (const worker of settings.pool) check(worker, `The method “${label}”`, pool);
    try {
      conductorFor(settings.conductor);
    } catch (thrown) {
      if (!(thrown instanceof FaultError)) throw thrown;
      throw new UsageError(`The method “${label}” can’t run here. ${thrown.fault.message}`);
    }
  }
  if (plan.judge) check(plan.judge, 'The judge', pool);
}

function check({ id, name, kind, model, origin }: PoolWorker, user: string, { setups }: Engine['pool']): void {
  switch (kind) {
    case 'simulated':
    case 'conductor':
      return;
    case 'endpoint': {
      const setup = setups.get(id);
      if (!setup) {
        throw new UsageError(
          `${user} needs the worker ${name} (${id}). With --pool, name a pool file that contains this worker.`,
        );
      }
      if (setup.model === model && originOf(setup.baseUrl) === origin) return;
      throw new UsageError(
        `The worker ${name} (${id}) of the plan is ${model} at ${origin}, but the pool has ${setup.model} at ${originOf(setup.baseUrl)}.`,
      );
    }
    case 'local':
    case 'python':
    case 'recorded':
      throw new UsageError(
        `${user} needs the worker ${name}, which works only in the browser. Run this batch in the page.`,
      );
    default:
      return kind satisfies never;
  }
}
