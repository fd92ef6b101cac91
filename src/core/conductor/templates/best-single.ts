/**
 * @file A plan with one call to the worker with the highest expected success. If nothing is known about the workers, the first
 * worker of the pool is called. The user may choose another worker. The paper also evaluates each worker alone (arXiv 2512.04388,
 * Tables 1, 7 and 8).
 */
import { oneStep, soloTemplate } from './template';

export const bestSingle = soloTemplate('best-single', (_request, worker, reason) => ({
  workflow: { steps: [oneStep(worker)] },
  thought: `${reason} and answers alone.`,
}));
