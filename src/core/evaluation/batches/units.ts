/** @file The units of a batch in the order in which they run, and their seeds. A unit is one repeat of one task with one method. */
import { mixSeed, seededRandom, shuffled, type BatchPlan, type Unit } from '../../contract';

/**
 * All units of a plan. The tasks and repeats are in a random order that the plan's seed decides. The units of one task and repeat
 * are next to each other, one for each method, so that the methods progress evenly. The methods take turns at being first.
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

/** The seed of a unit's run. The seed does not depend on the method, so that methods are compared under the same seeds. */
export function seedOf(plan: BatchPlan, { dataset, taskId, repeat }: Unit): number {
  return mixSeed(plan.seed, plan.datasets[dataset]?.revision ?? '', taskId, repeat);
}
