/** @file Lists the units of a batch in running order. */
import { mixSeed, seededRandom, shuffled, type BatchPlan, type Unit } from '../../contract';

/**
 * All units of a plan. The plan's seed shuffles the pairs of task and repeat. The units of one pair follow
 * each other, one for each method, so that all methods progress evenly. The methods take turns at
 * being first.
 */
export function unitsOf(plan: BatchPlan): Unit[] {
  const repeats = [...Array(plan.repeats).keys()];
  const trials = plan.datasets.flatMap(({ taskIds }, dataset) =>
    taskIds.flatMap((taskId) => repeats.map((repeat) => ({ dataset, taskId, repeat }))),
  );
  const count = plan.methods.length;
  return shuffled(trials, seededRandom(mixSeed(plan.seed, 'order'))).flatMap(({ dataset, taskId, repeat }, place) =>
    plan.methods.map((_, index) => ({ dataset, taskId, method: (place + index) % count, repeat })),
  );
}

/**
 * The seed of a unit's run. It does not depend on the method, so that the results of the methods can be
 * compared.
 */
export function seedOf(plan: BatchPlan, { dataset, taskId, repeat }: Unit): number {
  return mixSeed(plan.seed, plan.datasets[dataset]?.revision ?? '', taskId, repeat);
}
