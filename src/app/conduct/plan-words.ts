/** @file Sentences about the plan on the *Conduct* page, before a run or while the plan waits for the user. */
import { heldPlan, type Preferences, type Run } from '../../core/contract';
import type { ConductStatus } from '../state/conduct.svelte';
import type { ShownPlan } from '../state/shown-plan.svelte';
import { choiceSentence, heldSentence, writesSentence } from './conduct-words';

/**
 * The text beside the heading before a run. If there is or will be a plan, it says that nothing has been
 * called yet. With `isPrivate`, it also says that nothing will leave this machine.
 * `''` if neither applies.
 */
export function planSentence(status: ConductStatus, hasPlan: boolean, isPrivate: boolean): string {
  const stays = isPrivate ? ' Nothing will leave this machine.' : '';
  if (status === 'editing') return `Edited by you. Nothing has been called yet.${stays}`;
  return (hasPlan || status === 'planning' ? 'What Run will do. Nothing has been called yet.' : '') + stays;
}

/**
 * The text that is shown instead of a plan. Says why there is no plan yet, or when the Conductor will write
 * it. `''`: no text.
 */
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
