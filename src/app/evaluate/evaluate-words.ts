/** @file Words for batches, datasets and graders. */
import {
  GRADERS,
  poolKind,
  type Batch,
  type BatchEstimate,
  type BatchPlan,
  type BatchProgress,
  type Cost,
  type Dataset,
  type DatasetSource,
} from '../../core/contract';
import type { Spread } from '../../core/evaluation/datasets/sample';
import { count, duration, money, plural } from '../ui/figures';
import type { Difference } from '../../core/evaluation/statistics/bootstrap';
import type { MethodRow, ReferenceRow } from '../../core/evaluation/tables/results-table';

function tasksOf({ datasets }: BatchPlan): number {
  return datasets.reduce((sum, { taskIds }) => sum + taskIds.length, 0);
}

/** `40 tasks × 4 methods`, with the repeats if there are several. */
export function sizeWords(plan: BatchPlan): string {
  const repeats = plan.repeats > 1 ? ` × ${plan.repeats} repeats` : '';
  return `${plural(tasksOf(plan), 'task')} × ${plural(plan.methods.length, 'method')}${repeats}`;
}

/** Whether every method has simulated workers and no real workers. */
export function isSimulated({ plan }: Pick<Batch, 'plan'>): boolean {
  return plan.methods.every(({ settings }) => poolKind(settings.pool) === 'practice');
}

/** Whether any worker of the batch replays recorded answers. */
export function isRecorded({ plan }: Pick<Batch, 'plan'>): boolean {
  return plan.methods.some(({ settings }) => settings.pool.some(({ kind }) => kind === 'recorded'));
}

/** `Finished`, `Running, 40 %`, `Paused, 40 %`, `Not started`. */
export function stateWords({ status, done, units }: BatchProgress): string {
  const share = `${Math.floor((100 * done) / Math.max(1, units))} %`;
  switch (status) {
    case 'finished':
      return 'Finished';
    case 'running':
      return `Running, ${share}`;
    case 'paused':
      return done === 0 ? 'Not started' : `Paused, ${share}`;
    default:
      return status satisfies never;
  }
}

/** A cost. If the cost of some calls is unknown: `at least $1.20`, or `unknown` if the other calls cost nothing. */
export function costWords({ usd, unpriced }: Cost): string {
  if (unpriced === 0) return money(usd);
  return usd === 0 ? 'unknown' : `at least ${money(usd)}`;
}

/** The estimate of a batch in short phrases. */
export function estimateWords({ units, known, calls, usd, time }: BatchEstimate): readonly string[] {
  const range =
    calls.low === calls.high ? plural(calls.low, 'call') : `${count(calls.low)} to ${plural(calls.high, 'call')}`;
  return [
    `${plural(units, 'run')}, ${range}`,
    usd === null ? 'cost unknown' : usd.high === 0 ? 'free' : costRange(usd),
    time === null ? 'time unknown' : `about ${duration(time)}`,
    ...(known > 0
      ? [`${plural(known, 'run')} ${known === 1 ? 'is' : 'are'} already stored and will not run again`]
      : []),
  ];
}

function costRange({ low, high }: { readonly low: number; readonly high: number }): string {
  return money(low) === money(high) ? `about ${money(high)}` : `${money(low)} to ${money(high)}`;
}

/** The number of tasks, the graders, the number of recorded workers and the source of a dataset, in one line. */
export function datasetLine(dataset: Dataset): string {
  const kinds = dataset.graders.map((grader) => GRADERS[grader].tasks).join(', ');
  const workers = dataset.recordedWorkers ? ` · ${plural(dataset.recordedWorkers.length, 'recorded worker')}` : '';
  return `${plural(dataset.tasks, 'task')} · ${kinds}${workers} · ${sourceWords(dataset.source)}`;
}

/** The ways to spread a sample over the groups of a dataset, as options of a list. */
export const SPREAD_WORDS: Readonly<Record<Spread, string>> = {
  share: 'Groups in proportion',
  even: 'Same number from each group',
  none: 'Regardless of groups',
  whole: 'Whole groups',
};

const NAMED_GROUPS = 6;

/** `3 groups: Algebra, Geometry, Number theory`. Groups after the sixth are only counted: ` and 2 others`. */
export function groupWords({ groups }: Pick<Dataset, 'groups'>): string {
  const named = groups.slice(0, NAMED_GROUPS).map(({ group }) => group);
  const others = groups.length - named.length;
  return `${plural(groups.length, 'group')}: ${named.join(', ')}${others > 0 ? ` and ${plural(others, 'other')}` : ''}`;
}

function sourceWords(source: DatasetSource): string {
  switch (source.kind) {
    case 'practice':
      return 'comes with Podium';
    case 'file':
      return `from ${source.name}`;
    case 'hub':
      return `${source.repository} on the Hugging Face hub, ${source.revision.slice(0, 7)}`;
    default:
      return source satisfies never;
  }
}

/** Formats the values and the notes of a results table. */
const NONE = '–';

const inPercent = (share: number) => (100 * share).toFixed(1);

/** Percentage points with a sign: `+2.5`, `−1.0`. Zero has no sign: `0.0`. */
function points(share: number): string {
  const value = inPercent(Math.abs(share));
  return value === '0.0' ? value : `${share < 0 ? '−' : '+'}${value}`;
}

/** `84.2 ± 2.1`. */
export function scoreWords(score: { readonly mean: number; readonly error: number | null } | null): string {
  if (!score) return NONE;
  return score.error === null ? inPercent(score.mean) : `${inPercent(score.mean)} ± ${inPercent(score.error)}`;
}

export function shareWords(share: number | null): string {
  return share === null ? NONE : inPercent(share);
}

/** `+2.5 (−1.0 to +6.0)`. */
export function differenceWords(value: Difference | null): string {
  return value ? `${points(value.difference)} (${points(value.low)} to ${points(value.high)})` : NONE;
}

/** The mean cost per task: `$0.012`, or `at least $0.012` if the cost of some calls is unknown. */
export function costPerTask({ usage }: Pick<MethodRow, 'usage'>): string {
  return usage ? costWords(usage) : NONE;
}

/** The notes below a table, each once. Each note begins with the labels of its rows, or with "Each method". */
export function notesOf(rows: readonly (MethodRow | ReferenceRow)[]): readonly string[] {
  const isMethod = ({ kind }: MethodRow | ReferenceRow) => kind === 'method';
  const methods = rows.filter(isMethod).length;
  const all = [...new Set(rows.flatMap(({ notes }) => notes))];
  return all.map((note) => {
    const own = rows.filter(({ notes }) => notes.includes(note));
    const isOfEach = methods > 1 && own.length === methods && own.every(isMethod);
    return `${isOfEach ? 'Each method' : own.map(({ label }) => label).join(', ')}: ${note}`;
  });
}
