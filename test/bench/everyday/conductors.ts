/** @file The Conductors to compare: those that need no local model, and two that know how often each worker is right. */
import checkpoint from '../../../models/policy/checkpoint.json';
import { createByHandConductor } from '../../../src/core/conductor/by-hand';
import { endpointEngine } from '../../../src/core/conductor/endpoint';
import { endpointConductorInfo } from '../../../src/core/conductor/endpoint-info';
import { createHeuristicConductor } from '../../../src/core/conductor/heuristic';
import { createLlmConductor } from '../../../src/core/conductor/llm';
import { systemClock } from '../../../src/platform/clock';
import { createPolicyConductor } from '../../../src/core/conductor/policy';
import { createSkeletonWordsConductor } from '../../../src/core/conductor/skeleton-words';
import { TEMPLATES } from '../../../src/core/conductor/templates';
import { withPolicyInfo } from '../../../src/core/conductor/with-policy-info';
import type { Conductor, PlanRequest } from '../../../src/core/contract';
import { readCheckpoint } from '../../../src/core/policy/checkpoint';
import type { EverydayQuestion } from '../../fixtures/everyday/question';
import { EVERYDAY_WORKERS } from '../../fixtures/everyday/workers';
import type { Pools } from './pools';

/** Chooses a Conductor for each question. */
export interface Contestant {
  readonly label: string;
  readonly of: (question: EverydayQuestion) => Conductor;
  /** `built-in`: needs no language model. `reference`: not offered by the page. */
  readonly kind: 'built-in' | 'model' | 'reference';
}

/**
 * Returns all contestants. The Conductor in which the policy ranks a model's plans is not among them: the scripted
 * model always writes the same plan, so there is nothing to rank.
 */
export function contestants({ seven, scripted, workers }: Pools): readonly Contestant[] {
  const policy = createPolicyConductor(checkpoint);
  const weights = readCheckpoint(checkpoint);
  if (!weights) throw new Error('The shipped checkpoint cannot be read.');
  const info = endpointConductorInfo(scripted);
  const engine = endpointEngine(scripted, workers(scripted));
  const model = createLlmConductor({ info, engine, clock: systemClock, fallback: policy });
  const words = createSkeletonWordsConductor({
    info: withPolicyInfo('skeleton', info),
    engine,
    clock: systemClock,
    weights,
  });
  const builtIn = [policy, createHeuristicConductor(), ...TEMPLATES.map((template) => template.create())];
  const withTables: Contestant = {
    label: 'Scripted model that knows each worker’s accuracy',
    kind: 'reference',
    of: () => ({ info, propose: (request, signal) => model.propose(withFigures(request), signal) }),
  };
  const oneStep: Contestant = {
    label: 'One step, by the most accurate worker',
    kind: 'reference',
    of: ({ domain }) => {
      const [best] = EVERYDAY_WORKERS.toSorted((one, other) => other.ability[domain] - one.ability[domain]);
      const worker = seven.findIndex(({ id }) => id === best?.key);
      return createByHandConductor({ steps: [{ worker, subtask: 'Answer the question.', access: [] }] });
    },
  };
  return [
    ...builtIn.slice(0, 2).map((conductor) => always(conductor, 'built-in')),
    ...[model, words].map((conductor) => always(conductor, 'model')),
    ...builtIn.slice(2).map((conductor) => always(conductor, 'built-in')),
    withTables,
    oneStep,
  ];
}

/** Replaces each worker's description by how often the worker is right in each domain. */
function withFigures(request: PlanRequest): PlanRequest {
  const pool = request.pool.map((worker) => {
    const ability = EVERYDAY_WORKERS.find(({ key }) => key === worker.id)?.ability ?? {};
    const figures = Object.entries(ability).map(([domain, percent]) => `${domain} ${percent}`);
    return figures.length === 0 ? worker : { ...worker, description: `Right in percent: ${figures.join(', ')}` };
  });
  return { ...request, pool };
}

function always(conductor: Conductor, kind: Contestant['kind']): Contestant {
  return { label: conductor.info.label, of: () => conductor, kind };
}
