/** @file Estimates abilities of workers from graded tasks, chooses tasks, and plans measurements. */
export { MEASURED_DOMAINS, type FamilyFacts, type MeasuredDomain, type Observation } from './observation';
export {
  fitAbilities,
  LEAST_TASKS,
  statedDomains,
  type Ability,
  type Fitted,
  type Scope,
  type WorkerAbility,
} from './fit-abilities';
export { chanceBest, chanceBetter, toldApart } from './compare-workers';
export { nextTask, openFamilies, taskChooser, type ChosenTask } from './next-task';
export {
  expectedHalfWidth,
  FULL_TASKS,
  planMeasurement,
  type MeasuredWorker,
  type MeasurementPlan,
  type WorkerPlan,
} from './plan-measurement';
