/** @file Describes the progress of a model that is writing a plan. */
import { modelLabel, partOfPolicy } from '../../core/conductor/with-policy-info';
import { localConductorInfo, writtenTokens, type ModelState, type Plan } from '../../core/contract';
import { count, duration, plural } from '../ui/figures';

/**
 * What the model is doing, and how much it has written.
 * @param now active time of the run, ms
 * @param limit time limit of a plan, s. `undefined`: none
 * @param model the local model that is loaded. It may differ from the model that plans
 */
export function writingSentence(
  plan: Pick<Plan, 'conductor' | 'text' | 'reasoning' | 'firstTokenAt'>,
  now: number,
  limit: number | undefined,
  model: ModelState,
): string {
  const label = modelLabel(plan.conductor);
  const most = limit === undefined ? '' : ` Time limit: ${duration(1000 * limit)}.`;
  if (plan.firstTokenAt === null) return `${label} is reading the prompt${readSoFar(plan, model)}.${most}`;
  const does = plan.text === '' ? 'is thinking' : 'is writing the plan';
  const written = `about ${plural(writtenTokens(plan), 'token')} in ${duration(now - plan.firstTokenAt)}`;
  return `${label} ${does}: ${written}.${most}`;
}

/** How much of the prompt has been read. Only local models report this, and not all of them do. */
function readSoFar({ conductor: { id } }: Pick<Plan, 'conductor'>, model: ModelState): string {
  if (model.kind !== 'ready' || localConductorInfo(model.manifest).id !== (partOfPolicy(id)?.model ?? id)) return '';
  const { reading } = model;
  return reading ? `: ${count(reading.read)} of ${plural(reading.total, 'token')}` : '';
}
