/** @file Estimates calls and cost of a search and of its proof before they start, without making calls. */
import type { Runs } from '../runs/runs';
import type { NewRun } from '../runs/new-run';

export interface Range {
  readonly low: number;
  readonly high: number;
}

export interface SearchEstimate {
  readonly calls: Range;
  /** US dollars. `null`: a price is unknown. */
  readonly usd: Range | null;
}

/** @param request a run of the Conductor that learns, with a question of usual length */
export function runsEstimate(count: number, request: NewRun, runs: Pick<Runs, 'ceiling'>): SearchEstimate {
  const { calls, free, range } = runs.ceiling(request);
  const { candidates, planRetries } = request;
  const usd = free ? { low: 0, high: 0 } : range;
  return {
    // At least one plan and one step. The cap on calls counts steps only.
    calls: { low: count * (candidates + 1), high: count * (candidates + planRetries + calls) },
    usd: usd && { low: count * usd.low, high: count * usd.high },
  };
}

/** A search that makes `runs` graded runs reflects at most once for each minibatch. */
export function searchEstimate(
  { runs: count, minibatch }: { readonly runs: number; readonly minibatch: number },
  requests: { readonly run: NewRun; readonly reflection: NewRun },
  runs: Pick<Runs, 'ceiling'>,
): SearchEstimate {
  const graded = runsEstimate(count, requests.run, runs);
  const { free, range } = runs.ceiling(requests.reflection);
  const reflections = Math.ceil(count / minibatch);
  const usd = free ? { low: 0, high: 0 } : range;
  return {
    calls: { low: graded.calls.low, high: graded.calls.high + reflections },
    usd: graded.usd && usd && { low: graded.usd.low, high: graded.usd.high + reflections * usd.high },
  };
}
