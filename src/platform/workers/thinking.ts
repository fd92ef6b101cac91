/** @file Chooses the thinking level of a worker: the level in its setup, else the level that the run's effort requests. */
import { familyOf, type ReasoningLevel, type WorkerSetup } from '../../core/contract';
import { KNOWN_MODELS } from './known-models';

/**
 * @param wanted the level that the run's effort requests. Used only if the setup has no level and the model is known to support
 *   both thinking and not thinking. Servers of other models might refuse the call
 * @returns `null`: no level is set, so the model's default applies
 */
export function thinkingOf(
  setup: Pick<WorkerSetup, 'model' | 'reasoning' | 'knownAs'>,
  wanted: ReasoningLevel | undefined,
): ReasoningLevel | null {
  const { reasoning = null } = setup;
  if (reasoning !== null || wanted === undefined) return reasoning;
  const thinking = familyOf(KNOWN_MODELS, setup)?.thinking;
  if (thinking?.thinks !== 'optional') return null;
  // A model that doesn't think by default would think more at the level `low` than without a level.
  return wanted === 'low' && thinking.byDefault === false ? null : wanted;
}
