/**
 * @file Lists the Conductors that the user can choose, and creates the Conductor of a run. The policy and
 * the code for language models are lazy-loaded when a plan first needs them.
 */
import type { ConductorChoice, ConductorServices, OfferedModel } from '../app/services';
import { createConductorFor } from '../core/conductor/conductor-for';
import { endpointConductorInfo } from '../core/conductor/endpoint-info';
import { createHeuristicConductor, HEURISTIC_INFO } from '../core/conductor/heuristic';
import { lateConductor } from '../core/conductor/late';
import { POLICY_INFO } from '../core/conductor/policy-info';
import { LISTED_TEMPLATES, TEMPLATE_ENTRIES, templateInfo } from '../core/conductor/templates/entries';
import { partOfPolicy, withPolicyInfo } from '../core/conductor/with-policy-info';
import {
  fault,
  FaultError,
  isDefaultPrompt,
  localConductorInfo,
  trainedPrompt,
  toPoolWorker,
  type Conductor,
  type ConductorInfo,
  type PoolWorker,
  type WorkerClient,
  type WorkerSetup,
  loadOnce,
} from '../core/contract';
import type { Checkpoint } from '../core/policy/checkpoint';
import { systemClock } from '../platform/clock';
import { afterFirstPaint } from './first-paint';
import { loadModelConductor } from './model-conductor';
import { loadPolicyCheckpoint } from './policy-checkpoint';

/** What the Conductors need from other services. */
export interface ConductorParts {
  /** The setups of the user's endpoints (workers on servers) by id, as last read from storage. */
  readonly setups: ReadonlyMap<string, WorkerSetup>;
  /** Calls endpoints. */
  readonly client: WorkerClient;
  /** Creates the Conductor of a model on this machine. */
  readonly local: (info: ConductorInfo) => Conductor;
}

const MISSING = 'is no longer available';

export function composeConductors(parts: ConductorParts): ConductorServices {
  const conductorFor = createConductorFor({
    policy: embeddedConductor,
    template: lateTemplate,
    written: (info) => modelConductor(info, parts),
    missing: MISSING,
  });
  return {
    conductors: conductorChoices,
    conductor(info) {
      const { model } = partOfPolicy(info.id) ?? { model: info.id };
      return model.startsWith('local:') ? parts.local(localInfo(info)) : conductorFor(info);
    },
  };
}

/**
 * The built-in Conductors, local models, endpoints and templates. Each model or endpoint that is ready to
 * plan is also listed in two combinations with the policy (see `withPolicy`).
 */
function conductorChoices(workers: readonly PoolWorker[], models: readonly OfferedModel[]): readonly ConductorChoice[] {
  const policy: ConductorChoice = {
    info: POLICY_INFO,
    description: 'A small network chooses steps, workers and access for each question. Works offline.',
    instant: true,
    group: 'built-in',
  };
  const rules: ConductorChoice = {
    info: HEURISTIC_INFO,
    description: 'One to five steps, each with the worker that does its role best. Plans instantly, even offline.',
    instant: true,
    group: 'built-in',
  };
  const templates = LISTED_TEMPLATES.map((name): ConductorChoice => {
    const { description, by, acceptsWorker } = TEMPLATE_ENTRIES[name];
    return { info: templateInfo(name), description, instant: true, group: by, acceptsWorker };
  });
  const endpoints: ConductorChoice[] = workers
    .filter(({ kind }) => kind === 'endpoint')
    .map((worker) => ({
      info: endpointConductorInfo(worker),
      description: `${worker.name} writes the workflow.`,
      instant: false,
      group: 'worker',
    }));
  const written = [...models.map(localChoice), ...endpoints];
  return [policy, rules, ...written, ...written.flatMap(withPolicy), ...templates];
}

function localChoice(model: OfferedModel): ConductorChoice {
  const trained = trainedPrompt(model.manifest);
  return { ...localState(model), group: 'local', ...(isDefaultPrompt(trained) ? {} : { trained }) };
}

