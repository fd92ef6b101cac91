/**
 * @file Decides which settings of a backup apply immediately. A setting that would share, spend or trust more than the current
 * setting waits for the user's confirmation.
 */
import { EFFORTS, type Effort } from '../run/effort';
import type { Caps } from '../run/settings';
import { RUN_FILTER_LIMITS, type Preferences, type RestoredSettings } from '../worker/setup';
import { samePrompts } from '../workflow/conductor-prompt';

/**
 * The preferences after a restore.
 * @param file the preferences in the backup
 * @param here the current preferences
 * @returns the preferences to store. `restored` contains the settings that wait for the user's confirmation
 */
export function admitSettings(file: Preferences, here: Preferences): Preferences {
  const caps = tighterCaps(file.caps, here.caps);
  const admitted: Preferences = {
    ...file,
    caps,
    conductor: maySendMore(file.conductor, here.conductor) ? here.conductor : file.conductor,
    pool: here.pool,
    otherPool: here.otherPool,
    dayUsd: tighter(file.dayUsd, here.dayUsd),
    isPrivate: file.isPrivate || here.isPrivate,
    approval: file.approval || here.approval,
    recursion: file.recursion && here.recursion,
    effort: lower(file.effort, here.effort),
    recursionMode: file.recursionMode === 'always' ? here.recursionMode : file.recursionMode,
    planRetries: Math.min(file.planRetries, here.planRetries),
    // The user has not approved the prompts in the file.
    prompts: here.prompts,
    maxTokens: Math.min(file.maxTokens, here.maxTokens),
    candidates: Math.min(file.candidates, here.candidates),
    // Otherwise a file could make its own imported grades count.
    importedGrades: file.importedGrades && here.importedGrades,
    runFilters: mergedFilters(file.runFilters, here.runFilters),
    restored: null,
  };
  const waiting = {
    ...(file.conductor === admitted.conductor ? {} : { conductor: file.conductor }),
    ...waitingPools(file, here),
    ...(isSameCaps(file.caps, caps) ? {} : { caps: file.caps }),
    ...(file.dayUsd === admitted.dayUsd ? {} : { dayUsd: file.dayUsd }),
    ...(file.isPrivate === admitted.isPrivate ? {} : { isPrivate: file.isPrivate }),
    ...(file.approval === admitted.approval ? {} : { approval: file.approval }),
    ...(file.recursion === admitted.recursion ? {} : { recursion: file.recursion }),
    ...(file.effort === admitted.effort ? {} : { effort: file.effort }),
    ...(file.recursionMode === admitted.recursionMode ? {} : { recursionMode: file.recursionMode }),
    ...(file.planRetries === admitted.planRetries ? {} : { planRetries: file.planRetries }),
    ...(samePrompts(file.prompts, here.prompts) ? {} : { prompts: file.prompts }),
    ...(file.maxTokens === admitted.maxTokens ? {} : { maxTokens: file.maxTokens }),
    ...(file.candidates === admitted.candidates ? {} : { candidates: file.candidates }),
    ...(file.importedGrades === admitted.importedGrades ? {} : { importedGrades: file.importedGrades }),
  } satisfies RestoredSettings;
  return Object.keys(waiting).length === 0 ? admitted : { ...admitted, restored: waiting };
}

/** The pools of the file that wait for confirmation. `otherPool` waits only if `pool` waits. */
function waitingPools(file: Preferences, here: Preferences): Pick<RestoredSettings, 'pool' | 'otherPool'> {
  if (isSamePool(file.pool, here.pool)) return {};
  const isSame = isSamePool(file.otherPool, here.otherPool);
  return { pool: file.pool, ...(isSame ? {} : { otherPool: file.otherPool }) };
}

/**
 * Whether a change of the Conductor from `current` to `conductor` may send questions to a server, or cost
 * more. `null` is the automatic choice, which can choose a worker of the pool. Such a worker receives the
 * question in any case, but its plans may cost money. So the change to `null` may cost more if the current
 * Conductor uses no server.
 */
function maySendMore(conductor: Preferences['conductor'], current: Preferences['conductor']): boolean {
  if (conductor === null) return current !== null && !callsEndpoint(current);
  return callsEndpoint(conductor);
}

/** Whether the Conductor with this id sends the question to a server. */
function callsEndpoint(conductor: string): boolean {
  return conductor.includes('endpoint:');
}

/** Merges the filters of the file with the current filters. A filter of the file replaces a current filter with the same name. */
function mergedFilters(file: Preferences['runFilters'], here: Preferences['runFilters']): Preferences['runFilters'] {
  const names = new Set(file.map(({ name }) => name));
  return [...here.filter(({ name }) => !names.has(name)), ...file].slice(-RUN_FILTER_LIMITS.count);
}

function lower(one: Effort, other: Effort): Effort {
  return EFFORTS.indexOf(one) < EFFORTS.indexOf(other) ? one : other;
}

/** The lower of two limits. `null` means no limit. */
function tighter(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}

function tighterCaps(one: Caps, other: Caps): Caps {
  return {
    ...one,
    rounds: Math.min(one.rounds, other.rounds),
    calls: Math.min(one.calls, other.calls),
    tokens: tighter(one.tokens, other.tokens),
    usd: tighter(one.usd, other.usd),
  };
}

function isSameCaps(one: Caps, other: Caps): boolean {
  return (
    one.rounds === other.rounds && one.calls === other.calls && one.tokens === other.tokens && one.usd === other.usd
  );
}

/** Whether two pools contain the same workers, in any order. */
function isSamePool(one: Preferences['pool'], other: Preferences['pool']): boolean {
  if (one === null || other === null) return one === other;
  const names = new Set(one);
  return names.size === new Set(other).size && other.every((id) => names.has(id));
}
