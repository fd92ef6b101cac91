/** @file Words for what a step saw and could not see. */
import type { StepSight, UnseenReason, UnseenStep } from '../../core/analysis/step-sight';
import { imageCount, isOver, type Run, type StepRun } from '../../core/contract';

/** Why a step could not be seen, as a short phrase. */
export function reasonWords({ reason }: Pick<UnseenStep, 'reason'>): string {
  const words: Record<UnseenReason, string> = {
    'not-in-access': 'not in its access list',
    parallel: 'ran in parallel',
    later: 'comes later',
    'earlier-round': 'in an earlier round',
    'later-round': 'in a later round',
    'no-output': 'has no output',
  };
  return words[reason];
}

/** What the lists of seen and unseen steps are based on. */
export function basisWords({ wasSent }: StepSight, run: Pick<Run, 'status'>, step: Pick<StepRun, 'status'>): string {
  if (wasSent) return 'From the prompt that was sent.';
  return step.status === 'reused'
    ? 'From the plan. The step’s output was reused, so nothing was sent in this run.'
    : `From the plan. ${unsentWords(run, step)}`;
}

/**
 * Says that nothing was sent for a step. Contains "yet" if the step may still be called.
 * @param step absent if no plan has the step yet
 */
export function unsentWords({ status }: Pick<Run, 'status'>, step?: Pick<StepRun, 'status'>): string {
  if (step?.status === 'reused') return 'Nothing was sent in this run.';
  const mayBeCalled = !step || step.status === 'planned' || step.status === 'queued' || step.status === 'running';
  return mayBeCalled && !isOver(status) ? 'Nothing has been sent yet.' : 'Nothing was sent.';
}

/** What the step saw of the question's images, or `''` if the question has none. */
export function imageWords({ images: { sent, unseen } }: StepSight): string {
  if (sent > 0) return `With ${imageCount(sent)}.`;
  return unseen > 0 ? `Without its ${imageCount(unseen)}, which this worker can’t see.` : '';
}
