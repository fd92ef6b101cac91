/**
 * @file Derives facts from questions, plans and saved runs, such as the role of each step, the similarity of questions and the
 * success rates of workers.
 */
export { domainOf } from './domain';
export { ANSWERING, recognizeRole, roleOf } from './roles';
export { EMBEDDING_DIMENSION, questionEmbedding, similarity } from './question-embedding';
export { shapeOf } from './shape';
export {
  checkerCounts,
  checkerRows,
  checkerRates,
  isKnownChecker,
  precisionOf,
  solverAbility,
  type CheckerRow,
} from './statistics/check-trust';
export { TOPOLOGIES, topologyOf, type Topology } from './topology';
export { weighRuns, workerFeatures } from './worker-features';
export { workerRecords, type WorkerRecord } from './worker-record';
