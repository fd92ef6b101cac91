/**
 * @file Estimates a worker's ability over all domains as one number. The number is used for choices that
 * should not change with each question, such as which worker writes the plans. The formula is like `overall`
 * in `worker-record.ts`, but without a specific domain:
 *
 * `ability = (right + PRIOR_RUNS · prior) / (runs + PRIOR_RUNS)`
 *
 * `runs` is the number of graded runs in which the worker had a step, and `right` is how many of these were
 * graded right. `prior` depends on what is known:
 * - If some domains are known, `prior` is the mean of their abilities. The ability in a domain is its
 *   declared strength, or else its published ability. If a strength for the role `plan` is also declared,
 *   `prior` is the geometric mean of two numbers: the mean over the domains, and the strength for `plan`.
 * - If no domain is known, `prior` is the declared strength for the role `plan`, or else the mean of the
 *   strengths for other roles, or else `UNKNOWN_STRENGTH`.
 */
import { DOMAINS, type Domain, type GradedRun, type PoolWorker } from '../contract';
import { PRIOR_RUNS, UNKNOWN_STRENGTH } from './worker-record';

export interface GeneralAbility {
  /** Expected share of right answers, from 0 to 1. */
  readonly ability: number;
  /** The domain with the highest declared strength or published ability. `null`: no domain is known. */
  readonly strongest: Domain | null;
}

/** @returns `null` if nothing is declared, published or measured */
export function generalAbility(worker: PoolWorker, history: readonly GradedRun[]): GeneralAbility | null {
  const { domains = {}, strengths = {}, published } = worker;
  const byDomain = DOMAINS.flatMap((domain) => {
    const ability = domains[domain] ?? published?.domains[domain]?.ability;
    return ability === undefined ? [] : [{ domain, ability }];
  });
  const ofDomains = mean(byDomain.map(({ ability }) => ability));
  const ofRole = strengths.plan ?? (ofDomains === null ? mean(Object.values(strengths)) : null);
  const prior = ofDomains !== null && ofRole !== null ? Math.sqrt(ofDomains * ofRole) : (ofDomains ?? ofRole);
  const runs = history.filter(({ played }) => played.some(({ workerId }) => workerId === worker.id));
  if (prior === null && runs.length === 0) return null;
  const right = runs.filter((run) => run.right).length;
  const ability = (right + PRIOR_RUNS * (prior ?? UNKNOWN_STRENGTH)) / (runs.length + PRIOR_RUNS);
  const [strongest] = byDomain.toSorted((one, other) => other.ability - one.ability);
  return { ability, strongest: strongest?.domain ?? null };
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
