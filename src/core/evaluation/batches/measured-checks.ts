/**
 * @file Records in the plan of a batch what was measured of its workers as checkers. So all runs of the batch trust their checks by
 * the same figures, also after a pause, on other machines, and after a new measurement.
 */
import { VERDICTS, type BatchPlan, type CheckObservation, type MeasuredChecks, type PoolWorker } from '../../contract';
import type { RunsDependencies } from '../../runs/runs';
import { checkerCounts } from '../../analysis/statistics/check-trust';

/**
 * Adds what is known now. If nothing is, keeps what the plan has, for example from the browser that exported it. Never rejects,
 * because a batch can start without measurements.
 */
export async function withMeasuredChecks(
  plan: BatchPlan,
  measuredChecks: RunsDependencies['measuredChecks'],
): Promise<BatchPlan> {
  const pool = new Map(plan.methods.flatMap(({ settings }) => settings.pool).map((worker) => [worker.id, worker]));
  const observations = (await measuredChecks?.([...pool.values()]).catch(() => [])) ?? [];
  if (observations.length === 0) return plan;
  const domains = [...new Set(observations.map(({ domain }) => domain))];
  const counted = domains.flatMap((domain) =>
    checkerCounts(observations.filter((each) => each.domain === domain)).map((counts) => ({ ...counts, domain })),
  );
  return { ...plan, measuredChecks: counted };
}

/** What is known of the workers of a pool. */
export function measuredOf({ measuredChecks = [] }: BatchPlan, pool: readonly PoolWorker[]): readonly MeasuredChecks[] {
  return measuredChecks.filter(({ checker }) => pool.some(({ id }) => id === checker));
}

/** The verdicts one by one, as `trustIn` reads them. */
export function observationsOf(measured: readonly MeasuredChecks[]): readonly CheckObservation[] {
  return measured.flatMap(({ checker, domain, ...counts }) =>
    ([true, false] as const).flatMap((isRight) =>
      VERDICTS.flatMap((verdict) =>
        Array.from({ length: counts[isRight ? 'right' : 'wrong'][verdict] }, () => ({
          checker,
          domain,
          verdict,
          isRight,
        })),
      ),
    ),
  );
}
