/** @file The updates of a run that several of its reducers share. */
import type { Account } from '../money/account';
import type { Waiting } from '../worker/worker';
import { replaceAt } from './fold-arrays';
import type { Round, Run, Wait } from './state';

export function withRound(run: Run, round: Round): Run {
  return { ...run, rounds: replaceAt(run.rounds, round.round, round) };
}

/**
 * The wait of a call, from the event that reports it.
 * @param time active time of the event, ms
 * @returns `null` if the call is sent now
 */
export function waitOf({ for: cause, delay }: Waiting, time: number): Wait | null {
  return cause === null ? null : { for: cause, since: time, until: delay === null ? null : time + delay };
}

/**
 * Adds the usage and cost of one call to the run's totals. A call of unknown cost counts in `unpriced`, so that the page can show that the run cost at
 * least `usd`.
 */
export function addSpent(run: Run, { usage, cost, billed = false }: Account): Run {
  const { spent } = run;
  return {
    ...run,
    spent: {
      ...spent,
      input: spent.input + (usage?.input ?? 0),
      output: spent.output + (usage?.output ?? 0),
      usd: spent.usd + (cost ?? 0),
      billed: spent.billed + (billed ? (cost ?? 0) : 0),
      unpriced: spent.unpriced + (cost === null ? 1 : 0),
      estimated: spent.estimated || usage?.estimated === true,
    },
  };
}
