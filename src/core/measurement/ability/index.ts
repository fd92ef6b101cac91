/** @file Estimates abilities of workers from graded tasks, chooses tasks, and plans measurements. */
export {
  domainsOf,
  isDatasetDomain,
  MEASURED_DOMAINS,
  type FamilyFacts,
  type MeasuredDomain,
  type Observation,
  type TaskDomain,
} from './observation';
export { fitAbilities, type Ability, type Fitted, type Scope, type WorkerAbility } from './fit-abilities';
export { chanceBest, chanceBetter, chanceNearBest, toldApart } from './compare-workers';
export { nextTask, taskChooser } from './next-task';
export { planMeasurement, type MeasurementPlan } from './plan-measurement';
