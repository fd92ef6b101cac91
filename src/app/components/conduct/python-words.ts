/** @file The sentence for a pool with Python if the chosen Conductor never calls Python. */
import type { ConductorInfo, PoolWorker } from '../../../core/contract';
import { partOfPolicy } from '../../../core/conductor/with-policy-info';

/** Says that Python is in the pool but the Conductor never calls it. `''` if this is not the case. */
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
      // With `skeleton`, the policy chooses the steps, and the model only writes their subtasks.
      return partOfPolicy(id)?.part === 'skeleton';
    case 'by-hand':
      return false;
    default:
      return kind satisfies never;
  }
}
