/** @file The entry of Python in the pool of workers. The sandbox that runs the code is lazy-loaded at the first call. */
import type { PoolWorker } from '../../core/contract';

export const PYTHON_WORKER: PoolWorker = {
  id: 'python',
  name: 'Python',
  mark: 'Py',
  colour: 9,
  kind: 'python',
  model: 'Python 3.14',
  origin: null,
  price: { input: 0, output: 0 },
  description: 'Runs the code that an earlier step wrote, in this page: standard library only, no network.',
};
