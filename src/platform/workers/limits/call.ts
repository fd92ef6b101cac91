/** @file Describes a call for the gate (see `gate.ts`): which limits apply to it, and how many tokens it may need. */
import {
  estimateInput,
  LEARNED_LIMITS,
  sha256Hex,
  type Message,
  type RateLimits,
  type Sampling,
} from '../../../core/contract';
import { originOfTarget, type Target } from '../target';
import { accountLane, type GateCall } from './gate';
import type { RateLimitReport } from './lane';
import { isAboutAccount, readLimitRefusal } from './read-limits';

/**
 * Describes a call for the gate. Its tokens include the longest possible answer, because providers count this
 * answer against the token limit before the call begins.
 * @param places maximum number of parallel calls. Default: the number of streams in the preset. If the target
 * is the user's own server and the user entered no maximum for it, `places` is ignored and the default applies,
 * because many such servers answer one call after another
 */
export function callOf(
  { target, messages, sampling }: CallParts,
  places: number = target.preset.limits.streams,
): GateCall {
  return {
    origin: originOfTarget(target),
    tokens: estimateInput(messages) + sampling.maxTokens,
    places: placesOf(target, places),
    ...lanesOf(target, target.limits),
  };
}

/** The maximum number of parallel calls to a target. See `callOf`. */
export function placesOf({ limits, preset }: Pick<Target, 'limits' | 'preset'>, places: number): number {
  const isSlow = preset.place === 'own' && limits.concurrent === null;
  return isSlow ? preset.limits.streams : places;
}

interface CallParts {
  readonly target: Target;
  readonly messages: readonly Message[];
  readonly sampling: Sampling;
}

/**
 * The lanes of a call, see `gate.ts`. The name of a lane contains a digest of the key, so that the name
 * doesn't reveal the key. If each model may have its own limits, the name also contains the model.
 */
function lanesOf({ key, model, preset }: Target, limits: RateLimits): Pick<GateCall, 'lane' | 'limits' | 'account'> {
  const who = key === null ? 'no key' : sha256Hex(key).slice(0, 16);
  const { per } = preset.limits;
  switch (per) {
    case 'key':
      return { lane: who, limits };
    case 'model':
      return { lane: `${who} ${model}`, limits, account: { lane: accountLane(who), limits: LEARNED_LIMITS } };
    case 'unknown':
      return { lane: `${who} ${model}`, limits: LEARNED_LIMITS, account: { lane: accountLane(who), limits } };
    default:
      return per satisfies never;
  }
}

const NO_HEADERS = { get: () => null };

/** Reads the limit from the message of a rate-limit error, and whether this limit applies to the whole account. */
export function learnedFrom(body: unknown, now: number): Pick<RateLimitReport, 'learned' | 'ofAccount'> {
  const { of, per, limit } = readLimitRefusal(body, NO_HEADERS, now);
  const ofAccount = isAboutAccount(body);
  if (limit === null || limit < 1 || per !== 'minute' || of === null) return { learned: {}, ofAccount };
  return { learned: of === 'requests' ? { requestsPerMinute: limit } : { tokensPerMinute: limit }, ofAccount };
}
