/**
 * @file Converts the choices on the form for a new batch to methods, which the batch compares. A method is a Conductor, a
 * baseline or a single worker. A variation changes some settings of a method.
 */
import type { AccessScheme, ConductorPrompt, ExampleSet, Method, PoolWorker, Preferences } from '../../core/contract';
import { maxStepsFor } from '../../core/conductor/effort';
import { partsOf, withWorker } from '../../core/conductor/solo';
import { UNLISTED_ENTRIES, unlistedInfo } from '../../core/conductor/templates/unlisted';
import { conductorMethod } from '../../core/evaluation/batches/methods';
import { startOf, type NewRun } from '../../core/runs/new-run';
import { isDrawn, isWritten, trustRulesOf } from '../../core/runs/preferred-run';
import type { ConductorChoice, ConductorServices } from '../services';
import { newRunOf } from '../state/new-run';

/**
 * The sets of examples that a variation can choose (arXiv 2512.04388, Table 9). `own` is left out, because no
 * variation is needed for it: if the saved prompt has the user's own examples, methods use them by default.
 */
export const VARIED_EXAMPLES = ['other', 'same', 'none'] as const satisfies readonly ExampleSet[];
export type VariedExamples = (typeof VARIED_EXAMPLES)[number];

/**
 * `skip`: settled steps are skipped. `ask`: checks are asked for verdicts, but no step is skipped, which shows what skipping would
 * have changed. `call`: neither.
 */
export const SKIPPING = ['skip', 'ask', 'call'] as const;
export type Skipping = (typeof SKIPPING)[number];

/** How a method changes the plans and settings of its Conductor. */
export interface Variation {
  /** Id of a worker that performs every step. `null`: the plan chooses the workers. */
  readonly onlyWorker: string | null;
  readonly plainSubtasks: boolean;
  /** `none`: no step sees another step. `all`: every step sees all earlier steps. `plan`: as in the plan. */
  readonly access: 'plan' | 'none' | 'all';
  /** Which access lists the Conductor's model may write, see `AccessScheme`. `null`: as in the settings. */
  readonly scheme: AccessScheme | null;
  /** The examples in the prompt. `null`: as in the settings. */
  readonly examples: VariedExamples | null;
  /** Size of the random subset of the pool, drawn for each task. `null`: the whole pool. */
  readonly subset: number | null;
  /** Maximum number of rounds after the first round. `null`: as in the settings. */
  readonly depth: number | null;
  /** Number of candidate workflows, of which one runs. `null`: as in the settings. */
  readonly candidates: number | null;
  /** What happens after a check that found the answer right, see `SKIPPING`. `null`: as in the settings. */
  readonly skipping: Skipping | null;
  /** Whether workers think as much as they can. */
  readonly mostThinking: boolean;
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
  skipping: null,
  mostThinking: false,
};

/** Maximum `depth` that the form accepts. */
export const MOST_DEPTH = 3;

/** An option in the form's list of methods. */
export interface MethodChoice extends ConductorChoice {
  readonly section: 'conductors' | 'workers' | 'baselines' | 'templates';
  /** Maximum number of steps in a workflow. Absent: as in the settings. */
  readonly maxSteps?: number;
}

/** A method that the user has set up on the form. */
export interface MethodDraft {
  /** Stays the same while the variation changes. Unique on the form. */
  readonly id: number;
  /** The `info.id` of its `MethodChoice`. */
  readonly choice: string;
  readonly variation: Variation;
}

/** All methods that the form offers for a pool: Conductors, single workers, the paper's baselines, and Podium's templates. */
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
    // A worker can be a Conductor or a single-worker method. The suffix distinguishes the Conductor.
    const name = choice.group === 'worker' ? `${nameOf(choice)} as Conductor` : nameOf(choice);
    return { ...choice, name, section: sectionOf(choice) };
  });
  return [...planners, ...workers];
}

function sectionOf({ group }: ConductorChoice): MethodChoice['section'] {
  if (group === 'paper') return 'baselines';
  return group === 'podium' ? 'templates' : 'conductors';
}

/** Whether each field of a variation applies to a Conductor. */
export function variationsFor(
  choice: ConductorChoice,
  pool: readonly PoolWorker[] = [],
): { readonly [Field in keyof Variation]: boolean } {
  const single = choice.info.id.startsWith('template:best-single@') ? partsOf(choice.info.id).worker : null;
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
    skipping: plans,
    // Only a worker with a setting for thinking is known to accept one.
    mostThinking: pool.find(({ id }) => id === single)?.thinks !== undefined,
  };
}

/** Inputs for making a method. */
export interface MethodParts {
  readonly pool: readonly PoolWorker[];
  readonly preferences: Preferences;
  readonly services: Pick<ConductorServices, 'conductor'>;
}

