/** @file Describes how the user changed a Conductor's plan before it ran. */
import { seenByStep } from '../../core/analysis/seen-by-step';
import type { PoolWorker, Step, Workflow } from '../../core/contract';
import { listed } from '../ui/figures';

/**
 * Returns one sentence for each step that was changed, added or removed. Steps are compared by position.
 * @param first the number of the round's first step, because step numbers continue across rounds
 */
export function planEdits(
  proposed: Workflow,
  workflow: Workflow,
  pool: readonly PoolWorker[],
  first: number,
): string[] {
  const length = Math.max(proposed.steps.length, workflow.steps.length);
  return Array.from({ length }, (_, index) => {
    const words = editWords(proposed.steps[index], workflow.steps[index], pool, first);
    return words === '' ? [] : [`Step ${first + index}: ${words}.`];
  }).flat();
}

function editWords(
  before: Step | undefined,
  after: Step | undefined,
  pool: readonly PoolWorker[],
  first: number,
): string {
  const nameOf = (step: Step) => pool[step.worker]?.name ?? 'an unknown worker';
  if (!after) return before ? `removed (${nameOf(before)}, “${before.subtask}”)` : '';
  if (!before) return `added for ${nameOf(after)}`;
  const changes: string[] = [];
  if (before.worker !== after.worker) changes.push(`${nameOf(after)} instead of ${nameOf(before)}`);
  if (before.subtask !== after.subtask) changes.push(`new subtask instead of “${before.subtask}”`);
  const [seenBefore, seen] = [seenWords(before, first), seenWords(after, first)];
  if (seenBefore !== seen) changes.push(`sees ${seen} instead of ${seenBefore}`);
  return changes.join('; ');
}

/** Formats what a step sees: "the question only", "step 1" or "steps 1, 2 and earlier rounds". */
function seenWords(step: Step, first: number): string {
  const seen = listed(seenByStep(step, first));
  if (step.access.length === 0) return seen || 'the question only';
  return `${step.access.length === 1 ? 'step' : 'steps'} ${seen}`;
}
