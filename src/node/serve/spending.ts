/**
 * @file Counts the money that `podium serve` spends on calls, and enforces a cap on it. The maximum cost of a call is reserved
 * before the call is sent.
 */
import {
  addSums,
  dayOf,
  fault,
  judgeDay,
  money,
  NOTHING_SPENT_YET,
  sumOf,
  totalsOf,
  type Clock,
  type DaySpent,
  type HoldRequest,
  type Spending,
} from '../../core/contract';

/** Keeps the spending in memory. @param cap maximum for the lifetime of the server, US dollars. `null`: no cap */
export function createServerSpending(cap: number | null, clock: Clock): Spending {
  const held = new Map<string, HoldRequest & { readonly day: string }>();
  const rows = new Map<string, DaySpent>();
  let ids = 0;

  const settle: Spending['settle'] = (id, bill) => {
    const hold = held.get(id);
    held.delete(id);
    if (hold && bill) {
      const { day, workerId, name } = hold;
      const key = `${day} ${workerId}`;
      const sum = addSums(rows.get(key) ?? NOTHING_SPENT_YET, sumOf(bill, hold.usd));
      rows.set(key, { day, workerId, name, ...sum });
    }
    return Promise.resolve();
  };

  return {
    settle,
    hold(call) {
      const spent = [...rows.values()].reduce((sum, { usd }) => sum + usd, 0);
      const reserved = [...held.values()].reduce((sum, { usd }) => sum + (usd ?? 0), 0);
      const refusal = judgeDay(call, cap, { spent, held: reserved });
      if (refusal?.type === 'refused' && refusal.fault.code === 'cap-reached' && cap !== null) {
        return Promise.resolve({ ...refusal, fault: fault('cap-reached', spentSentence(cap, spent)) });
      }
      if (refusal) return Promise.resolve(refusal);
      const id = `hold-${ids++}`;
      held.set(id, { ...call, day: dayOf(clock.now()) });
      return Promise.resolve({ type: 'held', id });
    },
    async abandon(runId, neverLeft = () => false) {
      for (const [id, { runId: owner, call }] of held) {
        if (owner !== runId) continue;
        await settle(id, call && neverLeft(call) ? null : { usd: null, billed: false, tokens: 0 });
      }
    },
    holders: () => Promise.resolve([...new Set([...held.values()].map(({ runId }) => runId))]),
    totals: () => Promise.resolve(totalsOf([...rows.values()], dayOf(clock.now()))),
  };
}

function spentSentence(cap: number, spent: number): string {
  return `This server may spend at most ${money(cap)}, of which ${money(Math.max(0, cap - spent))} is left. That is not enough for another call. Restart the server with a higher --max-cost.`;
}
