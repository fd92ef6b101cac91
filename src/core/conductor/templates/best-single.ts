/**
 * @file One call to the worker that declares the greatest strength.
 */
import { byStrength, inTurn, nameOf, oneStep, template } from './template';

export const bestSingle = template(
  'best-single',
  'Best single worker',
  'Asks the worker with the greatest declared strength, once.',
  (request) => {
    const best = inTurn(byStrength(request, 'solve'), 0);
    const thought = `${nameOf(request, best)} comes first by declared strength and answers alone.`;
    return { workflow: { steps: [oneStep(best)] }, thought };
  },
);
