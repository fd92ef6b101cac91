/** @file The Conductors of the command line: built-in Conductors, templates, and workers of the pool file that can plan. */
import { createConductorFor } from '../core/conductor/conductor-for';
import { defaultConductor } from '../core/conductor/default-conductor';
import { endpointEngine } from '../core/conductor/endpoint';
import { endpointConductorInfo } from '../core/conductor/endpoint-info';
import { HEURISTIC_INFO } from '../core/conductor/heuristic';
import { createLlmConductor } from '../core/conductor/llm';
import { createPolicyConductor } from '../core/conductor/policy';
import { POLICY_INFO } from '../core/conductor/policy-info';
import { createRankedByPolicyConductor } from '../core/conductor/ranked-by-policy';
import { createSkeletonWordsConductor } from '../core/conductor/skeleton-words';
import { TEMPLATES, templateConductor } from '../core/conductor/templates';
import { partOfPolicy, withPolicyInfo } from '../core/conductor/with-policy-info';
import { fault, FaultError, type Conductor, type ConductorInfo, type WorkerClient } from '../core/contract';
import { parseCheckpoint, readCheckpoint } from '../core/policy/checkpoint';
import { systemClock } from '../platform/clock';
import checkpointFile from '../../models/policy/checkpoint.json';
import { UsageError } from './exit-codes';
import type { Pool } from './pool';

export interface Conductors {
  /** All Conductors that can plan for this pool. */
  readonly all: readonly ConductorInfo[];
  readonly policyRevision: string;
  /**
   * The Conductor with this id. `null`: the Conductor that the pool file names, or the default Conductor if
   * the file names none. Throws a `UsageError` for an unknown id.
   */
  choose(id: string | null): ConductorInfo;
  /** Makes the Conductor. Throws a `FaultError` (`worker-missing`) if it is not available on the command line. */
  conductorFor(info: ConductorInfo): Conductor;
}

/** Throws a `FaultError` (`internal`) if the trained policy is damaged. @param client calls models on servers */
export function createConductors(pool: Pool, client: WorkerClient): Conductors {
  const checkpoint = parseCheckpoint(checkpointFile);
  const weights = checkpoint && readCheckpoint(checkpoint);
  if (!checkpoint || !weights) throw new FaultError(fault('internal', 'The trained policy of this build is damaged.'));
  const policy = createPolicyConductor(checkpoint);
  const endpoints = [...pool.all.values()].filter(({ kind }) => kind === 'endpoint').map(endpointConductorInfo);
  const all = [
    POLICY_INFO,
    HEURISTIC_INFO,
    ...endpoints.flatMap((info) => [info, withPolicyInfo('skeleton', info), withPolicyInfo('ranking', info)]),
    ...TEMPLATES.map(({ info }) => info),
  ];

  function written(info: ConductorInfo): Conductor | null {
    const { model, part } = partOfPolicy(info.id) ?? { model: info.id, part: null };
    const worker = pool.all.get(model.slice('endpoint:'.length));
    if (info.kind !== 'endpoint' || worker?.kind !== 'endpoint' || !weights) return null;
    const own = endpointConductorInfo(worker);
    const options = { info: own, engine: endpointEngine(worker, client), fallback: policy, clock: systemClock };
    switch (part) {
      case null:
        return createLlmConductor(options);
      case 'skeleton':
        return createSkeletonWordsConductor({ ...options, info: withPolicyInfo(part, own), weights });
      case 'ranking':
        return createRankedByPolicyConductor({ ...options, info: withPolicyInfo(part, own), weights });
      default:
        return part satisfies never;
    }
  }

  return {
    all,
    policyRevision: weights.revision,
    conductorFor: createConductorFor({
      policy: () => policy,
      template: templateConductor,
      written,
      missing: 'is not available on the command line',
    }),
    choose(id) {
      const wanted = id ?? pool.conductor ?? usualFor(pool);
      const found = all.find((info) => info.id === wanted);
      if (found) return found;
      const names = all.map((info) => info.id).join(', ');
      throw new UsageError(`There is no Conductor “${wanted}”. Available: ${names}.`);
    },
  };
}

function usualFor({ workers, preferences: { effort, scouts } }: Pool): string {
  return defaultConductor({
    pool: workers,
    local: null,
    isOnline: true,
    isPrivate: false,
    hasImages: false,
    effort,
    scouts,
    history: [],
  }).id;
}