/** Makes the method of a draft. Equal drafts get the same method id. */
export function methodOf(
  { variation }: Pick<MethodDraft, 'variation'>,
  choice: MethodChoice,
  parts: MethodParts,
): Method {
  const { onlyWorker, plainSubtasks, access, subset } = variation;
  const { question: _question, seed: _seed, ...started } = startOf(requestOf(variation, choice, parts));
  const settings = withSkipping(started, variation.skipping);
  const conductor = { ...choice.info, label: nameOf(choice) };
  const method = conductorMethod(conductor, settings, {
    ...(onlyWorker === null ? {} : { onlyWorker }),
    ...(plainSubtasks ? { plainSubtasks } : {}),
    ...(access === 'plan' ? {} : { access }),
    ...(subset === null ? {} : { subset }),
  });
  const { maxSteps = method.settings.maxSteps } = choice;
  const own: Method = {
    ...method,
    settings: { ...method.settings, conductor: choice.info, maxSteps },
    ...(method.settings.skipSettled && !settings.trust ? { trustRules: trustRulesOf(parts.preferences) } : {}),
  };
  const words = settingWords(variation);
  if (words.length === 0) return own;
  return { ...own, id: `${method.id} (${words.join(', ')})`, label: [method.label, ...words].join(', ') };
}

/** Settings with another choice of what happens after a check that found the answer right. */
function withSkipping(settings: Method['settings'], skipping: Skipping | null): Method['settings'] {
  const { skipSettled: _skipped, trust: _trust, ...others } = settings;
  switch (skipping) {
    case null:
      return settings;
    case 'call':
      return others;
    case 'skip':
      return { ...others, skipSettled: true };
    case 'ask':
      return { ...others, skipSettled: true, trust: { bound: 0, goesOn: true, checkers: {}, solvers: {} } };
    default:
      return skipping satisfies never;
  }
}

export function nameOf({ name, info }: ConductorChoice): string {
  return name ?? info.label;
}

const EXAMPLE_WORDS: Readonly<Record<VariedExamples, string>> = {
  other: 'out-of-domain examples',
  same: 'in-domain examples',
  none: 'no examples',
};

const SKIPPING_WORDS: Readonly<Record<Skipping, string>> = {
  skip: 'settled steps skipped',
  ask: 'verdicts asked, nothing skipped',
  call: 'nothing skipped',
};

/** Label parts for the fields of a variation. Fields that `conductorMethod` adds to the label are left out. */
function settingWords({ scheme, examples, depth, candidates, skipping, mostThinking }: Variation): string[] {
  return [
    ...(scheme === null ? [] : [scheme === 'binary' ? 'all or nothing seen' : 'any earlier steps seen']),
    ...(examples === null ? [] : [EXAMPLE_WORDS[examples]]),
    ...(depth === null ? [] : [`recursion depth ${depth}`]),
    ...(candidates === null ? [] : [`best of ${candidates}`]),
    ...(skipping === null ? [] : [SKIPPING_WORDS[skipping]]),
    ...(mostThinking ? ['most thinking'] : []),
  ];
}

function requestOf(variation: Variation, choice: MethodChoice, { pool, preferences, services }: MethodParts): NewRun {
  const { scheme, examples, depth, candidates, mostThinking } = variation;
  // A batch runs unattended, so it must never wait for the user.
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
  // A template never assigns a step to the Conductor, and a method of one step calls one worker. So both have no further rounds.
  const rounds = choice.info.kind === 'template' || choice.maxSteps === 1 ? 0 : depth;
  const recursionMode = request.recursionMode === 'always' ? 'self' : request.recursionMode;
  return {
    ...request,
    ...(prompt ? { prompt } : {}),
    ...(mostThinking ? { sampling: { ...request.sampling, mostThinking } } : {}),
    ...(rounds === null ? {} : { recursion: rounds > 0, recursionMode, caps: { ...request.caps, rounds: rounds + 1 } }),
  };
}

const ONE_CALL = new Set(['template:best-single', 'template:routing']);
const RANDOM = 'template:random';
const REFUSED = 'Needs answers that are not in the table.';
/** Their fit takes seconds, so they run only in the Web Worker, which makes no calls to a judge. */
const ROUTERS = ['nearest-neighbours', 'fitted-router'] as const;
const JUDGED = 'Needs tasks that are graded without a judge.';

/**
 * Limits the methods of an evaluation with recorded workers. Their table has answers only to whole questions, so a method can make
 * only one call, with the whole question. The trained policy and the random workflow become such methods. Others are unavailable,
 * with a reason. Adds the routers that learn from a table.
 */
export function forRecordedWorkers(choices: readonly MethodChoice[], needsJudge: boolean): readonly MethodChoice[] {
  const limited = choices.map((choice): MethodChoice => {
    const { info, section } = choice;
    if (section === 'workers' || ONE_CALL.has(info.id)) return choice;
    if (info.kind === 'policy') {
      const description = 'One call for each task, to the worker that the policy chooses by the history.';
      return { ...choice, name: `${nameOf(choice)}, one step`, description, maxSteps: 1 };
    }
    if (info.id !== RANDOM) return { ...choice, missing: REFUSED };
    const description = 'One call for each task, to a worker drawn at random.';
    return { ...choice, name: 'Random worker', description, maxSteps: 1 };
  });
  const routers = ROUTERS.map((name): MethodChoice => {
    const { description, by } = UNLISTED_ENTRIES[name];
    const choice: MethodChoice = {
      info: unlistedInfo(name),
      description,
      instant: true,
      group: by,
      section: 'templates',
    };
    return needsJudge ? { ...choice, missing: JUDGED } : choice;
  });
  return [...limited, ...routers];
}
