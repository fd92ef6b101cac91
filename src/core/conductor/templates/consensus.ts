/**
 * @file A plan in which one worker answers five times, and the majority wins (a baseline of arXiv 2512.04388, Table 5). The paper
 * counts equal short answers. Longer texts are rarely equal, so the same worker is called once more. It reports what most of its
 * answers agree on.
 */
import type { Step } from '../../contract';
import { oneStep, range, soloTemplate } from './template';

const SAMPLES = 5;
const MAJORITY =
  'Combine the results by majority: give the answer that most of them reach, in the form that the task asks for. Do not solve the task again.';

export const consensus = soloTemplate('consensus', (request, worker, reason) => {
  const samples = Math.min(SAMPLES, request.maxSteps - 1);
  if (samples < 2)
    return {
      workflow: { steps: [oneStep(worker)] },
      thought: `${reason} and answers only once, because of the step limit.`,
    };
  const combine: Step = { worker, subtask: MAJORITY, access: range(0, samples), role: 'aggregate' };
  const steps = [...range(0, samples).map(() => oneStep(worker)), combine];
  return {
    workflow: { steps },
    thought: `${reason} and gives the answer that most of its ${samples} samples agree on.`,
  };
});
