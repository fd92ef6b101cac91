/** @file Compares the abilities of workers. All statements are about the fixed mix of tasks, and take the uncertainty into account. */
import { at } from './cholesky';
import type { Fitted, Scope } from './fit-abilities';

/** Two workers can be told apart if one is better with at least this probability. */
const SURE = 0.95;

/**
 * The probability that each worker is the best one. Workers with too few tasks in the domain are missing, so the map may be empty.
 * Sorted, the most probable best first.
 */
export function chanceBest({ draws }: Fitted, scope: Scope): ReadonlyMap<string, number> {
  const rows = [...draws].flatMap(([worker, byScope]) => {
    const values = byScope[scope];
    return values ? [{ worker, values, wins: 0 }] : [];
  });
  const count = rows[0]?.values.length ?? 0;
  for (let draw = 0; draw < count; draw++) {
    const best = rows.reduce((top, row) => (at(row.values, draw) > at(top.values, draw) ? row : top));
    best.wins += 1;
  }
  return new Map(
    rows.toSorted((one, other) => other.wins - one.wins).map(({ worker, wins }) => [worker, wins / count]),
  );
}

/**
 * The probability that each worker is at most `margin` (0 to 1) below the best one. Workers with too few tasks in the domain are
 * missing.
 */
export function chanceNearBest({ draws }: Fitted, scope: Scope, margin: number): ReadonlyMap<string, number> {
  const rows = [...draws].flatMap(([worker, byScope]) => {
    const values = byScope[scope];
    return values ? [{ worker, values }] : [];
  });
  const best = rows[0]?.values.map((_, draw) => Math.max(...rows.map(({ values }) => at(values, draw))));
  if (!best) return new Map();
  return new Map(
    rows.map(({ worker, values }) => {
      const near = values.reduce((count, value, draw) => count + (value >= at(best, draw) - margin ? 1 : 0), 0);
      return [worker, near / values.length];
    }),
  );
}

/** The probability that one worker is better than the other. `null`: a worker has too few tasks. */
export function chanceBetter({ draws }: Fitted, one: string, other: string, scope: Scope): number | null {
  const [mine, theirs] = [draws.get(one)?.[scope], draws.get(other)?.[scope]];
  if (!mine || !theirs) return null;
  return mine.reduce((wins, value, draw) => wins + (value > at(theirs, draw) ? 1 : 0), 0) / mine.length;
}

/** Whether one of two workers is better with at least 95 % probability. */
export function toldApart(fitted: Fitted, one: string, other: string, scope: Scope): boolean {
  const chance = chanceBetter(fitted, one, other, scope);
  return chance !== null && (chance >= SURE || chance <= 1 - SURE);
}
