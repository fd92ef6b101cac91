/** @file The executor, loaded when a run begins, or once the page stands there: the plan that stands before Run needs none of it. */
import { loadOnce } from '../core/contract';
import type { Execute } from '../core/runs';
import { afterFirstPaint } from './first-paint';

const load = loadOnce(() => import('../core/executor/execute'), 'the workflow engine');

/** Throws a retryable `FaultError` before the first event where the executor cannot be loaded. */
export const lateExecute: Execute = async function* (request, dependencies, signal) {
  const { execute } = await load();
  yield* execute(request, dependencies, signal);
};

/** Loads the executor as soon as that is in nobody's way, so that Run finds it there. Where it cannot be had, Run says so. */
export async function prepareExecute(): Promise<void> {
  await afterFirstPaint();
  await load().catch(() => undefined);
}
