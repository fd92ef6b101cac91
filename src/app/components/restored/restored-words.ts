/** @file Restored settings as lines to confirm: each names a setting and what it would become. */
import type { RestoredSettings } from '../../../core/contract';
import { count, listed, money } from '../figures';

export interface SettingLine {
  readonly name: string;
  readonly value: string;
}

/**
 * An address as the browser calls it. A file may put a user name before the host that looks like another host, or use
 * letters that look like others.
 */
export function shownAddress(address: string): string {
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return address;
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname === '/' ? '' : pathname}`;
}

/** Name of a worker by its id; `undefined` if it doesn't exist. */
export type NameOf = (workerId: string) => string | undefined;

/** One line for each setting, in the order of the Settings page. */
export function settingLines(restored: RestoredSettings, nameOf: NameOf): readonly SettingLine[] {
  const { conductor, pool, caps, dayUsd, isPrivate, approval, recursion, maxTokens, candidates, importedGrades } =
    restored;
  return [
    conductor === undefined ? null : { name: 'Conductor', value: conductorName(conductor, nameOf) },
    pool === undefined ? null : { name: 'Workers in the pool', value: poolNames(pool, nameOf) },
    isPrivate === undefined ? null : { name: 'Private', value: onOff(isPrivate) },
    caps === undefined ? null : { name: 'Limits per run', value: capWords(caps) },
    dayUsd === undefined ? null : { name: 'Daily budget', value: dayUsd === null ? 'no limit' : money(dayUsd) },
    approval === undefined ? null : { name: 'Ask me before a plan runs', value: onOff(approval) },
    recursion === undefined ? null : { name: 'Recursion', value: onOff(recursion) },
    maxTokens === undefined ? null : { name: 'Max output tokens', value: count(maxTokens) },
    candidates === undefined ? null : { name: 'Plans to choose from', value: count(candidates) },
    importedGrades === undefined ? null : { name: 'Count imported grades', value: onOff(importedGrades) },
  ].filter((line) => line !== null);
}

function onOff(value: boolean): string {
  return value ? 'on' : 'off';
}

function conductorName(conductor: string, nameOf: NameOf): string {
  return (
    nameOf(conductor.slice(conductor.indexOf('endpoint:') + 'endpoint:'.length)) ?? 'a worker that no longer exists'
  );
}

function poolNames(pool: readonly string[] | null, nameOf: NameOf): string {
  if (pool === null) return 'all of yours, or the simulated ones';
  const names = pool.map(nameOf).filter((name) => name !== undefined);
  return names.length === 0 ? 'none' : listed(names);
}

function capWords({ calls, rounds, tokens, usd }: NonNullable<RestoredSettings['caps']>): string {
  return listed([
    `${count(calls)} calls`,
    `${count(rounds)} rounds`,
    tokens === null ? 'no token limit' : `${count(tokens)} tokens`,
    usd === null ? 'no money limit' : money(usd),
  ]);
}
