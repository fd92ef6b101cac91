/**
 * @file Converts the filter and the sort order of runs to and from a query string, such as `q=dates&grade=wrong&sort=-cost`.
 * Unknown names and values are ignored, because users edit addresses by hand and keep links from other versions.
 */
import * as z from 'zod/mini';
import {
  ALL_RUNS,
  defaultSortOf,
  DOMAINS,
  GRADES,
  isMoment,
  PURPOSES,
  ROLES,
  SHAPES,
  SORT_KEYS,
  VALIDITIES,
  type NumberRange,
  type Reward,
  type RunFilter,
  type RunQuery,
  type RunSort,
  type SortKey,
} from '../../core/contract';
import { LONGEST_NAME } from '../../core/contract/storage/bounds';
import { readStepFilter, stepFilterText } from './step-filter-text';

export const STATUSES = ['finished', 'running', 'interrupted', 'cancelled', 'failed'] as const;

/** Maximum number of values of one field. */
const MOST_VALUES = 50;

const text = z.string().check(z.minLength(1), z.maxLength(LONGEST_NAME));
const reward = z.codec(z.enum(['0', '0.5', '1']), z.union([z.literal(0), z.literal(0.5), z.literal(1)]), {
  decode: (word): Reward => (word === '0' ? 0 : word === '1' ? 1 : 0.5),
  encode: (value) => (value === 0 ? '0' : value === 1 ? '1' : '0.5'),
});
const flag = z.codec(z.enum(['yes', 'no']), z.boolean(), {
  decode: (word) => word === 'yes',
  encode: (value) => (value ? 'yes' : 'no'),
});
const RANGE = /^(\d+(?:\.\d+)?)?\.\.(\d+(?:\.\d+)?)?$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The names of some sort keys in query strings. All other keys appear unchanged. */
const SORT_NAMES: Partial<Record<SortKey, string>> = { startedAt: 'date', usd: 'cost' };
const nameOfSort = (key: SortKey) => SORT_NAMES[key] ?? key;

/** Reads a query string. */
export function readRunQuery(query: string): RunQuery {
  const fields = new URLSearchParams(query);
  const all = <Value>(name: string, schema: z.ZodMiniType<Value>) => valuesOf(fields.getAll(name), schema);
  const one = <Value>(name: string, schema: z.ZodMiniType<Value>) => all(name, schema)[0] ?? null;
  const filter: RunFilter = {
    words: one('q', text) ?? '',
    byMeaning: one('by', z.literal('meaning')) !== null,
    conductors: all('conductor', text),
    workers: all('worker', text),
    providers: all('provider', text),
    shapes: all('shape', z.enum(SHAPES)),
    roles: all('role', z.enum(ROLES)),
    steps: all('step', z.string()).flatMap((step) => readStepFilter(step) ?? []),
    domains: all('kind', z.enum(DOMAINS)),
    grades: all('grade', z.enum(GRADES)),
    rewards: all('reward', reward),
    validities: all('plan', z.enum(VALIDITIES)),
    statuses: all('status', z.enum(STATUSES)),
    labels: all('tag', text),
    batches: all('batch', text),
    grammar: one('grammar', flag),
    decided: one('decided', flag),
    priced: one('priced', flag),
    spentOn: all('spent', z.enum(PURPOSES)),
    simulated: one('simulated', flag),
    imported: one('imported', flag),
    starred: one('starred', flag),
    usd: rangeFrom(fields.get('cost'), 1),
    time: rangeFrom(fields.get('time'), 1000),
    rounds: rangeFrom(fields.get('rounds'), 1),
    startedAt: { least: momentFrom(fields.get('from'), false), most: momentFrom(fields.get('to'), true) },
    similarity: rangeFrom(fields.get('similarity'), 1),
    without: [],
  };
  return { filter, sort: sortFrom(fields.get('sort'), filter) };
}

/** Writes a query string, without the default sort order. `''` for all runs, newest first. */
export function runQueryText({ filter, sort }: RunQuery): string {
  const fields = new URLSearchParams();
  const add = (name: string, values: readonly (string | null)[]) => {
    for (const value of values) if (value !== null && value !== '') fields.append(name, value);
  };
  const flagText = (value: boolean | null) => (value === null ? null : z.encode(flag, value));
  add('q', [filter.words.trim()]);
  add('by', [filter.byMeaning ? 'meaning' : null]);
  add('conductor', filter.conductors);
  add('worker', filter.workers);
  add('provider', filter.providers);
  add('shape', filter.shapes);
  add('role', filter.roles);
  add('step', filter.steps.map(stepFilterText));
  add('kind', filter.domains);
  add('grade', filter.grades);
  add('reward', filter.rewards.map(String));
  add('plan', filter.validities);
  add('status', filter.statuses);
  add('tag', filter.labels);
  add('batch', filter.batches);
  add('grammar', [flagText(filter.grammar)]);
  add('decided', [flagText(filter.decided)]);
  add('priced', [flagText(filter.priced)]);
  add('spent', filter.spentOn);
  add('simulated', [flagText(filter.simulated)]);
  add('imported', [flagText(filter.imported)]);
  add('starred', [flagText(filter.starred)]);
  add('cost', [rangeText(filter.usd, 1)]);
  add('time', [rangeText(filter.time, 1000)]);
  add('rounds', [rangeText(filter.rounds, 1)]);
  add('from', [momentText(filter.startedAt.least, false)]);
  add('to', [momentText(filter.startedAt.most, true)]);
  add('similarity', [rangeText(filter.similarity, 1)]);
  if (!isSameSort(sort, defaultSortOf(filter))) add('sort', [`${sort.descending ? '-' : ''}${nameOfSort(sort.by)}`]);
  return fields.toString();
}

