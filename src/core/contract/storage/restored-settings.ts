/**
 * @file Decides which settings of a backup apply immediately. A setting that would share, spend or trust more than the current
 * setting waits for the user's confirmation.
 */
import { picked } from '../picked';
import { entriesOf, SETTINGS, type SettingEntry, type SettingName } from '../run/setting-table';
import type { Caps } from '../run/settings';
import { RUN_FILTER_LIMITS, SAVED_POOL_LIMITS, type Preferences, type RestoredSettings } from '../worker/setup';
import { samePrompts } from '../workflow/conductor-prompt';

/** The settings that a backup may change in one direction only, until the user confirms them. */
const GUARDED_NAMES: readonly SettingName[] = entriesOf(SETTINGS).flatMap(([name, { restores }]) =>
  restores ? [name] : [],
);

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
    ...guarded(file, here),
    caps,
    conductor: maySendMore(file.conductor, here.conductor) ? here.conductor : file.conductor,
    pool: here.pool,
    otherPool: here.otherPool,
    dayUsd: tighter(file.dayUsd, here.dayUsd),
    isPrivate: file.isPrivate || here.isPrivate,
    // The user has not approved the prompts in the file.
    prompts: here.prompts,
    // A filter of the file replaces a current filter with the same name. A saved pool of the file does not, because
    // the user trusts the current one.
    runFilters: merged(file.runFilters, here.runFilters, RUN_FILTER_LIMITS.count),
    savedPools: merged(here.savedPools, file.savedPools, SAVED_POOL_LIMITS.count),
    restored: null,
  };
  const waiting = {
    ...(file.conductor === admitted.conductor ? {} : { conductor: file.conductor }),
    ...waitingPools(file, here),
    ...(isSameCaps(file.caps, caps) ? {} : { caps: file.caps }),
    ...(file.dayUsd === admitted.dayUsd ? {} : { dayUsd: file.dayUsd }),
    ...(file.isPrivate === admitted.isPrivate ? {} : { isPrivate: file.isPrivate }),
    ...picked(
      file,
      GUARDED_NAMES.filter((name) => file[name] !== admitted[name]),
    ),
    ...(samePrompts(file.prompts, here.prompts) ? {} : { prompts: file.prompts }),
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

/** Merges two lists of named items. An item of `first` replaces an item of `second` with the same name. */
function merged<Item extends { readonly name: string }>(
  first: readonly Item[],
  second: readonly Item[],
  most: number,
): readonly Item[] {
  const names = new Set(first.map(({ name }) => name));
  return [...second.filter(({ name }) => !names.has(name)), ...first].slice(-most);
}

/** For each setting that a backup may not change freely, the value of the two that costs and trusts less. */
function guarded(file: Preferences, here: Preferences): Pick<Preferences, SettingName>;
function guarded(file: Preferences, here: Preferences): object {
  return Object.fromEntries(GUARDED_NAMES.map((name) => [name, safer(SETTINGS[name], file[name], here[name])]));
}

type Value = Preferences[SettingName];

function safer(entry: SettingEntry, one: Value, other: Value): Value {
  // An empty limit is the highest.
  const rank = (value: Value) =>
    'options' in entry ? entry.options.findIndex((each) => each === value) : (value ?? Infinity);
  return rank(one) < rank(other) === (entry.restores === 'lower') ? one : other;
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
