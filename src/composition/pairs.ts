/** @file Composes the service for pairs of answers. Its calls count toward the daily budget. The page lazy-loads this file. */
import type { WorkerDirectory } from '../core/contract';
import { DayBudget } from '../core/executor/day-budget';
import type { Runs } from '../core/runs/runs';
import { createPairDesk, type PairDesk } from '../core/runs/pairs/pair-desk';
import { systemClock } from '../platform/clock';
import type { StorageParts } from './storage';

export function createPairs(
  { locks, spending, preferences }: Pick<StorageParts, 'locks' | 'spending' | 'preferences'>,
  { runs, workers }: { readonly runs: Runs; readonly workers: WorkerDirectory },
): PairDesk {
  return createPairDesk({
    runs,
    workers,
    locks,
    clock: systemClock,
    dayFor: (runId) => new DayBudget({ runId, spending, clock: systemClock, reached: () => undefined }),
    isPrivate: () => preferences.known().isPrivate,
  });
}
