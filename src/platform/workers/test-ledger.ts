/**
 * @file Adds the cost of worker tests to the spending of the day (see `store/spending.ts`). A call is in
 * progress while its lock is held. All calls of a run share the run's lock. A test belongs to no run, so each
 * call of a test has its own lock. If the page closes during a call, the browser releases the lock, and
 * another page counts the money that was reserved for the call as spent. If running calls may use up the
 * daily budget, a test fails instead of waiting for these calls.
 */
import {
  billOf,
  fault,
  runLock,
  toFault,
  type CallDay,
  type HoldResult,
  type Locks,
  type Spending,
} from '../../core/contract';

export interface TestLedger {
  readonly spending: Pick<Spending, 'hold' | 'settle'>;
  readonly locks: Pick<Locks, 'acquire'>;
  readonly newId: () => string;
}

/** Makes one call of a test, and holds a lock during the call. */
export async function withTestDay<Result>(
  { spending, locks, newId }: TestLedger,
  makeCall: (day: CallDay) => Promise<Result>,
): Promise<Result> {
  const runId = `test:${newId()}`;
  const release = await locks.acquire(runLock(runId));
  try {
    return await makeCall(dayOfTest(spending, runId));
  } finally {
    release?.();
  }
}

function dayOfTest(spending: TestLedger['spending'], runId: string): CallDay {
  return {
    async hold({ charged, usd }) {
      let result: HoldResult;
      try {
        result = await spending.hold({ runId, workerId: charged.id, name: charged.name, usd });
      } catch (thrown) {
        return { type: 'refused', fault: toFault(thrown) };
      }
      if (result.type === 'wait') return { type: 'refused', fault: CALLS_UNDER_WAY };
      return result.type === 'held' ? { type: 'held', hold: result } : result;
    },
    async settle({ id }, account) {
      // After a failure, the money stays reserved. Another page later finds the reservation and counts the money as spent.
      await spending.settle(id, account && billOf(account)).catch(() => undefined);
    },
  };
}

const CALLS_UNDER_WAY = fault(
  'cap-reached',
  'Running calls may use up the daily budget. Wait until they have ended, then test again.',
  { retryable: true },
);
