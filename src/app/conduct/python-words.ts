/** @file Says which Conductors never call Python. */
import type { ConductorInfo, PoolWorker } from '../../core/contract';
import { partOfPolicy } from '../../core/conductor/with-policy-info';

/**
 * Says that the Conductor never calls Python. `''` if it may, if `info` is `null`, or if the pool has no
 * Python.
 */
export function pythonSentence(info: ConductorInfo | null, pool: readonly Pick<PoolWorker, 'kind'>[]): string {
  if (!info || !pool.some(({ kind }) => kind === 'python') || !leavesPythonOut(info)) return '';
  return `${info.label} never calls Python. Choose a language model as Conductor, or add a Python step with Edit plan.`;
}

function leavesPythonOut({ kind, id }: ConductorInfo): boolean {
  switch (kind) {
    case 'heuristic':
    case 'policy':
    case 'template':
      return true;
    case 'endpoint':
    case 'webllm':
    case 'browser':
    case 'transformers':
      // With `skeleton`, the policy plans the steps, and the model only writes the subtasks.
      return partOfPolicy(id)?.part === 'skeleton';
    case 'by-hand':
      return false;
    default:
      return kind satisfies never;
  }
}
