/** @file Describes a call for the gate: which limits apply to it, and how many tokens it may need. */
import { estimateInput, sha256Hex, type Message, type Sampling } from '../../../core/contract';
import { originOfTarget, type Target } from '../target';
import type { GateCall } from './gate';
import type { TurnedAway } from './lane';
import { readLimitRefusal } from './read-limits';

/** Providers count a call's longest possible answer against the token limit before it begins. */
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

/** Identified by a digest of the key, so that the key is not stored, and by the model if each has its own limits. */
function laneOf({ key, model, preset }: Target): string {
  const who = key === null ? 'no key' : sha256Hex(key).slice(0, 16);
  return preset.limits.per === 'model' ? `${who} ${model}` : who;
}

const NO_HEADERS = { get: () => null };

/** The limit that the message of a refusal states. */
export function learntFrom(body: unknown, now: number): TurnedAway['learnt'] {
  const { of, per, limit } = readLimitRefusal(body, NO_HEADERS, now);
  if (limit === null || limit < 1 || per !== 'minute' || of === null) return {};
  return of === 'requests' ? { requestsPerMinute: limit } : { tokensPerMinute: limit };
}
