/** @file Texts about a run: its calls, what it waits for, what its Conductor will do, and how it ended. */
import type { ConductorInfo, Preferences, Run } from '../../core/contract';
import type { Ceiling } from '../../core/runs';
import { duration, plural } from '../ui/figures';
import { togetherSentence } from '../shared/policy-words';
import { isCallWaiting } from '../score/played-step';

/** "3 of at most 5 calls, 1 waiting". Without a ceiling: "3 calls, 1 waiting". */
export function callsSoFar(run: Run, ceiling: Ceiling | null): string {
  const made = run.spent.calls;
  return (ceiling ? `${made} of at most ${plural(ceiling.calls, 'call')}` : plural(made, 'call')) + waitingCount(run);
}

/**
 * ", 1 waiting": the number of steps whose next call is due but not sent yet. `''` if there are no such steps, or if the run has
 * ended.
 */
export function waitingCount(run: Run): string {
  const waiting = run.rounds.flatMap((round) => round.steps).filter(isCallWaiting).length;
  return waiting > 0 && run.status === 'running' ? `, ${waiting} waiting` : '';
}

/** Says that the plan of a round waits for approval. @param round 0-based */
export function heldSentence(round: number): string {
  const plan = round === 0 ? 'The plan' : `The plan of round ${round + 1}`;
  return `${plan} is waiting for your approval. ${round === 0 ? 'No worker has been called yet.' : 'No calls are made while you decide.'}`;
}

/** What the Conductor will do when the user presses Run. */
export function writesSentence(
  info: ConductorInfo,
  { candidates, choice }: Pick<Preferences, 'candidates' | 'choice'>,
): string {
  const together = togetherSentence(info, { candidates, choice });
  if (together !== null) return together;
  const { label, kind } = info;
  if (candidates === 1) return `${label} writes the plan when you press Run.`;
  const chooses = choice === 'person' ? 'you choose one' : 'a vote chooses one';
  const writes = kind === 'policy' ? 'The trained policy samples' : `${label} writes`;
  return `${writes} ${candidates} plans when you press Run, and ${chooses}.`;
}

/** Says that plans wait for the user's choice. */
export function choiceSentence(plans: number): string {
  return `${plural(plans, 'plan')} to choose from. No worker has been called yet.`;
}

/** The announcement for screen readers when a run starts or ends. */
export function endSentence(run: Run): string {
  switch (run.status) {
    case 'running':
      return 'The run has started.';
    case 'finished':
      return `The run finished after ${duration(run.time)}. The answer is ready.`;
    // The fault is shown in an alert, which screen readers announce anyway.
    case 'failed':
      return '';
    case 'cancelled':
      return 'The run was stopped.';
    case 'interrupted':
      return 'The run was interrupted.';
    default:
      return run.status satisfies never;
  }
}
