/** @file Turns what the user chose on the form of a new batch into methods: a Conductor, a baseline or one worker, with variations. */
import {
  type AccessScheme,
  type ConductorPrompt,
  type Method,
  type PoolWorker,
  type Preferences,
} from '../../core/contract';
import { maxStepsFor } from '../../core/conductor/effort';
import { withWorker } from '../../core/conductor/solo';
import { startOf, type NewRun } from '../../core/runs';
import type { ConductorChoice, ConductorServices } from '../services';
import { isDrawn, isWritten, newRunOf } from './new-run';

/** How a method differs from the usual settings of its Conductor. */
export interface Variation {
  /** Id of the worker that gets every step. `null`: the workers of the plan. */
  readonly onlyWorker: string | null;
  readonly plainSubtasks: boolean;
  /** What every step sees. `plan`: what the plan says. */
  readonly access: 'plan' | 'none' | 'all';
  /** The access that a model may write. `null`: as in the settings. */
  readonly scheme: AccessScheme | null;
  /** Whether the prompt has no examples. */
  readonly withoutExamples: boolean;
  /** Workers in the random subset of the pool that each task gets. `null`: the whole pool. */
  readonly subset: number | null;
  /** Rounds after the first. `null`: as in the settings. */
  readonly depth: number | null;
  /** Workflows to choose from. `null`: as in the settings. */
  readonly candidates: number | null;
}

export const NO_VARIATION: Variation = {
  onlyWorker: null,
  plainSubtasks: false,
  access: 'plan',
  scheme: null,
  withoutExamples: false,
  subset: null,
  depth: null,
  candidates: null,
};

/** Deepest recursion that a batch measures. */
export const MOST_DEPTH = 3;

/** A Conductor to check on the form, and where it is listed. */
export interface MethodChoice extends ConductorChoice {
  readonly section: 'conductors' | 'workers' | 'baselines' | 'templates';
}

/** A method on the form. */
export interface MethodDraft {
  /** Id of its `MethodChoice`. */
  readonly choice: string;
  readonly variation: Variation;
}

/** Every method that this pool allows: Conductors, each worker alone, the baselines of the paper, and Podium's templates. */
export function methodChoices(
  conductors: readonly ConductorChoice[],
  pool: readonly PoolWorker[],
): readonly MethodChoice[] {
  const single = conductors.find(({ info }) => info.id === 'template:best-single');
  const alone = pool.filter(({ kind }) => kind !== 'python' && kind !== 'conductor');
  const workers = single
    ? alone.map((worker): MethodChoice => {
        const description = `One call to ${worker.name} for each task.`;
        return { ...single, info: withWorker(single.info, worker), name: worker.name, description, section: 'workers' };
      })
    : [];
  return [...conductors.map((choice): MethodChoice => ({ ...choice, section: sectionOf(choice) })), ...workers];
}

function sectionOf({ group }: ConductorChoice): MethodChoice['section'] {
  if (group === 'paper') return 'baselines';
  return group === 'podium' ? 'templates' : 'conductors';
}

/** Which variations make a difference for a Conductor. */
export function variationsFor(choice: ConductorChoice): { readonly [Field in keyof Variation]: boolean } {
  const writes = isWritten(choice);
  const plans = choice.group !== 'paper' && choice.group !== 'podium';
  return {
    onlyWorker: !choice.takesWorker,
    plainSubtasks: plans,
    access: true,
    scheme: writes,
    withoutExamples: writes,
    subset: true,
    depth: writes || isDrawn(choice),
    candidates: writes || isDrawn(choice),
  };
}

/** The differences in a few words, for labels: `plain subtasks, no access`. `''`: none. */
export function variationWords(variation: Variation, pool: readonly PoolWorker[]): string {
  const { onlyWorker, plainSubtasks, access, scheme, withoutExamples, subset, depth, candidates } = variation;
  const only = pool.find(({ id }) => id === onlyWorker);
  return [
    onlyWorker === null ? null : `all steps to ${only?.name ?? 'one worker'}`,
    plainSubtasks ? 'plain subtasks' : null,
    access === 'plan' ? null : access === 'none' ? 'no access' : 'full access',
    scheme === null ? null : `${scheme} access scheme`,
    withoutExamples ? 'no examples' : null,
    subset === null ? null : `random ${subset} of the pool`,
    depth === null ? null : `recursion depth ${depth}`,
    candidates === null ? null : `best of ${candidates}`,
  ]
    .filter((words) => words !== null)
    .join(', ');
}

/** What a method is made from. */
export interface MethodParts {
  readonly pool: readonly PoolWorker[];
  readonly preferences: Preferences;
  readonly services: Pick<ConductorServices, 'conductor'>;
}

/** The method of a draft. Equal drafts give methods with the same id. */
export function methodOf({ variation }: MethodDraft, choice: MethodChoice, parts: MethodParts): Method {
  const words = variationWords(variation, parts.pool);
  const label = choice.name ?? choice.info.label;
  const { question: _question, seed: _seed, ...settings } = startOf(requestOf(variation, choice, parts));
  const { onlyWorker, plainSubtasks, access, subset } = variation;
  const ablation = {
    ...(onlyWorker === null ? {} : { onlyWorker }),
    ...(plainSubtasks ? { plainSubtasks } : {}),
    ...(access === 'plan' ? {} : { access }),
    ...(subset === null ? {} : { subset }),
  };
  return {
    id: words === '' ? choice.info.id : `${choice.info.id} (${words})`,
    label: words === '' ? label : `${label}, ${words}`,
    settings,
    ...(Object.keys(ablation).length > 0 ? { ablation } : {}),
  };
}

function requestOf(variation: Variation, choice: MethodChoice, { pool, preferences, services }: MethodParts): NewRun {
  const { scheme, withoutExamples, depth, candidates } = variation;
  // A batch runs without the user, so nothing may wait for a decision.
  const unattended: Preferences = { ...preferences, approval: false, choice: 'vote' };
  const varied: Preferences = {
    ...unattended,
    access: scheme ?? preferences.access,
    candidates: candidates ?? preferences.candidates,
  };
  const maxSteps = maxStepsFor(choice.info, preferences.effort, pool);
  const input = { question: '', images: [], pool, choice, draft: null, planPool: pool, maxSteps, seed: 0 };
  const request = newRunOf(input, varied, services);
  const prompt: ConductorPrompt | undefined = withoutExamples
    ? { ...request.prompt, examples: 'none' }
    : request.prompt;
  return {
    ...request,
    ...(prompt ? { prompt } : {}),
    ...(depth === null
      ? {}
      : { recursion: depth > 0, recursionMode: 'self', caps: { ...request.caps, rounds: depth + 1 } }),
  };
}
