/** @file Statistics of outcomes: scores with their errors, comparisons of methods, costs, workflows. */
export { BOOTSTRAP_DRAWS, pairedDifference, type Difference } from './bootstrap';
export { disagreement, type Disagreement, type TaskAgreement } from './disagreement';
export { wilsonInterval } from './interval';
export { paretoFront, type CostPoint } from './pareto';
export { gradedAnswers, isCorrect, meanOf, scoreOf, standardError, type GradedAnswer, type Score } from './score';
export { bestSingleWorker, isSingleWorker, oracleAnswers, singleWorkers, type OracleAnswer } from './single-workers';
export { meanUsage, totalCost, validPlans, type MeanUsage } from './usage';
export {
  byDataset,
  byMethod,
  rewardHistogram,
  stepCounts,
  workerShares,
  type RewardHistogram,
  type StepCounts,
  type WorkerShare,
} from './workflows';
