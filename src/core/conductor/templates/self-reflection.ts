/**
 * @file A template in which one worker answers, then reviews and corrects its answer four times. In each step, the worker sees
 * all its earlier attempts. This is a baseline of arXiv 2512.04388, Table 5.
 */
import type { Step } from '../../contract';
import { oneStep, range, soloTemplate } from './template';

const ROUNDS = 5;
const REFLECT =
  'Mend the newest response: check it against the task, correct what is wrong, or solve again if it does not hold. End with your full result.';

export const selfReflection = soloTemplate('self-reflection', (request, worker, reason) => {
  const steps = range(0, Math.min(ROUNDS, request.maxSteps)).map((round): Step => {
    if (round === 0) return oneStep(worker);
    return { worker, subtask: REFLECT, access: range(0, round), role: 'refine' };
  });
  return { workflow: { steps }, thought: `${reason} and improves its own answer.` };
});
