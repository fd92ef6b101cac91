/**
 * @file All templates: first the baselines of arXiv 2512.04388, then Podium's own templates.
 */
import type { Conductor, ConductorInfo } from '../../contract';
import { partsOf } from '../solo';
import { bestSingle } from './best-single';
import { consensus } from './consensus';
import { debate } from './debate';
import { fittedRouter, nearestNeighbours } from './learned';
import { mixtureOfAgents } from './mixture-of-agents';
import { randomWorkflow } from './random';
import { routing } from './routing';
import { sampleAndAggregate } from './sample-and-aggregate';
import { selfReflection } from './self-reflection';
import { sampleUntilSure } from './sample-until-sure';
import { scoutsFirst } from './scouts-first';
import type { Template } from './template';
import { vote } from './vote';

export const TEMPLATES: readonly Template[] = [
  bestSingle,
  selfReflection,
  consensus,
  mixtureOfAgents,
  routing,
  scoutsFirst,
  sampleUntilSure,
  sampleAndAggregate,
  debate,
  randomWorkflow,
];

/** These are not in the list that users choose from. */
const ONLY_IN_EVALUATIONS: readonly Template[] = [vote, nearestNeighbours, fittedRouter];

/** Creates the Conductor of a template, with the worker that the user chose, if any. `null`: the template does not exist. */
export function templateConductor(info: ConductorInfo): Conductor | null {
  const all = [...TEMPLATES, ...ONLY_IN_EVALUATIONS];
  return all.find((each) => each.info.id === partsOf(info.id).template)?.create(info) ?? null;
}
