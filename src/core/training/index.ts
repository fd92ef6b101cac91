/** @file Training of the coordination policy: environment, GRPO, evaluation. */
export { useBackend, type Backend } from './backend';
export { CONTENDER_WORDS, CONTENDERS, compareOn, playPolicy, type Contender } from './contenders';
export { drawItem, drawSociety, STEP_COST, type Item, type Society } from './environment';
export {
  compare,
  estimate,
  summarise,
  TRIAL_WORDS,
  trialItems,
  TRIALS,
  trialSocieties,
  type Comparison,
  type Estimate,
  type Standing,
  type Trial,
} from './evaluation';
export { LOSSES, type LossName } from './grpo';
export { createCourse, DEFAULT_COURSE, type Course, type CourseOptions, type CourseStep } from './trainer';
export { curveDrawing } from './curve-drawing';
export { modelCard } from './model-card';
export {
  chosenTraining,
  leadOnValidation,
  leads,
  mayReplaceHeuristic,
  readTrainingRecord,
  recordName,
  type CurvePoint,
  type TrainingRecord,
} from './training-record';
