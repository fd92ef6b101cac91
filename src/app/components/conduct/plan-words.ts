/** @file Sentences about the plan that Conduct shows: before a run, or while the plan waits for the user. */
import { heldPlan, type Preferences, type Run } from '../../../core/contract';
import type { ConductStatus } from '../../state/conduct.svelte';
import type { ShownPlan } from '../../state/shown-plan.svelte';
import { choiceSentence, heldSentence, writesSentence } from './conduct-words';

/** Shown beside the heading: what *Run* will do, and that nothing has been called. `''` if there is nothing to say. */
export function planSentence(status: ConductStatus, hasPlan: boolean, isPrivate: boolean): string {
  const stays = isPrivate ? ' Nothing will leave this machine.' : '';
  if (status === 'editing') return `Edited by you. Nothing has been called yet.${stays}`;
  return (hasPlan || status === 'planning' ? 'What Run will do. Nothing has been called yet.' : '') + stays;
}

/** Shown above the empty score: why there is no plan. `''` if there is nothing to explain. */
export function noPlanSentence(
  status: ConductStatus,
  { choice, isInstant }: Pick<ShownPlan, 'choice' | 'isInstant'>,
  { hasWorkers, hasQuestion, preferences }: { hasWorkers: boolean; hasQuestion: boolean; preferences: Preferences },
): string {
  if (!hasWorkers) return 'Choose at least one worker.';
  if (status === 'editing') return 'The plan has no steps yet.';
  if (choice?.missing !== undefined && hasQuestion) return choice.missing;
  if (choice && choice.missing === undefined && !isInstant) return writesSentence(choice.info, preferences);
  if (!hasQuestion) return 'Type a question to see its plan.';
  return status === 'planning' ? 'Planning…' : '';
}

/** Says that the run waits until the user approves or chooses a plan. `null` if the run does not wait. */
export function waitingSentence(run: Run): string | null {
  const held = heldPlan(run);
  if (!held) return null;
  return held.heldFor === 'choice' ? choiceSentence(held.plan.candidates.length) : heldSentence(held.round);
}