function localState({ manifest, phase, device }: OfferedModel): ConductorChoice {
  const info = localConductorInfo(manifest);
  const { label } = manifest;
  const description = `${label} writes the workflow on this machine.`;
  switch (phase) {
    case 'loaded':
      return {
        info,
        description,
        instant: false,
        name: device === 'browser' ? label : `${label}, on this ${device === 'webgpu' ? 'GPU' : 'machine'}`,
      };
    case 'loading':
      return {
        info,
        description,
        instant: false,
        name: `${label}, loading`,
        missing: `${label} is still being loaded.`,
      };
    case 'absent':
      return { info, description, instant: false, name: `${label}, not loaded`, missing: `${label} is not loaded.` };
    default:
      return phase satisfies never;
  }
}

/** The two Conductors that combine a model with the policy. Empty if the model is not ready. */
function withPolicy({ info, missing, trained }: ConductorChoice): ConductorChoice[] {
  if (missing !== undefined) return [];
  const own = trained ? { trained } : {};
  const words: ConductorChoice = {
    info: withPolicyInfo('skeleton', info),
    description: `The trained policy chooses steps, workers and access. ${info.label} writes the subtasks.`,
    instant: false,
    group: 'policy',
    ...own,
  };
  const ranked: ConductorChoice = {
    info: withPolicyInfo('ranking', info),
    description: `${info.label} writes several workflows. The trained policy ranks them, and the best one runs.`,
    instant: false,
    group: 'policy',
    ...own,
  };
  return [words, ranked];
}

/** The template is lazy-loaded. A plan fails if there is no such template. `null`: the Conductor is no template. */
function lateTemplate(info: ConductorInfo): Conductor | null {
  if (info.kind !== 'template') return null;
  return lateConductor(info, async () => {
    const template = (await loadTemplates()).templateConductor(info);
    if (template) return template;
    throw new FaultError(fault('worker-missing', `The Conductor ${info.label} ${MISSING}. Choose another one.`));
  });
}

/**
 * The Conductor of a model. `null`: it no longer exists. Throws a `FaultError` (`worker-missing`) if it is an endpoint that
 * the user has not confirmed.
 */
function modelConductor(info: ConductorInfo, { setups, client }: ConductorParts): Conductor | null {
  const { model, part } = partOfPolicy(info.id) ?? { model: info.id, part: null };
  const setup = info.kind === 'endpoint' ? setups.get(model.slice('endpoint:'.length)) : undefined;
  if (!setup) return null;
  if (setup.unconfirmed) {
    const message = `The Conductor ${info.label} came from a file and is not confirmed yet. Check its address under Workers and confirm it, or choose another one.`;
    throw new FaultError(fault('worker-missing', message));
  }
  const worker = toPoolWorker(setup);
  const own = endpointConductorInfo(worker);
  const options = { info: part ? withPolicyInfo(part, own) : own, fallback: embeddedConductor(), clock: systemClock };
  return lateConductor(options.info, async () => {
    const { endpointEngine } = await loadEndpoint();
    return loadModelConductor({ ...options, engine: endpointEngine(worker, client) });
  });
}

/**
 * The info of a local model, which is free and sends nothing to a server. Any price and origin in the
 * argument are dropped, because a run from a file may state false ones.
 */
function localInfo({ id, label, kind, model }: ConductorInfo): ConductorInfo {
  const engine = kind === 'transformers' || kind === 'browser' ? kind : 'webllm';
  return { id, label, kind: engine, ...(model === undefined ? {} : { model }), origin: null };
}

const loadTemplates = loadOnce(() => import('../core/conductor/templates'), 'the templates');
const loadEndpoint = loadOnce(() => import('../core/conductor/endpoint'));

/**
 * The Conductor that needs no language model. Plans with the policy in use, or with the built-in rules
 * if the policy can't be loaded.
 */
export function embeddedConductor(): Conductor {
  return lateConductor(POLICY_INFO, loadPolicy, createHeuristicConductor());
}

/**
 * Loads the Conductor of the policy in use. Keeps the unpacked weights until another policy is in use.
 * Waits for the first paint, because the load would delay it.
 */
async function loadPolicy(): Promise<Conductor> {
  await afterFirstPaint();
  const [{ createPolicyConductor }, checkpoint] = await Promise.all([loadPolicyCode(), loadPolicyCheckpoint()]);
  if (unpacked?.checkpoint !== checkpoint) unpacked = { checkpoint, conductor: createPolicyConductor(checkpoint) };
  return unpacked.conductor;
}

let unpacked: { readonly checkpoint: Checkpoint; readonly conductor: Conductor } | null = null;

const loadPolicyCode = loadOnce(() => import('../core/conductor/policy'), 'the trained policy');
