/**
 * @file A plan with as many calls to one worker as the step limit allows: the control that an evaluation compares a Conductor with.
 * With four or more steps, the worker answers several times, and the most frequent answer wins. In a run that skips settled
 * steps, the last step is called only if the answers can't be compared. A vote of two is no vote, so with three steps, the worker answers,
 * checks and repairs instead.
 */
import type { Step } from '../../contract';
import { SUBTASK } from '../wording';
import { oneStep, range, soloTemplate } from './template';

/** Minimum number of answers that a vote needs. */
const FEWEST_VOTES = 3;
const CHOOSE =
  'Choose the one result that is most likely right, and give it in full, in the form that the task asks for.';

/** The steps of a worker with this step limit. @param worker index into the pool */
export function voteSteps(worker: number, maxSteps: number): readonly Step[] {
  const answers = maxSteps - 1;
  if (answers >= FEWEST_VOTES) {
    const among = range(0, answers);
    const agreement = { among, rule: 'most' } as const;
    const decide = { worker, subtask: CHOOSE, access: among, role: 'decide' as const, agreement };
    return [...among.map(() => oneStep(worker)), decide];
  }
  if (maxSteps < 3) return [oneStep(worker)];
  const check = { worker, subtask: SUBTASK.verify, access: [0], role: 'verify' as const };
  const repair = { worker, subtask: SUBTASK.refine, access: [0, 1], role: 'refine' as const };
  return [oneStep(worker), check, repair];
}

export const vote = soloTemplate('vote', ({ maxSteps }, worker, reason) => {
  const steps = voteSteps(worker, maxSteps);
  const answers = steps.length - 1;
  const thought =
    answers >= FEWEST_VOTES
      ? `${reason} and answers ${answers} times, so that its most frequent answer wins.`
      : answers === 0
        ? `${reason} and answers once.`
        : `${reason}, and checks and repairs its own answer.`;
  return { workflow: { steps }, thought };
});
