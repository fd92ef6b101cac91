/** @file Words for the user's changes to a Conductor's plan before it ran, step by step. */
import type { PoolWorker, Step, Workflow } from '../../../core/contract';
import { listed } from '../figures';

/** One sentence for each step that was changed, added or removed. Steps are compared by position. */
export function planEdits(proposed: Workflow, workflow: Workflow, pool: readonly PoolWorker[]): string[] {
  const length = Math.max(proposed.steps.length, workflow.steps.length);
  return Array.from({ length }, (_, index) => {
    const words = editWords(proposed.steps[index], workflow.steps[index], pool);
    return words === '' ? [] : [`Step ${index + 1}: ${words}.`];
  }).flat();
}

function editWords(before: Step | undefined, after: Step | undefined, pool: readonly PoolWorker[]): string {
  const nameOf = (step: Step) => pool[step.worker]?.name ?? 'an unknown worker';
  if (!after) return before ? `removed (${nameOf(before)}, “${before.subtask}”)` : '';
  if (!before) return `added for ${nameOf(after)}`;
  const changes: string[] = [];
  if (before.worker !== after.worker) changes.push(`${nameOf(after)} instead of ${nameOf(before)}`);
  if (before.subtask !== after.subtask) changes.push(`new subtask instead of “${before.subtask}”`);
  if (String(before.access) !== String(after.access)) {
    changes.push(`sees ${stepsSeen(after)} instead of ${stepsSeen(before)}`);
  }
  return changes.join('; ');
}

function stepsSeen({ access }: Step): string {
  if (access.length === 0) return 'the question only';
  return `${access.length === 1 ? 'step' : 'steps'} ${listed(access.map((seen) => seen + 1))}`;
}
