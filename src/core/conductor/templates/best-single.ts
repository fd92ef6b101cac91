/**
 * @file One call to the worker that declares the greatest strength, or to the first of the pool if none declares any.
 */
import { byStrength, comesFirst, inTurn, oneStep, template } from './template';

export const bestSingle = template(
  'best-single',
  'Best single worker',
  'Asks the worker with the greatest declared strength, once.',
  (request) => {
    const best = inTurn(byStrength(request, 'solve'), 0);
    const thought = `${comesFirst(request, best)} and answers alone.`;
    return { workflow: { steps: [oneStep(best)] }, thought };
  },
);
