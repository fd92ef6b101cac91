/** @file The routes of `podium serve --score`. */
import { ApiError } from '../http/api-error';
import { sendJson, type Route } from '../http/server';
import { readRewardItems, rewardsOf } from './openrlhf';
import { CAP_REACHED, SHUTTING_DOWN, TIMEOUT, WORKER_OUTAGE } from './run-result';
import { readScoreItems, type ScoreResult } from './score-request';
import type { Scorer } from './scorer';

/** The `retry-after` header after a worker outage or during a shutdown, in seconds. */
const OUTAGE_PAUSE = 10;
/** The `retry-after` header after a timeout, in seconds. */
const LATE_PAUSE = 1;
/** The HTTP status if a reward is unknown and a retry does not help. */
const UNKNOWN = 422;

export function scoreRoutes(scorer: Scorer): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/v1/score',
      async handle({ response, gone, body }) {
        const results = await scorer.score(readScoreItems(await body()), gone);
        const error = results.every((each) => each.error) ? errorOf(results) : null;
        // Instead of the status 422, the client gets the results, which contain the errors.
        if (error && error.status !== UNKNOWN) throw error;
        sendJson(response, 200, { results });
      },
    },
    {
      method: 'POST',
      path: '/get_reward',
      async handle({ response, gone, body }) {
        const results = await scorer.score(readRewardItems(await body()), gone);
        const error = errorOf(results);
        if (error) throw error;
        sendJson(response, 200, rewardsOf(results));
      },
    },
  ];
}

/**
 * Converts the worst error of the items to an error of the request. `null`: no item has an error.
 * An error code without its own status gets 500 if a retry may help, else 422.
 */
function errorOf(results: readonly ScoreResult[]): ApiError | null {
  const errors = results.flatMap(({ error }) => error ?? []);
  const worst = [CAP_REACHED, SHUTTING_DOWN, WORKER_OUTAGE, TIMEOUT].flatMap(
    (code) => errors.find((each) => each.code === code) ?? [],
  );
  const [error = errors.find(({ retryable }) => retryable) ?? errors[0]] = worst;
  if (!error) return null;
  const { code, message } = error;
  switch (code) {
    case CAP_REACHED:
      return new ApiError(402, message, { code });
    case SHUTTING_DOWN:
    case WORKER_OUTAGE:
      return new ApiError(503, message, { code, retryAfter: OUTAGE_PAUSE });
    case TIMEOUT:
      return new ApiError(504, message, { code, retryAfter: LATE_PAUSE });
    default:
      return new ApiError(error.retryable ? 500 : UNKNOWN, message, { code });
  }
}
