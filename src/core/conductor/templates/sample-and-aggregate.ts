/**
 * @file A template with independent attempts in parallel. Then one worker combines the attempts into one answer.
 */
import type { Step } from '../../contract';
import { rankWorkers } from '../ranking';
import { SUBTASK } from '../wording';
import { inTurn, oneStep, range, template } from './template';

const MOST_SAMPLES = 4;

export const sampleAndAggregate = template('sample-and-aggregate', (request) => {
  const solvers = rankWorkers(request, 'solve');
  const samples = Math.min(MOST_SAMPLES, request.maxSteps - 1);
  if (samples < 2) {
    const thought = 'The step limit allows only one attempt.';
    return { workflow: { steps: [oneStep(inTurn(solvers, 0))] }, thought };
  }
  const attempts = range(0, samples).map((place) => oneStep(inTurn(solvers, place)));
  const worker = inTurn(rankWorkers(request, 'aggregate'), 0);
  const combine: Step = { worker, subtask: SUBTASK.aggregate, access: range(0, samples), role: 'aggregate' };
  const thought = `${samples} attempts that do not see each other make different mistakes, so what they agree on tends to be right.`;
  return { workflow: { steps: [...attempts, combine] }, thought };
});
