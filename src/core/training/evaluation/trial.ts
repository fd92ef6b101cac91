/**
 * @file Compares a candidate (a trained or imported policy) with two rivals: the policy in use and the built-in rules. All three
 * plan for the same held-out items. An item is a question with a pool. `gate.ts` decides whether the candidate may be used.
 */
import { mixSeed, type HeldOut, type HeldOutRival, type HeldOutResult, type Interval } from '../../contract';
import type { Parameters } from '../../policy/parameters';
import { drawItem, drawSociety } from '../environment/items';
import type { TrialScale } from './gate';
import { playHeuristic, playPolicy, type PlayResult } from './players';
import { settlingOf, type BothWays } from './settling';

interface TrialOptions extends TrialScale {
  /** Determines the workers and the questions. */
  readonly seed: number;
  readonly candidate: Parameters;
  readonly inUse: { readonly parameters: Parameters; readonly revision: string };
}

/** After each item, yields the number of compared items. Returns the comparison. */
export function* runTrial(options: TrialOptions): Generator<number, HeldOut> {
  const { items, workers, runs, questions, candidate, inUse } = options;
  const seed = mixSeed(options.seed, 'gate');
  const society = drawSociety({ split: 'held-out', seed, workers, runs, questions });
  const played: { candidate: PlayResult; inUse: PlayResult; heuristic: PlayResult }[] = [];
  const settled: { candidate: BothWays[]; heuristic: BothWays[] } = { candidate: [], heuristic: [] };
  for (let index = 0; index < items; index++) {
    // No item allows a second round, so all three planners have the same maximum number of steps.
    const item = drawItem(society, { seed, index, recursion: 0 });
    const skipped = playPolicy(item, candidate);
    settled.candidate.push({ skipped, whole: playPolicy(item, candidate, 'asked') });
    settled.heuristic.push({
      skipped: playHeuristic(item, 'balanced'),
      whole: playHeuristic(item, 'balanced', 'asked'),
    });
    played.push({
      candidate: skipped,
      inUse: playPolicy(item, inUse.parameters),
      heuristic: playHeuristic(item),
    });
    yield index + 1;
  }
  const resultOf = (of: (each: (typeof played)[number]) => PlayResult): HeldOutResult => ({
    right: estimate(played.map((each) => Number(of(each).correct))),
    calls: played.reduce((sum, each) => sum + of(each).calls, 0) / Math.max(1, played.length),
  });
  const rival = (of: (each: (typeof played)[number]) => PlayResult): HeldOutRival => ({
    ...resultOf(of),
    lead: estimate(played.map((each) => Number(each.candidate.correct) - Number(of(each).correct))),
  });
  return {
    items: played.length,
    candidate: { ...resultOf((each) => each.candidate), settling: settlingOf(settled.candidate) },
    heuristic: { ...rival((each) => each.heuristic), settling: settlingOf(settled.heuristic) },
    inUse: { ...rival((each) => each.inUse), revision: inUse.revision },
  };
}

/** Returns the mean and its 95 % confidence interval, in the normal approximation. */
export function estimate(values: readonly number[]): Interval {
  const count = Math.max(1, values.length);
  const mean = values.reduce((sum, each) => sum + each, 0) / count;
  const variance = values.reduce((sum, each) => sum + (each - mean) ** 2, 0) / Math.max(1, count - 1);
  const half = 1.96 * Math.sqrt(variance / count);
  return { mean, low: mean - half, high: mean + half };
}
