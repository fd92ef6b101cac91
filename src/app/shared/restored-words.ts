/** @file Describes the settings in a backup, one line each. Each line shows the value that restoring the backup would set. */
import {
  entriesOf,
  isDefaultPrompt,
  SETTINGS,
  type ConductorPrompts,
  type RestoredSettings,
  type WorkerSetup,
} from '../../core/contract';
import { SETTING_WORDS, valueWords } from './setting-words';
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

/** What a worker from a file adds to its calls, such as `system prompt, plugins`. `''`: nothing. */
export function addedWords({ system, extraFields = {} }: Pick<WorkerSetup, 'system' | 'extraFields'>): string {
  return [...(system ? ['system prompt'] : []), ...Object.keys(extraFields)].join(', ');
}

/** Returns the name of a worker, or `undefined` if there is no such worker. */
export type NameOf = (workerId: string) => string | undefined;

/** One line for each restored setting, in a fixed order. */
export function settingLines(restored: RestoredSettings, nameOf: NameOf): readonly SettingLine[] {
  const { conductor, pool, otherPool, isPrivate, caps, prompts } = restored;
  const lines = [
    conductor === undefined ? null : { name: 'Conductor', value: conductorName(conductor, nameOf) },
    pool === undefined ? null : { name: 'Workers in the pool', value: poolNames(pool, nameOf) },
    otherPool === undefined
      ? null
      : { name: 'The pool that Practice switches to', value: poolNames(otherPool, nameOf) },
    isPrivate === undefined ? null : { name: 'Private', value: isPrivate ? 'on' : 'off' },
    caps === undefined ? null : { name: 'Limits per run', value: capWords(caps) },
    prompts === undefined ? null : { name: 'Conductor’s prompt', ...promptWords(prompts) },
    ...entriesOf(SETTINGS).map(([name]) => {
      const value = restored[name];
      return value === undefined
        ? null
        : { name: SETTING_WORDS[name].label, value: lowerFirst(valueWords(name, value)) };
    }),
  ];
  return lines.filter((line) => line !== null);
}

function lowerFirst(words: string): string {
  return `${words.charAt(0).toLowerCase()}${words.slice(1)}`;
}

/** Says whether the Conductor's prompts are edited, and returns the edited texts. */
function promptWords({ all, single, learned = [] }: ConductorPrompts): Pick<SettingLine, 'value' | 'text'> {
  const edited = [all, ...Object.values(single)].filter((prompt) => !isDefaultPrompt(prompt));
  const lessons = learned.flatMap((each) => each.lessons.map(({ text, isOff }) => `- ${isOff ? '(off) ' : ''}${text}`));
  if (edited.length + lessons.length === 0) return { value: 'the default' };
  const text = [
    ...edited.flatMap(({ template, examples, ownExamples, showWorkers, later, lessons: own = [] }) => [
      template?.fixed,
      template?.question,
      later,
      examples && `Examples: ${examples}`,
      ownExamples,
      showWorkers && `Workers are shown by ${showWorkers}`,
      ...own,
    ]),
    lessons.length === 0 ? '' : `Lessons\n${lessons.join('\n')}`,
  ]
    .filter((part) => part !== undefined && part !== '')
    .join('\n\n');
  return { value: `edited, ${count(text.length)} characters`, text };
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
