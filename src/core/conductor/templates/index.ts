/**
 * @file All templates: the baselines of arXiv 2512.04388 first, then Podium's own.
 */
import type { Conductor, ConductorInfo } from '../../contract';
import { partsOf } from '../solo';
import { bestSingle } from './best-single';
import { consensus } from './consensus';
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
  selfReflection,
  consensus,
  mixtureOfAgents,
  routing,
  sampleAndAggregate,
  debate,
  randomWorkflow,
];

/** The Conductor of a template, with or without a chosen worker. `null`: there is no such template. */
export function templateConductor(info: ConductorInfo): Conductor | null {
  return TEMPLATES.find((each) => each.info.id === partsOf(info.id).template)?.create(info) ?? null;
}
