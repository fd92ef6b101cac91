/** @file The proof of learned lessons: the winner against the start on tasks that took no part in the search, paired by task. */
import { pairedRatio, pairedScores, type Estimate, type PairedScores } from '../evaluation/statistics/paired';
import type { SearchState } from './search-state';

/**
 * - `better`: the 95 % interval of the gain lies above 0
 * - `not-worse`: it lies above −1 point
 * - `too-dear`: it does, but the winner costs more than the limit
 * - `unproved`: neither
 */
export type ProofVerdict = 'better' | 'not-worse' | 'too-dear' | 'unproved';

export interface ProofResult {
  readonly verdict: ProofVerdict;
  readonly scores: PairedScores;
  /** The winner's cost as a multiple of the start's. `null`: the start is free. */
  readonly ratio: Estimate | null;
  /** Whether the ratio is of US dollars. Otherwise it is of calls, because a price is unknown or all calls are free. */
  readonly isPriced: boolean;
  /** Whether the tasks are the user's own. Otherwise the verdict does not hold for the user's questions. */
  readonly isOwn: boolean;
  /** Whether no earlier search was proved on the tasks. */
  readonly isUnseen: boolean;
}

/** The largest loss that counts as none: one percentage point. */
const TOLERATED_LOSS = 0.01;
/** The winner may cost this many times as much as the start. */
export const MOST_COST_RATIO = 1.5;

/** `null`: no proof was started, or too few tasks have a verdict. */
export function proofOf({ proof, candidates, plan }: SearchState, mostCost = MOST_COST_RATIO): ProofResult | null {
  const [start] = candidates;
  const winner = proof ? candidates[proof.candidate] : undefined;
  if (!proof || !start || !winner) return null;
  const pairs = proof.tasks.flatMap((task) => {
    const [mine, theirs] = [winner.results.get(task), start.results.get(task)];
    return mine && theirs && mine.score !== null && theirs.score !== null
      ? [{ mine, theirs, gain: mine.score - theirs.score }]
      : [];
  });
  const scores = pairedScores(pairs.map(({ gain }) => gain));
  if (!scores) return null;
  const isPriced =
    pairs.every(({ mine, theirs }) => mine.unpriced + theirs.unpriced === 0) &&
    pairs.some(({ theirs }) => theirs.usd > 0);
  const unit = isPriced ? 'usd' : 'calls';
  const ratio = pairedRatio(pairs.map(({ mine, theirs }) => [mine[unit], theirs[unit]] as const));
  const low = scores.value - scores.plusMinus;
  const offered = scores.verdict === 'better' ? 'better' : low > -TOLERATED_LOSS ? 'not-worse' : 'unproved';
  const isDear = ratio !== null && ratio.value > mostCost;
  return {
    verdict: offered !== 'unproved' && isDear ? 'too-dear' : offered,
    scores,
    ratio,
    isPriced,
    isOwn: plan.split.testTasks === 'own',
    isUnseen: proof.isUnseen,
  };
}

/** What a lesson gives: the proved lessons against the same lessons without it, on the test tasks. */
export interface LessonEffect {
  readonly lesson: string;
  /** The gain. `null`: too few tasks have a verdict. */
  readonly gain: PairedScores | null;
}

/** `null`: nobody asked what single lessons give. */
export function lessonEffects({ proof, candidates }: SearchState): readonly LessonEffect[] | null {
  const proved = proof ? candidates[proof.candidate] : undefined;
  if (!proof || !proved || proof.without.length === 0) return null;
  return proved.lessons.map((lesson, index) => {
    const without = candidates[proof.without[index] ?? -1];
    const gains = proof.tasks.flatMap((task) => {
      const [whole, rest] = [proved.results.get(task)?.score ?? null, without?.results.get(task)?.score ?? null];
      return whole === null || rest === null ? [] : [whole - rest];
    });
    return { lesson, gain: pairedScores(gains) };
  });
}

/** Half-width of the interval that shows a gain with a chance of 80 %, as a multiple of the standard error: 1.96 + 0.84. */
const POWER = 2.801585;
/** Share of the paired tasks with different verdicts that is assumed before anything is measured. */
const DIFFERENT = 0.25;

/** Number of test tasks that show a gain with a chance of 80 %, if a quarter of the tasks get another verdict. @param gain such as 0.1 */
export function testTasksFor(gain: number): number {
  return Math.ceil((POWER ** 2 * (DIFFERENT - gain ** 2)) / gain ** 2);
}
