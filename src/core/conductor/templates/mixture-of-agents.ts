/**
 * @file Mixture of Agents (arXiv 2406.04692) in eight calls: four propose, three improve on all four, one combines the three. The
 * Conductor's paper makes eight calls too, but with one layer of seven and an aggregator chosen at random.
 */
import type { Step } from '../../contract';
import { SUBTASK } from '../wording';
import { byStrength, inTurn, oneStep, range, template } from './template';

const CALLS = 8;
const IMPROVE =
  'Mend the earlier responses into one better solution: keep what holds, solve again what does not, and end with your full result.';

export const mixtureOfAgents = template(
  'mixture-of-agents',
  'Mixture of Agents',
  'Four workers propose, three improve on all proposals, one combines them: eight calls.',
  (request) => {
    const calls = Math.min(CALLS, request.maxSteps);
    const solvers = byStrength(request, 'solve');
    if (calls < 3) {
      const thought = 'There is room for one proposal only.';
      return { workflow: { steps: [oneStep(inTurn(solvers, 0))] }, thought };
    }
    const [proposals, layers] = calls < 5 ? [calls - 1, 2] : [Math.ceil((calls - 1) / 2), 3];
    const refiners = byStrength(request, 'refine');
    const steps: Step[] = range(0, proposals).map((place) => oneStep(inTurn(solvers, place)));
    for (const index of range(proposals, calls - 1)) {
      const worker = inTurn(refiners, index - proposals);
      steps.push({ worker, subtask: IMPROVE, access: range(0, proposals), role: 'refine' });
    }
    const lastLayer = layers === 2 ? range(0, proposals) : range(proposals, calls - 1);
    const worker = inTurn(byStrength(request, 'aggregate'), 0);
    steps.push({ worker, subtask: SUBTASK.aggregate, access: lastLayer, role: 'aggregate' });
    return { workflow: { steps }, thought: `${layers} layers, each working on all of the layer before it.` };
  },
);
