/** @file Chooses the thinking level of a worker: the level in its setup, or else the level for the run's effort. */
import { familyOf, type ReasoningLevel, type WorkerSetup } from '../../core/contract';
import { KNOWN_MODELS } from './known-models';

/**
 * @param wanted the level for the run's effort. Used only if the setup has no level, and the model is known to make
 *   thinking optional. For any other model, the server might refuse a call with a level
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
  // Low effort asks for little thinking. If the model doesn't think by default, it thinks least without a level.
  return wanted === 'low' && thinking.byDefault === false ? null : wanted;
}
