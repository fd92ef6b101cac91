/**
 * @file Decides which settings of a backup apply immediately. Settings that would share more, spend more or trust more
 * than now wait for the user's confirmation.
 */
import type { Caps } from '../run/settings';
import type { Preferences, RestoredSettings } from '../worker/setup';

/** @returns the preferences after a restore. `restored` holds the settings that await confirmation. */
export function admitSettings(file: Preferences, here: Preferences): Preferences {
  const caps = tighterCaps(file.caps, here.caps);
  const admitted: Preferences = {
    ...file,
    caps,
    conductor: callsEndpoint(file.conductor) ? here.conductor : file.conductor,
    pool: here.pool,
    otherPool: here.otherPool,
    dayUsd: tighter(file.dayUsd, here.dayUsd),
    isPrivate: file.isPrivate || here.isPrivate,
    approval: file.approval || here.approval,
    recursion: file.recursion && here.recursion,
    maxTokens: Math.min(file.maxTokens, here.maxTokens),
    candidates: Math.min(file.candidates, here.candidates),
    // A file cannot approve its own grades, so this waits for the user's confirmation.
    importedGrades: file.importedGrades && here.importedGrades,
    restored: null,
  };
  const waiting = {
    ...(file.conductor === admitted.conductor ? {} : { conductor: file.conductor }),
    // The pool that is not in use comes with the one that is.
    ...(isSamePool(file.pool, here.pool) ? {} : { pool: file.pool, otherPool: file.otherPool }),
    ...(isSameCaps(file.caps, caps) ? {} : { caps: file.caps }),
    ...(file.dayUsd === admitted.dayUsd ? {} : { dayUsd: file.dayUsd }),
    ...(file.isPrivate === admitted.isPrivate ? {} : { isPrivate: file.isPrivate }),
    ...(file.approval === admitted.approval ? {} : { approval: file.approval }),
    ...(file.recursion === admitted.recursion ? {} : { recursion: file.recursion }),
    ...(file.maxTokens === admitted.maxTokens ? {} : { maxTokens: file.maxTokens }),
    ...(file.candidates === admitted.candidates ? {} : { candidates: file.candidates }),
    ...(file.importedGrades === admitted.importedGrades ? {} : { importedGrades: file.importedGrades }),
  } satisfies RestoredSettings;
  return Object.keys(waiting).length === 0 ? admitted : { ...admitted, restored: waiting };
}

/** Whether the Conductor with this id sends the question to a server. */
function callsEndpoint(conductor: string): boolean {
  return conductor.includes('endpoint:');
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

/** Whether two pools hold the same workers, in any order. */
function isSamePool(one: Preferences['pool'], other: Preferences['pool']): boolean {
  if (one === null || other === null) return one === other;
  const names = new Set(one);
  return names.size === new Set(other).size && other.every((id) => names.has(id));
}