/** The address of a page with these runs. @param path the path of the page, such as `/runs` */
export function queryAddress(path: string, query: RunQuery): string {
  const written = runQueryText(query);
  return written === '' ? path : `${path}?${written}`;
}

/** The address of the runs that meet the conditions, in the default sort order. An absent condition matches every run. */
export function runsAddress(conditions: Partial<RunFilter>): string {
  const filter = { ...ALL_RUNS, ...conditions };
  return `#${queryAddress('/runs', { filter, sort: defaultSortOf(filter) })}`;
}

/**
 * The query with another filter.
 *
 * - The sort order is reset when the user turns on search by meaning. It is also reset when the user turns
 *   off search by meaning while the runs are sorted by similarity.
 * - The limits of the similarity are removed if the words change, or if search by meaning is turned on or
 *   off. New limits in `changed` are kept.
 */
export function withFilter({ filter: before, sort }: RunQuery, changed: RunFilter): RunQuery {
  const isOther = before.byMeaning !== changed.byMeaning;
  const isOutdated = isOther || before.words.trim() !== changed.words.trim();
  const isCarried = before.similarity === changed.similarity;
  const filter = isOutdated && isCarried ? { ...changed, similarity: ALL_RUNS.similarity } : changed;
  const changes = isOther && (filter.byMeaning || sort.by === 'similarity');
  return { filter, sort: changes ? defaultSortOf(filter) : sort };
}

function isSameSort(one: RunSort, other: RunSort): boolean {
  return one.by === other.by && one.descending === other.descending;
}

function valuesOf<Value>(words: readonly string[], schema: z.ZodMiniType<Value>): readonly Value[] {
  const values = new Set<Value>();
  for (const word of words) {
    const parsed = z.safeParse(schema, word);
    if (parsed.success) values.add(parsed.data);
    if (values.size >= MOST_VALUES) break;
  }
  return [...values];
}

/** Reads `0.1..5`, `0.1..` or `..5`. */
function rangeFrom(word: string | null, unit: number): NumberRange {
  const found = RANGE.exec(word ?? '');
  const part = (digits: string | undefined) => (digits === undefined ? null : Number(digits) * unit);
  return { least: part(found?.[1]), most: part(found?.[2]) };
}

function rangeText({ least, most }: NumberRange, unit: number): string | null {
  if (least === null && most === null) return null;
  const part = (value: number | null) => (value === null ? '' : String(value / unit));
  return `${part(least)}..${part(most)}`;
}

/** Reads a day in the user's time zone, or a moment in ISO format. @param isEnd whether to return the end of the day */
function momentFrom(word: string | null, isEnd: boolean): number | null {
  if (word === null) return null;
  const [day = ''] = word.split('T');
  if (DATE.test(day) && Number.isNaN(dayBound(day, isEnd))) return null;
  const at = word === day ? dayBound(day, isEnd) : Date.parse(word);
  return isMoment(at) ? at : null;
}

/** Writes a moment as a date if it is the `dayBound` of that date. Otherwise writes it in ISO format. */
function momentText(at: number | null, isEnd: boolean): string | null {
  if (at === null || !isMoment(at)) return null;
  const day = dayText(at);
  return dayBound(day, isEnd) === at ? day : new Date(at).toISOString();
}

/** The day of a moment in the user's time zone: `2026-11-23`. */
export function dayText(at: number): string {
  const date = new Date(at);
  const pad = (value: number, length = 2) => String(value).padStart(length, '0');
  return `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

/** The first millisecond of a day in the user's time zone, or the last if `isEnd`. `NaN` if there is no such day. */
export function dayBound(day: string, isEnd: boolean): number {
  const at = Date.parse(`${day}T${isEnd ? '23:59:59.999' : '00:00:00.000'}`);
  // Chromium reads 30 February as 2 March.
  return dayText(at) === day ? at : Number.NaN;
}

function sortFrom(word: string | null, filter: RunFilter): RunSort {
  const name = word?.replace(/^-/, '');
  const by = SORT_KEYS.find((key) => nameOfSort(key) === name);
  if (by === undefined || (by === 'similarity' && !filter.byMeaning)) return defaultSortOf(filter);
  return { by, descending: word?.startsWith('-') ?? false };
}
