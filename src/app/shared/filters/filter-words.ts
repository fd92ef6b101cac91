/** @file Labels for the conditions of a run filter. */
import {
  DOMAINS,
  GRADES,
  PURPOSES,
  ROLES,
  SHAPES,
  VALIDITIES,
  type Domain,
  type GradeFilter,
  type NumberRange,
  type Purpose,
  type Reward,
  type Role,
  type RunFilter,
  type RunStatus,
  type Shape,
  type StepFilter,
  type Validity,
} from '../../../core/contract';
import { STATUSES } from '../../state/run-query-text';
import { stepFilterText } from '../../state/step-filter-text';
import { dateAndTime, dayLabel } from '../../ui/dates';
import { duration, money } from '../../ui/figures';
import { shortText } from '../../ui/short-text';

/** A value that the user can choose, with its label. */
export interface Choice<Value> {
  readonly value: Value;
  readonly label: string;
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const choicesOf = <Value extends string>(values: readonly Value[], labels: Partial<Record<Value, string>> = {}) =>
  values.map((value): Choice<Value> => ({ value, label: labels[value] ?? capital(value) }));

export const SHAPE_CHOICES: readonly Choice<Shape>[] = choicesOf(SHAPES);
export const ROLE_CHOICES: readonly Choice<Role>[] = choicesOf(ROLES);
export const DOMAIN_CHOICES: readonly Choice<Domain>[] = choicesOf(DOMAINS);
export const GRADE_CHOICES: readonly Choice<GradeFilter>[] = choicesOf(GRADES, { none: 'Not graded' });
export const VALIDITY_CHOICES: readonly Choice<Validity>[] = choicesOf(VALIDITIES);
export const STATUS_CHOICES: readonly Choice<RunStatus>[] = choicesOf(STATUSES, { cancelled: 'Stopped' });
export const PURPOSE_CHOICES: readonly Choice<Purpose>[] = choicesOf(PURPOSES, {
  discarded: 'Discarded steps',
  later: 'Calls after the run',
});
export const REWARD_CHOICES: readonly Choice<Reward>[] = [
  { value: 0, label: '0' },
  { value: 0.5, label: '0.5' },
  { value: 1, label: '1' },
];

/** An active condition of the filter, with a button that removes it. */
export interface Chip {
  readonly key: string;
  readonly label: string;
  /** The change to the filter that removes the condition. */
  readonly without: Partial<RunFilter>;
}

/** The active conditions as chips. The search words have no chip. @param batchName returns the name of a batch by its id */
export function chipsOf(filter: RunFilter, batchName: (id: string) => string): readonly Chip[] {
  const many = <Value extends string | number>(
    name: string,
    values: readonly Value[],
    without: (values: readonly Value[]) => Partial<RunFilter>,
    label: (value: Value) => string,
  ) =>
    values.map((value): Chip => {
      const others = values.filter((other) => other !== value);
      return { key: `${name} ${value}`, label: `${name}: ${label(value)}`, without: without(others) };
    });
  const flag = (name: string, value: boolean | null, labels: readonly [string, string], without: Partial<RunFilter>) =>
    value === null ? [] : [{ key: name, label: value ? labels[0] : labels[1], without }];
  return [
    ...many('Conductor', filter.conductors, (conductors) => ({ conductors }), shortText),
    ...many('Worker', filter.workers, (workers) => ({ workers }), shortText),
    ...many('Grade', filter.grades, (grades) => ({ grades }), labelIn(GRADE_CHOICES)),
    ...many('Provider', filter.providers, (providers) => ({ providers }), shortText),
    ...many('Shape', filter.shapes, (shapes) => ({ shapes }), labelIn(SHAPE_CHOICES)),
    ...many('Role', filter.roles, (roles) => ({ roles }), labelIn(ROLE_CHOICES)),
    ...many('Kind', filter.domains, (domains) => ({ domains }), labelIn(DOMAIN_CHOICES)),
    ...filter.steps.map((step) => stepChip(step, filter.steps)),
    ...many('Plan', filter.validities, (validities) => ({ validities }), labelIn(VALIDITY_CHOICES)),
    ...many('Reward', filter.rewards, (rewards) => ({ rewards }), labelIn(REWARD_CHOICES)),
    ...many('Status', filter.statuses, (statuses) => ({ statuses }), labelIn(STATUS_CHOICES)),
    ...many('Tag', filter.labels, (labels) => ({ labels }), shortText),
    ...many('Batch', filter.batches, (batches) => ({ batches }), batchName),
    ...flag('grammar', filter.grammar, ['With a grammar', 'Without a grammar'], { grammar: null }),
    ...flag('decided', filter.decided, ['Plan by its Conductor', 'Fixed plan, or no plan'], { decided: null }),
    ...flag('priced', filter.priced, ['Known cost', 'Unknown cost'], { priced: null }),
    ...many('Spent on', filter.spentOn, (spentOn) => ({ spentOn }), labelIn(PURPOSE_CHOICES)),
    ...flag('simulated', filter.simulated, ['Simulated', 'Not simulated'], { simulated: null }),
    ...flag('imported', filter.imported, ['Imported', 'Not imported'], { imported: null }),
    ...flag('starred', filter.starred, ['Starred', 'Not starred'], { starred: null }),
    ...range('Cost', filter.usd, money, { usd: NO_LIMIT }),
    ...range('Time', filter.time, duration, { time: NO_LIMIT }),
    ...range('Rounds', filter.rounds, String, { rounds: NO_LIMIT }),
    ...range('Started', filter.startedAt, moment, { startedAt: NO_LIMIT }),
    ...range('Similarity', filter.similarity, (value) => value.toFixed(2), { similarity: NO_LIMIT }),
  ];
}

/** `Step: Alder, api.example.com, verify, finished` */
function stepChip(step: StepFilter, all: readonly StepFilter[]): Chip {
  const { worker, otherThan, provider, role, isFinished, hasContent } = step;
  const named = (name: string) => (name === '' ? 'unknown' : shortText(name));
  const words = [
    ...(worker === null ? [] : [worker === '' ? 'unknown worker' : named(worker)]),
    ...(otherThan.length === 0 ? [] : [`not by ${otherThan.map(named).join(', ')}`]),
    ...(provider === null ? [] : [provider === '' ? 'unknown provider' : named(provider)]),
    ...(role === null ? [] : [role]),
    ...(isFinished ? ['finished'] : []),
    ...(hasContent ? ['with content'] : []),
  ];
  const steps = all.filter((other) => other !== step);
  return { key: `step ${stepFilterText(step)}`, label: `Step: ${words.join(', ')}`, without: { steps } };
}

const NO_LIMIT: NumberRange = { least: null, most: null };

function range(
  name: string,
  { least, most }: NumberRange,
  write: (value: number) => string,
  without: Partial<RunFilter>,
): readonly Chip[] {
  if (least === null && most === null) return [];
  const words = [
    ...(least === null ? [] : [`from ${write(least)}`]),
    ...(most === null ? [] : [`up to ${write(most)}`]),
  ];
  return [{ key: name, label: `${name} ${words.join(' ')}`, without }];
}

/** Formats a time as a day if it is the first or last millisecond of the day. Otherwise, adds the time of day. */
function moment(at: number): string {
  const date = new Date(at);
  const isStart = at === new Date(at).setHours(0, 0, 0, 0);
  const isEnd = at === date.setHours(23, 59, 59, 999);
  return isStart || isEnd ? dayLabel(at, Date.now()) : dateAndTime(at);
}

function labelIn<Value>(choices: readonly Choice<Value>[]): (value: Value) => string {
  return (value) => choices.find((choice) => choice.value === value)?.label.toLowerCase() ?? '';
}
