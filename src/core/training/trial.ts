/**
 * @file A candidate compared with the policy in use and with the heuristic Conductor, item by item. It plays; what the
 * figures decide stands in `gate.ts`.
 */
import { mixSeed, type HeldOut, type HeldOutRival, type HeldOutStanding } from '../contract';
import type { Parameters } from '../policy';
import { playHeuristic, playPolicy, type Result } from './contenders';
import { drawItem, drawSociety } from './environment';
import { estimate } from './evaluation';
import type { TrialScale } from './orders';

export interface TrialOptions extends TrialScale {
  /** Another seed draws other workers and other questions. */
  readonly seed: number;
  readonly candidate: Parameters;
  readonly inUse: { readonly parameters: Parameters; readonly revision: string };
}

/** Plays item after item; gives how many are done after each, and returns the comparison. */
export function* runTrial(options: TrialOptions): Generator<number, HeldOut> {
  const { items, workers, runs, questions, candidate, inUse } = options;
  const seed = mixSeed(options.seed, 'gate');
  const society = drawSociety({ split: 'held-out', seed, workers, runs, questions });
  const played: { candidate: Result; inUse: Result; heuristic: Result }[] = [];
  for (let index = 0; index < items; index++) {
    // No second round, so that all of them have as many steps.
    const item = drawItem(society, { seed, index, recursion: 0 });
    played.push({
      candidate: playPolicy(item, candidate),
      inUse: playPolicy(item, inUse.parameters),
      heuristic: playHeuristic(item),
    });
    yield index + 1;
  }
  const standing = (of: (each: (typeof played)[number]) => Result): HeldOutStanding => ({
    right: estimate(played.map((each) => Number(of(each).correct))),
    calls: played.reduce((sum, each) => sum + of(each).calls, 0) / Math.max(1, played.length),
  });
  const rival = (of: (each: (typeof played)[number]) => Result): HeldOutRival => ({
    ...standing(of),
    lead: estimate(played.map((each) => Number(each.candidate.correct) - Number(of(each).correct))),
  });
  return {
    items: played.length,
    candidate: standing((each) => each.candidate),
    heuristic: rival((each) => each.heuristic),
    inUse: { ...rival((each) => each.inUse), revision: inUse.revision },
  };
}
