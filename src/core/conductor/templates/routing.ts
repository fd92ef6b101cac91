/**
 * @file One call to the worker that graded runs show to be best; where there are none, to the one declared strongest.
 */
import { rankedBy, rankWorkers } from '../ranking';
import { inTurn, nameOf, oneStep, template } from './template';

export const routing = template(
  'routing',
  'Routing by history',
  'Asks the worker that was right most often in your graded runs, once.',
  (request) => {
    const history = request.history ?? [];
    const best = inTurn(rankWorkers(request, 'solve', history), 0);
    const known = rankedBy(request, history) === 'history';
    const why = known ? 'did best in the graded runs' : 'comes first, as there are no graded runs yet';
    return { workflow: { steps: [oneStep(best)] }, thought: `${nameOf(request, best)} ${why}.` };
  },
);
