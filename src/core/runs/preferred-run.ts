/** @file Makes a `NewRun` from a question and the user's preferences, for the page and for Node. */
import { templateEntry } from '../conductor/templates/entries';
import { BY_HAND_INFO, createByHandConductor } from '../conductor/by-hand';
import { candidatesFor } from '../conductor/candidate-count';
import { effortFor, followsEffort, recursionFor } from '../conductor/effort';
import { partOfPolicy } from '../conductor/with-policy-info';
import {
  entriesOf,
  isDefaultPrompt,
  promptFor,
  reasoningFor,
  RUN_SETTINGS,
  type Conductor,
  type ConductorInfo,
  type ConductorPrompt,
  type Preferences,
  type RecordedOf,
  type Sampling,
  type TrustRules,
  type Workflow,
} from '../contract';
import type { NewRun } from './new-run';

export interface PreferredRun extends Pick<NewRun, 'question' | 'context' | 'images' | 'files' | 'pool' | 'maxSteps'> {
  readonly conductor: ConductorInfo;
  /** The prompt that the Conductor's model was trained with. Default: none. */
  readonly trained?: ConductorPrompt | undefined;
  /** The plan that the user wrote. It replaces the Conductor's plan. Default: none. */
  readonly plan?: Workflow | null;
  /** The seed of the run if the preferences have none. */
  readonly seed: number;
}

/** Maximum number of steps of a short round: two for workers, and one for the Conductor, which starts the next round. */
const SHORT_ROUND = 3;

export function preferredRun(
  { conductor: chosen, trained = {}, plan = null, seed, ...given }: PreferredRun,
  preferences: Preferences,
  conductorFor: (info: ConductorInfo) => Conductor,
): NewRun {
  const { caps, dayUsd } = preferences;
  const info = plan ? BY_HAND_INFO : chosen;
  const isRecursive = recursionFor(info, preferences.effort, preferences.recursion);
  const isAlways = isRecursive && preferences.recursionMode === 'always';
  const isShort = isRecursive && preferences.recursionMode === 'rounds' && plansAsItGoes(info);
  const prompt = promptOf(info, trained, given.pool, preferences);
  return {
    ...given,
    ...recordedSettings(info, preferences),
    conductor: plan ? createByHandConductor(plan) : conductorFor(chosen),
    recursion: isRecursive && !isAlways,
    // Only models and the policy can read the results of the first round. A second round would not help other Conductors.
    recursionMode: isAlways && (isWritten(info) || isDrawn(info)) ? 'always' : isShort ? 'rounds' : 'self',
    ...(isShort ? { maxSteps: Math.min(given.maxSteps, SHORT_ROUND) } : {}),
    effort: effortFor(info, preferences.effort),
    caps,
    dayUsd,
    sampling: samplingFor(info, preferences),
    candidates: candidatesFor(info, preferences.candidates),
    ...(templateEntry(info.id)?.skipsSettled ||
    (preferences.skipSettled && effortFor(info, preferences.effort) !== 'thorough')
      ? { skipSettled: true, trustRules: trustRulesOf(preferences) }
      : {}),
    seed: preferences.seed ?? seed,
    ...(prompt ? { prompt } : {}),
  };
}

/** How far runs trust their checks if they skip settled steps. */
export function trustRulesOf({ trustBound, goOnShare }: Pick<Preferences, 'trustBound' | 'goOnShare'>): TrustRules {
  return { bound: trustBound / 100, goOnShare: goOnShare / 100 };
}

/** The settings that a run with this Conductor records. Empty settings are left out. */
function recordedSettings(info: ConductorInfo, preferences: Preferences): RecordedOf<typeof RUN_SETTINGS>;
function recordedSettings(info: ConductorInfo, preferences: Preferences): object {
  return Object.fromEntries(
    entriesOf(RUN_SETTINGS).flatMap(([name, { modelsOnly = false }]) =>
      preferences[name] === null || (modelsOnly && !isWritten(info)) ? [] : [[name, preferences[name]]],
    ),
  );
}

function samplingFor(info: ConductorInfo, { temperature, maxTokens, effort }: Preferences): Sampling {
  const reasoning = followsEffort(info) ? reasoningFor(effort, maxTokens) : null;
  return { temperature, maxTokens, ...(reasoning === null ? {} : { reasoning }) };
}

/** The user's prompt for a Conductor. `null`: the Conductor has no model, or the user has not edited the prompt. */
function promptOf(
  info: ConductorInfo,
  trained: ConductorPrompt,
  pool: NewRun['pool'],
  { prompts }: Pick<Preferences, 'prompts'>,
): ConductorPrompt | null {
  if (!isWritten(info)) return null;
  const prompt = promptFor(prompts, modelOf(info), trained, pool);
  return isDefaultPrompt(prompt) ? null : prompt;
}

/**
 * The id under which the user's prompt for a Conductor is stored. A Conductor that combines a model with the policy shares the
 * prompt of the Conductor that uses the model alone.
 */
export function modelOf({ id }: Pick<ConductorInfo, 'id'>): string {
  return partOfPolicy(id)?.model ?? id;
}

/** Whether a Conductor can write short rounds: a language model that chooses the steps. */
function plansAsItGoes(info: ConductorInfo): boolean {
  return isWritten(info) && partOfPolicy(info.id)?.part !== 'skeleton';
}

/** Whether a policy draws the plan at random, so that another try may differ. */
export function isDrawn({ kind }: Pick<ConductorInfo, 'kind'>): boolean {
  return kind === 'policy';
}

/** Whether a language model writes the plan, so that another try may differ. */
export function isWritten({ kind }: Pick<ConductorInfo, 'kind'>): boolean {
  return kind === 'endpoint' || kind === 'webllm' || kind === 'transformers' || kind === 'browser';
}
