/** @file Describes the settings in a backup, one line each. Each line shows the value that restoring the backup would set. */
import { isDefaultPrompt, type ConductorPrompts, type RestoredSettings } from '../../core/contract';
import { EFFORT_LABELS } from './effort-words';
import { count, listed, money } from '../ui/figures';

export interface SettingLine {
  readonly name: string;
  readonly value: string;
  /** The full text of edited prompts, so that the user can read it before confirming. Absent: nothing to read. */
  readonly text?: string;
}

/**
 * The origin and path that the browser would call. This exposes misleading addresses, for example ones with a user name that
 * looks like a host, or with Cyrillic letters that look like Latin ones. A text that is not a web address is returned unchanged.
 */
export function shownAddress(address: string): string {
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return address;
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname === '/' ? '' : pathname}`;
}

/** Returns the name of a worker, or `undefined` if there is no such worker. */
export type NameOf = (workerId: string) => string | undefined;

/** One line for each restored setting, in a fixed order. */
export function settingLines(restored: RestoredSettings, nameOf: NameOf): readonly SettingLine[] {
  const {
    conductor,
    pool,
    caps,
    dayUsd,
    isPrivate,
    approval,
    recursion,
    effort,
    maxTokens,
    candidates,
    importedGrades,
  } = restored;
  const { otherPool, recursionMode, planRetries, prompts } = restored;
  return [
    conductor === undefined ? null : { name: 'Conductor', value: conductorName(conductor, nameOf) },
    pool === undefined ? null : { name: 'Workers in the pool', value: poolNames(pool, nameOf) },
    otherPool === undefined
      ? null
      : { name: 'The pool that Practice switches to', value: poolNames(otherPool, nameOf) },
    isPrivate === undefined ? null : { name: 'Private', value: onOff(isPrivate) },
    caps === undefined ? null : { name: 'Limits per run', value: capWords(caps) },
    dayUsd === undefined ? null : { name: 'Daily budget', value: dayUsd === null ? 'no limit' : money(dayUsd) },
    approval === undefined ? null : { name: 'Ask me before a plan runs', value: onOff(approval) },
    recursion === undefined ? null : { name: 'Recursion', value: onOff(recursion) },
    effort === undefined ? null : { name: 'Effort', value: EFFORT_LABELS[effort] },
    recursionMode === undefined
      ? null
      : { name: 'Second round', value: recursionMode === 'always' ? 'always' : 'if the Conductor asks' },
    planRetries === undefined ? null : { name: 'Retries of an invalid plan', value: count(planRetries) },
    prompts === undefined ? null : { name: 'Conductor’s prompt', ...promptWords(prompts) },
    maxTokens === undefined ? null : { name: 'Max output tokens', value: count(maxTokens) },
    candidates === undefined ? null : { name: 'Plans to choose from', value: count(candidates) },
    importedGrades === undefined ? null : { name: 'Count imported grades', value: onOff(importedGrades) },
  ].filter((line) => line !== null);
}

/** Says whether the Conductor's prompts are edited, and returns the edited texts. */
function promptWords({ all, single }: ConductorPrompts): Pick<SettingLine, 'value' | 'text'> {
  const edited = [all, ...Object.values(single)].filter((prompt) => !isDefaultPrompt(prompt));
  if (edited.length === 0) return { value: 'the default' };
  const text = edited
    .flatMap(({ template, examples, ownExamples, showWorkers, later }) => [
      template?.fixed,
      template?.question,
      later,
      examples && `Examples: ${examples}`,
      ownExamples,
      showWorkers && `Workers are shown by ${showWorkers}`,
    ])
    .filter((part) => part !== undefined && part !== '')
    .join('\n\n');
  return { value: `edited, ${count(text.length)} characters`, text };
}

function onOff(value: boolean): string {
  return value ? 'on' : 'off';
}

function conductorName(conductor: string | null, nameOf: NameOf): string {
  if (conductor === null) return 'automatic';
  return (
    nameOf(conductor.slice(conductor.indexOf('endpoint:') + 'endpoint:'.length)) ?? 'a worker that no longer exists'
  );
}

function poolNames(pool: readonly string[] | null, nameOf: NameOf): string {
  if (pool === null) return 'all your workers, or the simulated workers if you have none';
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
