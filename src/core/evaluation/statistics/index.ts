/** @file Statistics of outcomes: scores with their errors, comparisons of methods, costs, workflows. */
export { paretoFront } from '../../analysis/statistics/pareto';
export { wilsonInterval } from '../../analysis/statistics/interval';
export { BOOTSTRAP_DRAWS, pairedDifference, type Difference } from './bootstrap';
export { disagreement } from './disagreement';
export { gradedAnswers, meanOf, scoreOf, standardError, taskKey, type Score } from './score';
export { bestSingleWorker, isSingleWorker, oracleAnswers, singleWorkers } from './single-workers';
export { meanUsage, totalCost, totalJudgeCost, validPlans, type MeanUsage } from './usage';
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
