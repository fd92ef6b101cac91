/**
 * @file One call to the best worker in graded runs, or without graded runs to the one with the greatest declared strength.
 */
import { choiceOf, knownOf, rankedBy, rankWorkers } from '../ranking';
import { inTurn, nameOf, oneStep, template } from './template';

export const routing = template(
  'routing',
  'Routing by history',
  'Asks the worker that was right most often in your graded runs on questions like this, once.',
  (request) => {
    const known = knownOf(request);
    const best = inTurn(rankWorkers(request, 'solve', known), 0);
    const why =
      rankedBy(request, known) === 'history'
        ? 'did best in your graded runs on questions like this'
        : 'comes first, as there are no graded runs yet';
    const choices = [choiceOf(request, best, 'solve', known)];
    return { workflow: { steps: [oneStep(best)] }, thought: `${nameOf(request, best)} ${why}.`, choices };
  },
);
