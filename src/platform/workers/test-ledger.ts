/**
 * @file What a worker's test costs comes under the cap of the day, as a step's call does. A test belongs to no run: it holds a
 * lock of its own, so that what it set aside is found once its page is gone.
 */
import {
  billOf,
  fault,
  runLock,
  toFault,
  type Account,
  type Fault,
  type Locks,
  type PaidCall,
  type Spending,
} from '../../core/contract';

export interface TestLedger {
  readonly spending: Pick<Spending, 'hold' | 'settle'>;
  readonly locks: Pick<Locks, 'take'>;
  readonly newId: () => string;
}

/** What a call came to; `null`: it never left. */
export interface Paid<Result> {
  readonly result: Result;
  readonly account: Account | null;
}

/**
 * Makes a call once its worst case is set aside, and books what it came to.
 * @param make throws only for an abort; `hasLeft` then tells whether anything may have been charged
 * @returns why the day has no room for it, or what came of it
 */
export async function callUnderDay<Result>(
  { spending, locks, newId }: TestLedger,
  call: Omit<PaidCall, 'runId'>,
  make: () => Promise<Paid<Result>>,
  hasLeft: () => boolean,
): Promise<{ readonly fault: Fault } | { readonly result: Result }> {
  const runId = `test:${newId()}`;
  const release = await locks.take(runLock(runId));
  try {
    const held = await spending.hold({ ...call, runId }).catch((thrown: unknown) => ({ fault: toFault(thrown) }));
    if ('fault' in held) return { fault: held.fault };
    if (held.type === 'wait') return { fault: CALLS_UNDER_WAY };
    let account: Account | null | undefined;
    try {
      const made = await make();
      ({ account } = made);
      return { result: made.result };
    } finally {
      const came = account === undefined && hasLeft() ? UNKNOWN : (account ?? null);
      // What cannot be booked stays set aside, and counts as spent once it is found.
      await spending.settle(held.id, came && billOf(came)).catch(() => undefined);
    }
  } finally {
    release?.();
  }
}

const UNKNOWN: Account = { usage: null, cost: null };
const CALLS_UNDER_WAY = fault(
  'cap-reached',
  'Calls under way may use up what the day allows. Wait until they have ended, then test again.',
  { retryable: true },
);
