/**
 * @file Mixture of Agents as in arXiv 2512.04388, Table 5. All workers answer in one layer. Then one worker, chosen at random,
 * combines the answers. A pool of seven workers needs eight calls. The original method (arXiv 2406.04692) has more layers.
 */
import { mixSeed, randomIndex, seededRandom, type Step } from '../../contract';
import { workersOf } from '../limits';
import { rankWorkers } from '../ranking';
import { SUBTASK } from '../wording';
import { inTurn, nameOf, oneStep, range, template } from './template';

export const mixtureOfAgents = template('mixture-of-agents', (request) => {
  const workers = workersOf(request);
  const room = request.maxSteps - 1;
  if (room < 1) {
    const thought = 'The step limit allows only one proposal.';
    return { workflow: { steps: [oneStep(inTurn(rankWorkers(request, 'solve'), 0))] }, thought };
  }
  // Workers are left out only if the step limit is too low for all of them.
  const proposers = workers.length <= room ? workers : rankWorkers(request, 'solve').slice(0, room);
  const random = seededRandom(mixSeed(request.seed, 'mixture-of-agents', request.round));
  const aggregator = inTurn(workers, randomIndex(random, workers.length));
  const combine: Step = {
    worker: aggregator,
    subtask: SUBTASK.aggregate,
    access: range(0, proposers.length),
    role: 'aggregate',
  };
  const thought = `${nameOf(request, aggregator)} was chosen at random (seed ${request.seed}) to combine all answers.`;
  return { workflow: { steps: [...proposers.map(oneStep), combine] }, thought };
});
