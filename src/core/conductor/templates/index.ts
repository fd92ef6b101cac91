/** @file Every fixed topology there is to choose from: the baselines of arXiv 2512.04388 and their like. */
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
