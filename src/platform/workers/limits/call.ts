/** @file A call as the gate sees it: whose limits it comes under, and what it may come to. */
import { estimateInput, sha256Hex, type Message, type Sampling } from '../../../core/contract';
import { originOfTarget, type Target } from '../target';
import type { GateCall } from './gate';
import type { TurnedAway } from './lane';
import { readLimitRefusal } from './read-limits';

/** Providers hold a call's longest possible answer against a limit on tokens before it begins. */
export function callOf({
  target,
  messages,
  sampling,
}: {
  readonly target: Target;
  readonly messages: readonly Message[];
  readonly sampling: Sampling;
}): GateCall {
  const { preset, limits } = target;
  return {
    origin: originOfTarget(target),
    lane: laneOf(target),
    tokens: estimateInput(messages) + sampling.maxTokens,
    limits,
    places: preset.limits.streams,
  };
}

/** Told apart by a digest of the key, so that no key lies about; and by the model where each has limits of its own. */
function laneOf({ key, model, preset }: Target): string {
  const who = key === null ? 'no key' : sha256Hex(key).slice(0, 16);
  return preset.limits.per === 'model' ? `${who} ${model}` : who;
}

const NO_HEADERS = { get: () => null };

/** What the words of a refusal tell of the limit itself. */
export function learntFrom(body: unknown, now: number): TurnedAway['learnt'] {
  const { of, per, limit } = readLimitRefusal(body, NO_HEADERS, now);
  if (limit === null || limit < 1 || per !== 'minute' || of === null) return {};
  return of === 'requests' ? { requestsPerMinute: limit } : { tokensPerMinute: limit };
}
