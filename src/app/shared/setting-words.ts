/** @file The words of settings: their labels, notes and values, on the Settings page, on Compare, and after a restore. */
import type { CapName, NumberEntry, SettingName, SETTINGS, ValueOf } from '../../core/contract';
import { EFFORT_LABELS } from './effort-words';
import { count, duration, money } from '../ui/figures';

interface Words {
  readonly label: string;
  /** The explanation on the Settings page. Absent: none. */
  readonly note?: string;
}

interface NumberWords extends Words {
  readonly unit?: 'seconds' | 'USD' | '%';
  /** The word for an empty setting. Default: no limit. */
  readonly empty?: string;
}

interface ChoiceWords<Value extends string | boolean> extends Words {
  /** The label of each value, in the order in which the page shows them. */
  readonly options: Readonly<Record<`${Value}`, string>>;
}

type WordsOf<Entry> = ValueOf<Entry> extends infer Value extends string | boolean ? ChoiceWords<Value> : NumberWords;

/** The ranges of the limits per run. Stored limits may be outside these ranges. */
export const CAP_RANGES: Readonly<Record<CapName, Omit<NumberEntry, 'default'>>> = {
  rounds: { least: 1, most: 5, whole: true },
  calls: { least: 1, most: 200, whole: true },
  tokens: { least: 100, most: 100_000_000, whole: true, optional: true },
  usd: { least: 0, most: 10_000, optional: true },
};

/** A setting, or one of the limits per run. */
export type FieldName = SettingName | CapName;
type Table = typeof SETTINGS & typeof CAP_RANGES;

const SWITCH = { false: 'Off', true: 'On' } as const;

