/**
 * @file All fixed topologies. arXiv 2512.04388 compares with a single worker, self-reflection, consensus and
 * Mixture of Agents; sample and aggregate is related to its consensus. Routing by history, debate and random are ours.
 */
import { bestSingle } from './best-single';
import { debate } from './debate';
import { mixtureOfAgents } from './mixture-of-agents';
import { randomWorkflow } from './random';
import { routing } from './routing';
import { sampleAndAggregate } from './sample-and-aggregate';
import { selfReflection } from './self-reflection';
import type { Template } from './template';

export type { Template } from './template';

export const TEMPLATES: readonly Template[] = [
  bestSingle,
  routing,
  sampleAndAggregate,
  selfReflection,
  mixtureOfAgents,
  debate,
  randomWorkflow,
];
