/**
 * @file Draws the parent of the next candidate. For each validation task, the candidates with the highest score are its winners. A
 * candidate is drawn in proportion to the number of tasks it wins, so that a candidate that is best on a few tasks stays in play.
 * Always taking the best candidate on average would get stuck (arXiv 2507.19457).
 */
import { randomIndex, type Random } from '../contract';
import type { Candidate } from './search-state';

/** The winners of each task. Candidates are left out if other candidates win all their tasks too. */
function winnersByTask(pool: readonly Candidate[], tasks: readonly string[]): ReadonlyMap<number, number> {
  const byTask = tasks.map((task) => {
    const best = pool.reduce((most, { results }) => Math.max(most, results.get(task)?.score ?? 0), 0);
    return best > 0
      ? new Set(pool.flatMap(({ index, results }) => (results.get(task)?.score === best ? index : [])))
      : new Set<number>();
  });
  const kept = new Set(pool.map(({ index }) => index));
  const ascending = pool.toSorted(
    (one, other) => (validationScore(one, tasks) ?? 0) - (validationScore(other, tasks) ?? 0),
  );
  for (const { index } of ascending) {
    const isNeeded = byTask.some(
      (winners) => winners.has(index) && ![...winners].some((other) => other !== index && kept.has(other)),
    );
    if (!isNeeded && kept.size > 1) kept.delete(index);
  }
  const counts = new Map<number, number>();
  for (const winners of byTask)
    for (const index of winners) if (kept.has(index)) counts.set(index, (counts.get(index) ?? 0) + 1);
  return counts;
}

/** The index of the parent. @param tasks the validation tasks */
export function drawParent(pool: readonly Candidate[], tasks: readonly string[], random: Random): number {
  const lots = [...winnersByTask(pool, tasks)].flatMap(([index, count]) => Array.from({ length: count }, () => index));
  return lots[randomIndex(random, lots.length)] ?? pool[0]?.index ?? 0;
}

/** The mean score on the validation tasks that have a verdict. `null`: none has one. */
export function validationScore({ results }: Pick<Candidate, 'results'>, tasks: readonly string[]): number | null {
  const scores = tasks.flatMap((task) => results.get(task)?.score ?? []);
  return scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

/** The candidate of the pool with the highest mean score on the validation tasks. In a tie, the earlier one, which has proved cheaper to find. */
export function bestCandidate(candidates: readonly Candidate[], tasks: readonly string[]): Candidate | null {
  let best: { readonly candidate: Candidate; readonly score: number } | null = null;
  for (const candidate of candidates) {
    if (candidate.status !== 'pool') continue;
    const score = validationScore(candidate, tasks) ?? -1;
    if (!best || score > best.score) best = { candidate, score };
  }
  return best?.candidate ?? null;
}
