/**
 * @file A template that calls one worker once: the worker with the best results in graded runs on similar questions. Without
 * graded runs, declared strengths and published results decide.
 */
import { choiceOf, rankedBy, rankWorkers } from '../ranking';
import { inTurn, nameOf, oneStep, template } from './template';

export const routing = template('routing', (request) => {
  const best = inTurn(rankWorkers(request, 'solve'), 0);
  const choice = choiceOf(request, best, 'solve');
  const isGraded = rankedBy(request) === 'history';
  const why =
    choice.basis === 'history'
      ? 'did best in your graded runs on similar questions'
      : isGraded
        ? 'comes first, although it has no graded runs, because no graded worker is expected to do better'
        : 'comes first, by declared strength, published benchmark results or the order of the pool, because there are no graded runs yet';
  return { workflow: { steps: [oneStep(best)] }, thought: `${nameOf(request, best)} ${why}.`, choices: [choice] };
});