export const SETTING_WORDS: { readonly [Name in FieldName]: WordsOf<Table[Name]> } = {
  calls: { label: 'Calls', note: 'Maximum per run. Retries count. Calls refused by a rate limit don’t.' },
  tokens: {
    label: 'Tokens',
    note: 'Optional. Maximum per run. Podium reserves the maximum tokens of a call before sending it.',
  },
  usd: {
    label: 'Budget per run',
    unit: 'USD',
    note: 'Optional. Workers without a known price are skipped when this is set.',
  },
  dayUsd: {
    label: 'Daily budget',
    unit: 'USD',
    note: "Optional. For all runs and tabs together, including the Conductor's calls. A day starts at midnight, local time.",
  },
  approval: {
    label: 'Ask me before a plan runs',
    note: 'You can change each plan before it runs. No worker is called until you approve it.',
    options: SWITCH,
  },
  recursion: {
    label: 'Recursion',
    note: 'The Conductor may review the result of its workflow and write another one.',
    options: SWITCH,
  },
  recursionMode: {
    label: 'Second round',
    note: 'Only with recursion on. “Short rounds” is for Conductors that are language models: they plan as they go, one or two steps at a time. Raise “Rounds” with it. “Always” works like the paper’s published code: a second round always runs, and its steps may see the first round.',
    options: { self: 'If the Conductor asks', rounds: 'Short rounds', always: 'Always' },
  },
  rounds: { label: 'Rounds', note: 'Maximum number of workflows in a run with recursion, including the first.' },
  effort: { label: 'Effort', options: EFFORT_LABELS },
  temperature: { label: 'Temperature', note: 'The paper uses 0.2.' },
  maxTokens: { label: 'Max output tokens', note: 'The paper uses 4,096. Reasoning models need more.' },
  access: {
    label: 'Access',
    note: 'For plans by language models. Any steps: a step can see any of the earlier steps. All or nothing: it sees all or none of them, as in the paper’s main scheme.',
    options: { fine: 'Any steps', binary: 'All or nothing' },
  },
  candidates: {
    label: 'Plans to choose from',
    note: 'Written one after another. No step starts until a plan is chosen.',
  },
  choice: {
    label: 'Choose',
    note: 'By vote: runs the most common workflow shape, or the first choice of the trained policy if it ranks the plans. By me: the run waits for your choice.',
    options: { vote: 'By vote', person: 'By me' },
  },
  planTemperature: {
    label: 'Plan temperature',
    note: 'Default: 0.2 for one plan, 0.8 for several, so that they differ.',
    empty: 'default',
  },
  planRetries: {
    label: 'Retries of an invalid plan',
    note: 'Only for plans by one of your workers. Each retry is a paid call and doubles the output limit.',
  },
  planSeconds: {
    label: 'Time limit of a plan',
    unit: 'seconds',
    note: 'A model that takes longer is stopped, and the built-in Conductor plans instead.',
  },
  seed: {
    label: 'Seed',
    note: 'Optional. With a seed, the same question gives the same plan and answers, if the models support seeds.',
    empty: 'new each time',
  },
  skipSettled: {
    label: 'Skip settled steps',
    note: 'When a check found the answer right and no attempt disagrees, the later repair and summary are not called. Never with the effort Thorough, or for plans written by hand and most templates.',
    options: SWITCH,
  },
  trustBound: {
    label: 'Trust a check from',
    unit: '%',
    note: 'A check ends a run early only if its “right” is right this often, at the lower end of the 90 % interval. A check with fewer than 10 known right or 10 known wrong answers is trusted. 0: always.',
  },
  goOnShare: {
    label: 'Runs that don’t skip',
    unit: '%',
    note: 'This share of runs goes on after each check, at full cost, so that the figures of checks stay true. Simulated pools always do this in 10 % of runs.',
  },
  scouts: {
    label: 'Automatic: scouts first',
    note: 'With the Conductor Automatic, two cheap workers of different families answer first. Only if they disagree, the best worker solves, and another one checks. Prose and code never agree, so such questions take two calls more.',
    options: SWITCH,
  },
  aloneShare: {
    label: 'Also ask one worker alone',
    unit: '%',
    note: 'For this share of questions, one worker alone also answers, at its usual cost. You compare the two answers without knowing which is which. The result is on Analyze.',
  },
  aloneAnswers: {
    label: 'One worker alone answers',
    note: 'At equal cost, it answers as often as the cost of the run allows, and its most frequent answer is compared. If its answers can’t be compared, it chooses one of them.',
    options: { once: 'once', 'equal-cost': 'at equal cost' },
  },
  importedGrades: {
    label: 'Count imported grades',
    note: 'When on, imported grades influence plans, worker history and training. Your own grades always do.',
    options: SWITCH,
  },
};

/** The settings in each part of the Settings page, in order. */
export const PAGE_PARTS = {
  limits: [
    'calls',
    'tokens',
    'usd',
    'dayUsd',
    'approval',
    'skipSettled',
    'trustBound',
    'goOnShare',
    'recursion',
    'recursionMode',
    'rounds',
  ],
  answers: ['temperature', 'maxTokens', 'access'],
  plans: ['scouts', 'candidates', 'choice', 'planTemperature', 'planRetries', 'planSeconds'],
  results: ['seed', 'importedGrades', 'aloneShare', 'aloneAnswers'],
} as const satisfies Record<string, readonly FieldName[]>;

export type SettingValue = string | boolean | number | null;

/** The value of a setting, as in `Any steps`. @param value `undefined` or `null`: empty */
export function valueWords(name: FieldName, value: SettingValue | undefined): string {
  const words: NumberWords | ChoiceWords<string> = SETTING_WORDS[name];
  if ('options' in words) return words.options[String(value)] ?? String(value);
  const { unit, empty = 'no limit' } = words;
  if (typeof value !== 'number') return `${empty.charAt(0).toUpperCase()}${empty.slice(1)}`;
  if (unit === undefined) return Number.isInteger(value) ? count(value) : String(value);
  if (unit === '%') return `${value} %`;
  return unit === 'USD' ? money(value) : duration(1000 * value);
}
