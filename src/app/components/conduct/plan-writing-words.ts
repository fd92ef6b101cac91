/** @file Words for a plan that a model is writing. */
import { modelLabel } from '../../../core/conductor/with-policy-info';
import { writtenTokens, type Plan } from '../../../core/contract';
import { duration, plural } from '../figures';

/**
 * What the model is doing, and how much it has written.
 * @param now active time of the run, ms
 * @param limit time limit of a plan, s. `undefined`: none
 */
export function writingSentence(
  plan: Pick<Plan, 'conductor' | 'text' | 'reasoning' | 'firstTokenAt'>,
  now: number,
  limit: number | undefined,
): string {
  const label = modelLabel(plan.conductor);
  const most = limit === undefined ? '' : ` Time limit: ${duration(1000 * limit)}.`;
  if (plan.firstTokenAt === null) return `${label} is reading the prompt.${most}`;
  const does = plan.text === '' ? 'is thinking' : 'is writing the plan';
  const written = `about ${plural(writtenTokens(plan), 'token')} in ${duration(now - plan.firstTokenAt)}`;
  return `${label} ${does}: ${written}.${most}`;
}
