/**
 * @file Converts the user's choices on the form for a new batch to methods. A method is a Conductor, a baseline or one worker, with
 * its variations.
 */
import {
  type AccessScheme,
  type ConductorPrompt,
  type ExampleSet,
  type Method,
  type PoolWorker,
  type Preferences,
} from '../../core/contract';
import { maxStepsFor } from '../../core/conductor/effort';
import { withWorker } from '../../core/conductor/solo';
import { conductorMethod } from '../../core/evaluation/batches/methods';
import { startOf, type NewRun } from '../../core/runs';
import { isDrawn, isWritten } from '../../core/runs/preferred-run';
import type { ConductorChoice, ConductorServices } from '../services';
import { newRunOf } from './new-run';

/**
 * The sets of examples that a batch can compare (arXiv 2512.04388, Table 9). The user's own examples are not among them, because
 * they are part of the Conductor's prompt.
 */
export const VARIED_EXAMPLES = ['other', 'same', 'none'] as const satisfies readonly ExampleSet[];
export type VariedExamples = (typeof VARIED_EXAMPLES)[number];

/** A method's changes to the usual settings of its Conductor. */
export interface Variation {
  /** Id of a worker that carries out every step. `null`: the workers of the plan. */
  readonly onlyWorker: string | null;
  readonly plainSubtasks: boolean;
  /** The access of every step. `plan`: as in the plan. */
  readonly access: 'plan' | 'none' | 'all';
  /** The access that a model may give to a step: any earlier steps, or all or none. `null`: as in the settings. */
  readonly scheme: AccessScheme | null;
  /** The examples in the prompt. `null`: as in the settings. */
  readonly examples: VariedExamples | null;
  /** Number of workers in each task's random subset of the pool. `null`: the whole pool. */
  readonly subset: number | null;
  /** Number of rounds after the first. `null`: as in the settings. */
  readonly depth: number | null;
  /** Number of workflows to choose from. `null`: as in the settings. */
  readonly candidates: number | null;
}

export const NO_VARIATION: Variation = {
  onlyWorker: null,
  plainSubtasks: false,
  access: 'plan',
  scheme: null,
  examples: null,
  subset: null,
  depth: null,
  candidates: null,
};

/** Maximum recursion depth on the form. */
export const MOST_DEPTH = 3;

/** A Conductor that can be selected on the form, and its group in the list. */
export interface MethodChoice extends ConductorChoice {
  readonly section: 'conductors' | 'workers' | 'baselines' | 'templates';
  /** Maximum number of steps of its workflows. Absent: as in the settings. */
  readonly maxSteps?: number;
}

/** A method on the form. */
export interface MethodDraft {
  /** Stays the same while the variation changes. Unique on the form. */
  readonly id: number;
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
  const planners = conductors.map((choice): MethodChoice => {
    // The name distinguishes a worker that plans from the method that only calls this worker.
    const name = choice.group === 'worker' ? `${nameOf(choice)} as Conductor` : nameOf(choice);
    return { ...choice, name, section: sectionOf(choice) };
  });
  return [...planners, ...workers];
}

function sectionOf({ group }: ConductorChoice): MethodChoice['section'] {
  if (group === 'paper') return 'baselines';
  return group === 'podium' ? 'templates' : 'conductors';
}

/** Which variations apply to a Conductor. */
export function variationsFor(choice: ConductorChoice): { readonly [Field in keyof Variation]: boolean } {
  const writes = isWritten(choice.info);
  const plans = choice.group !== 'paper' && choice.group !== 'podium';
  return {
    onlyWorker: !choice.acceptsWorker,
    plainSubtasks: plans,
    access: true,
    scheme: writes,
    examples: writes,
    subset: true,
    depth: writes || isDrawn(choice.info),
    candidates: writes || isDrawn(choice.info),
  };
}

/** Inputs for making a method. */
export interface MethodParts {
  readonly pool: readonly PoolWorker[];
  readonly preferences: Preferences;
  readonly services: Pick<ConductorServices, 'conductor'>;
}

/** The method of a draft. Equal drafts give methods with the same id. */
export function methodOf(
  { variation }: Pick<MethodDraft, 'variation'>,
  choice: MethodChoice,
  parts: MethodParts,
): Method {
  const { onlyWorker, plainSubtasks, access, subset } = variation;
  const { question: _question, seed: _seed, ...settings } = startOf(requestOf(variation, choice, parts));
  const conductor = { ...choice.info, label: nameOf(choice) };
  const method = conductorMethod(conductor, settings, {
    ...(onlyWorker === null ? {} : { onlyWorker }),
    ...(plainSubtasks ? { plainSubtasks } : {}),
    ...(access === 'plan' ? {} : { access }),
    ...(subset === null ? {} : { subset }),
  });
  const { maxSteps = method.settings.maxSteps } = choice;
  const own: Method = { ...method, settings: { ...method.settings, conductor: choice.info, maxSteps } };
  const words = settingWords(variation);
  if (words.length === 0) return own;
  return { ...own, id: `${method.id} (${words.join(', ')})`, label: [method.label, ...words].join(', ') };
}

export function nameOf({ name, info }: ConductorChoice): string {
  return name ?? info.label;
}

const EXAMPLE_WORDS: Readonly<Record<VariedExamples, string>> = {
  other: 'out-of-domain examples',
  same: 'in-domain examples',
  none: 'no examples',
};

/** Parts of a label for the fields of a variation that `conductorMethod` does not name. */
function settingWords({ scheme, examples, depth, candidates }: Variation): string[] {
  return [
    ...(scheme === null ? [] : [scheme === 'binary' ? 'all or nothing seen' : 'any earlier steps seen']),
    ...(examples === null ? [] : [EXAMPLE_WORDS[examples]]),
    ...(depth === null ? [] : [`recursion depth ${depth}`]),
    ...(candidates === null ? [] : [`best of ${candidates}`]),
  ];
}

function requestOf(variation: Variation, choice: MethodChoice, { pool, preferences, services }: MethodParts): NewRun {
  const { scheme, examples, depth, candidates } = variation;
  // A batch runs unattended, so nothing may wait for a decision.
  const unattended: Preferences = { ...preferences, approval: false, choice: 'vote' };
  const varied: Preferences = {
    ...unattended,
    access: scheme ?? preferences.access,
    candidates: candidates ?? preferences.candidates,
  };
  const maxSteps = maxStepsFor(choice.info, preferences.effort, pool);
  const input = { question: '', images: [], pool, choice, draft: null, planPool: pool, maxSteps, seed: 0 };
  const request = newRunOf(input, varied, services);
  const prompt: ConductorPrompt | undefined = examples === null ? request.prompt : { ...request.prompt, examples };
  // Only a step whose worker is the Conductor starts another round. Templates have no such step.
  const rounds = choice.info.kind === 'template' ? 0 : depth;
  return {
    ...request,
    ...(prompt ? { prompt } : {}),
    ...(rounds === null
      ? {}
      : { recursion: rounds > 0, recursionMode: 'self', caps: { ...request.caps, rounds: rounds + 1 } }),
  };
}
