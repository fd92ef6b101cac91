/**
 * @file Five steps of the best worker alone: it answers, then reviews and corrects its answer four times
 * (a baseline of arXiv 2512.04388, Table 5).
 */
import type { Step } from '../../contract';
import { byStrength, comesFirst, inTurn, oneStep, range, template } from './template';

const ROUNDS = 5;
const REFLECT =
  'Mend the newest response: check it against the task, correct what is wrong, or solve again if it does not hold. End with your full result.';

export const selfReflection = template(
  'self-reflection',
  'Self-reflection, five rounds',
  'The strongest worker answers, then checks and mends its own answer four times.',
  (request) => {
    const worker = inTurn(byStrength(request, 'solve'), 0);
    const steps = range(0, Math.min(ROUNDS, request.maxSteps)).map((round): Step => {
      if (round === 0) return oneStep(worker);
      return { worker, subtask: REFLECT, access: range(0, round), role: 'refine' };
    });
    const thought = `${comesFirst(request, worker)} and improves its own answer.`;
    return { workflow: { steps }, thought };
  },
);
