/** @file Saved runs into figures: what steps are for, where questions lie, how workers have done. */
export { recogniseRole, roleOf, type Place } from './roles';
export { EMBEDDING_DIMENSION, questionEmbedding, similarity } from './question-embedding';
export { TOPOLOGIES, topologyOf, type Topology } from './topology';
export {
  weighRuns,
  workerFeatures,
  type FeatureOptions,
  type NearAndOverall,
  type Rate,
  type WeightedRun,
  type WorkerFeatures,
} from './worker-features';
