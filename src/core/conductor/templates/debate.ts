/**
 * @file A template for a debate. Two workers answer, each replies to the other, and a judge decides. The judge is the best worker
 * in the role `decide`. The judge may be one of the two workers.
 */
import type { Step } from '../../contract';
import { rankWorkers } from '../ranking';
import { SUBTASK } from '../wording';
import { inTurn, oneStep, template } from './template';

const REPLY =
  'Mend your response in the light of the other side: say where it goes wrong, admit where you did, and end with your full result.';
const JUDGE = `${SUBTASK.decide} Judge by the arguments, not by who sounds surer.`;

export const debate = template('debate', (request) => {
  const solvers = rankWorkers(request, 'solve');
  const [one, other] = [inTurn(solvers, 0), inTurn(solvers, 1)];
  if (request.maxSteps < 3) {
    return { workflow: { steps: [oneStep(one)] }, thought: 'The step limit is too low for two sides and a judge.' };
  }
  const openings = [oneStep(one), oneStep(other)];
  const reply = (worker: number): Step => ({ worker, subtask: REPLY, access: [0, 1], role: 'refine' });
  const replies = request.maxSteps < 5 ? [] : [reply(one), reply(other)];
  const statements = [...openings, ...replies].map((_, index) => index);
  const judge: Step = {
    worker: inTurn(rankWorkers(request, 'decide'), 0),
    subtask: JUDGE,
    access: statements,
    role: 'decide',
  };
  const thought = 'Two sides that must answer each other bring out where an argument is weak.';
  return { workflow: { steps: [...openings, ...replies, judge] }, thought };
});
