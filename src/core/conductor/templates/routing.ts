/**
 * @file One call to the worker that did best in graded runs on similar questions. Without graded runs, declared strengths
 * and published results decide.
 */
import { choiceOf, rankedBy, rankWorkers } from '../ranking';
import { inTurn, nameOf, oneStep, template } from './template';

export const routing = template(
  {
    name: 'routing',
    label: 'Routing by history',
    description: 'Asks the worker that was right most often in your graded runs on questions like this, once.',
    by: 'podium',
  },
  (request) => {
    const best = inTurn(rankWorkers(request, 'solve'), 0);
    const why =
      rankedBy(request) === 'history'
        ? 'did best in your graded runs on questions like this'
        : 'comes first, as there are no graded runs yet';
    const choices = [choiceOf(request, best, 'solve')];
    return { workflow: { steps: [oneStep(best)] }, thought: `${nameOf(request, best)} ${why}.`, choices };
  },
);
