/**
 * @file Creates the methods that a batch compares: Conductors, the baselines of arXiv 2512.04388 (“the
 * paper”), single workers, and ablations. An ablation is a Conductor whose plans are partly replaced, or
 * whose pool is reduced.
 */
import { TEMPLATES, type Template } from '../../conductor/templates';
import { withWorker } from '../../conductor/solo';
import {
  sha256Hex,
  TEMPLATE_MAX_STEPS,
  type Ablation,
  type ConductorInfo,
  type Method,
  type PoolWorker,
} from '../../contract';

/** Settings that several methods share. */
export type MethodSettings = Omit<Method['settings'], 'conductor'>;

/** The baselines of the paper, and a random workflow (not in the paper). All are templates. */
export type Baseline = 'self-reflection' | 'consensus' | 'mixture-of-agents' | 'random';

/** A Conductor as a method. Each ablation of a Conductor is a separate method. */
export function conductorMethod(conductor: ConductorInfo, settings: MethodSettings, ablation?: Ablation): Method {
  const changes = ablation ? changesOf(ablation, settings.pool) : [];
  const suffix = ablation && changes.length > 0 ? `:${sha256Hex(JSON.stringify(ablation)).slice(0, 8)}` : '';
  return {
    id: `${conductor.id}${suffix}`,
    label: [conductor.label, ...changes].join(', '),
    settings: { ...settings, conductor, maxSteps: stepsOf(conductor, settings) },
    ...(ablation && changes.length > 0 ? { ablation } : {}),
  };
}

/** For each worker of the pool, a method that calls only this worker, as in Tables 7 and 8 of the paper. */
export function singleWorkerMethods(settings: MethodSettings): Method[] {
  return soloMethods('best-single', settings).map((method, index) => {
    const worker = workersOf(settings.pool)[index];
    return worker ? { ...method, label: worker.name } : method;
  });
}

/**
 * The methods of a baseline. Self-reflection and consensus have one method for each worker. The other
 * baselines have one method.
 */
export function baselineMethods(baseline: Baseline, settings: MethodSettings): Method[] {
  return soloMethods(baseline, settings);
}

function soloMethods(name: string, settings: MethodSettings): Method[] {
  const template = templateOf(name);
  // A template never assigns a step to the Conductor, so its runs have only one round.
  const own: MethodSettings = { ...settings, pool: workersOf(settings.pool), recursion: false, recursionMode: 'self' };
  if (!template.acceptsWorker) return [conductorMethod(template.info, own)];
  return own.pool.map((worker) => conductorMethod(withWorker(template.info, worker), own));
}

function workersOf(pool: readonly PoolWorker[]): readonly PoolWorker[] {
  return pool.filter(({ kind }) => kind !== 'conductor');
}

function templateOf(name: string): Template {
  const found = TEMPLATES.find(({ info }) => info.id === `template:${name}`);
  if (!found) throw new RangeError(`There is no template ${name}.`);
  return found;
}

/**
 * The step limit of a method. Templates get at least `TEMPLATE_MAX_STEPS`. A Mixture of Agents, for
 * example, needs a step for each worker and a last step that combines their answers.
 */
function stepsOf({ kind }: ConductorInfo, { maxSteps }: MethodSettings): number {
  return kind === 'template' ? Math.max(maxSteps, TEMPLATE_MAX_STEPS) : maxSteps;
}

function changesOf({ onlyWorker, plainSubtasks, access, subset }: Ablation, pool: readonly PoolWorker[]): string[] {
  const only = pool.find(({ id }) => id === onlyWorker);
  return [
    ...(onlyWorker === undefined ? [] : [`all steps by ${only?.name ?? onlyWorker}`]),
    ...(plainSubtasks ? ['plain subtasks'] : []),
    ...(access === undefined ? [] : [access === 'all' ? 'every step sees all' : 'no step sees another']),
    ...(subset === undefined ? [] : [`random ${subset} of the pool`]),
  ];
}
