/**
 * @file Creates the methods that a batch compares: Conductors, and ablations of Conductors. An ablation is a Conductor whose
 * plans are partly replaced, or whose pool is reduced. Podium's baselines are templates. A template is a kind of Conductor, so
 * baselines need no code of their own here.
 */
import { templateEntry } from '../../conductor/templates/entries';
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

/** A Conductor as a method. Each ablation of a Conductor is a separate method. */
export function conductorMethod(conductor: ConductorInfo, settings: MethodSettings, ablation?: Ablation): Method {
  const changes = ablation ? changesOf(ablation, settings.pool) : [];
  const suffix = ablation && changes.length > 0 ? `:${sha256Hex(JSON.stringify(ablation)).slice(0, 8)}` : '';
  return {
    id: `${conductor.id}${suffix}`,
    label: [conductor.label, ...changes].join(', '),
    settings: {
      ...settings,
      conductor,
      maxSteps: stepsOf(conductor, settings),
      ...(templateEntry(conductor.id)?.skipsSettled ? { skipSettled: true } : {}),
    },
    ...(ablation && changes.length > 0 ? { ablation } : {}),
  };
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
