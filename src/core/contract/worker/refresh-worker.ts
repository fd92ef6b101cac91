/**
 * @file Updates a worker from its provider's list of models. A value follows the list if the worker has none, or has the value of
 * the earlier list. The contract's index doesn't export this file, because only the Workers page needs it.
 */
import { picked } from '../picked';
import type { ListedFacts, ListedModel, WorkerSetup } from './setup';
import { samePrice } from './worker';

/** The facts of a list's entry that a worker keeps. */
export function listedFacts(model: ListedModel): ListedFacts {
  return picked(model, ['maxOutput', 'parameters']);
}

/**
 * @param before the worker's model in the earlier list. Absent: there was no list, or it lacked the model
 * @param now the worker's model in the new list. Absent: the list lacks it
 * @param today the date for a new price
 */
export function refreshedWorker(
  setup: WorkerSetup,
  before: ListedModel | undefined,
  now: ListedModel | undefined,
  today: string,
): WorkerSetup {
  if (!now) return { ...setup, listed: { ...setup.listed, isGone: true } };
  const { priceBefore } = setup.listed ?? {};
  const isNewSight = now.canSee !== undefined && now.canSee !== before?.canSee;
  const followsSight = isNewSight && (setup.canSee ?? false) === (before?.canSee ?? false);
  const followsContext = setup.contextWindow === undefined || setup.contextWindow === before?.contextWindow;
  return {
    ...setup,
    ...(followsSight ? { canSee: now.canSee } : {}),
    ...(followsContext ? picked(now, ['contextWindow']) : {}),
    listed: { ...listedFacts(now), ...(priceBefore ? { priceBefore } : {}) },
    ...priced(setup, before, now, today),
  };
}

/** The changed price, and the price before it. A price that the user has entered stays, but a change of the list is marked. */
function priced(setup: WorkerSetup, before: ListedModel | undefined, now: ListedModel, today: string) {
  const { price, listed: { priceBefore } = {} } = setup;
  if (!now.price) return {};
  const isOwn = setup.priced ? setup.priced.by === 'person' : price !== null;
  const listedBefore = isOwn ? (before?.price ?? null) : price;
  if (samePrice(listedBefore, now.price)) return {};
  const old = priceBefore ?? listedBefore;
  return {
    ...(isOwn ? {} : { price: now.price, priced: { by: 'provider' as const, date: today } }),
    listed: { ...listedFacts(now), ...(old && !samePrice(old, now.price) ? { priceBefore: old } : {}) },
  };
}
