/** @file Chooses the thinking level of a worker: the level in its setup, or else the level for the run's effort. */
import { familyOf, type ReasoningLevel, type WorkerSetup } from '../../core/contract';
import { KNOWN_MODELS } from './known-models';

/**
 * @param wanted the level for the run's effort. Used only if the setup has no level, and thinking is known to be optional for the
 *   model. Servers of other models might refuse the call
 * @returns `null` to send no level, so that the model's default applies
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
