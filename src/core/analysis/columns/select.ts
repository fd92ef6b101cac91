/**
 * @file Applies a filter to runs, except for two conditions: `search/` applies the searched words, and
 * `run-index/nearest.ts` applies the condition on similar questions.
 */
import type { NumberRange, RunFilter, StepFilter } from '../../contract';
import { FLAGS, KINDS, type Selection } from './layout';
import type { Dictionary } from './dictionary';
import { isDecided, isPriced, spentBy } from './run-facts';
import type { RunTable } from './run-table';

/** Removes from a selection the runs that do not match a filter. */
export function select(table: RunTable, filter: RunFilter, selection: Selection): void {
  const { runs, steps, dictionaries } = table;
  const narrow = (keep: (row: number) => boolean) => {
    for (let row = 0; row < selection.length; row++) if (selection[row] === 1 && !keep(row)) selection[row] = 0;
  };
  const byCode = (values: readonly string[], name: 'conductor' | 'batch') => {
    if (values.length === 0) return;
    const wanted = marked(table.names[name].length, codesOf(dictionaries[name], values));
    const codes = runs.codes[name];
    narrow((row) => wanted[codes[row] ?? 0] === 1);
  };
  const byKind = <Value>(values: readonly Value[], all: readonly Value[], kinds: Uint8Array) => {
    if (values.length === 0) return;
    const wanted = marked(
      256,
      values.map((value) => all.indexOf(value)),
    );
    narrow((row) => wanted[kinds[row] ?? 0] === 1);
  };
  const byFlag = (wanted: boolean | null, flag: number) => {
    if (wanted === null) return;
    const { flags } = runs.kinds;
    narrow((row) => (((flags[row] ?? 0) & flag) !== 0) === wanted);
  };
  const byRange = ({ least, most }: NumberRange, numbers: Float64Array) => {
    if (least !== null) narrow((row) => (numbers[row] ?? NaN) >= least);
    if (most !== null) narrow((row) => (numbers[row] ?? NaN) <= most);
  };

  byCode(filter.conductors, 'conductor');
  byCode(filter.batches, 'batch');
  byKind(filter.shapes, KINDS.shape, runs.kinds.shape);
  byKind(filter.domains, KINDS.domain, runs.kinds.domain);
  byKind(filter.grades, KINDS.grade, runs.kinds.grade);
  byKind(filter.validities, KINDS.validity, runs.kinds.validity);
  byKind(filter.statuses, KINDS.status, runs.kinds.status);
  if (filter.grammar !== null) byKind([filter.grammar], KINDS.grammar, runs.kinds.grammar);
  if (filter.decided !== null) narrow((row) => isDecided(table, row) === filter.decided);
  if (filter.priced !== null) narrow((row) => isPriced(table, row) === filter.priced);
  if (filter.spentOn.length > 0) {
    narrow((row) => {
      const spent = spentBy(table, row);
      return filter.spentOn.every((purpose) => spent[purpose] > 0);
    });
  }
  byFlag(filter.simulated, FLAGS.simulated);
  byFlag(filter.imported, FLAGS.imported);
  byFlag(filter.starred, FLAGS.starred);
  byRange(filter.usd, runs.numbers.usd);
  byRange(filter.time, runs.numbers.time);
  byRange(filter.rounds, runs.numbers.rounds);
  byRange(filter.startedAt, runs.numbers.startedAt);
  if (filter.rewards.length > 0) {
    const { reward } = runs.numbers;
    const wanted: readonly number[] = filter.rewards;
    narrow((row) => wanted.includes(reward[row] ?? NaN));
  }
  for (const conditions of [listedConditions(table, filter), ...filter.steps.map((each) => oneStep(table, each))]) {
    if (conditions.length === 0) continue;
    const found = new Uint8Array(selection.length);
    const owner = steps.codes.run;
    for (let step = 0; step < steps.length; step++) {
      if (conditions.every((holds) => holds(step))) found[owner[step] ?? 0] = 1;
    }
    narrow((row) => found[row] === 1);
  }
  if (filter.labels.length > 0) byLabel(table, filter.labels, selection);
  for (const id of filter.without) {
    const row = table.rowOf(id);
    if (row !== null) selection[row] = 0;
  }
}

/** @param step the row of a step in the table of steps */
type StepCondition = (step: number) => boolean;

/** The conditions on workers, providers and roles. One step must meet all of them. */
function listedConditions(table: RunTable, { workers, providers, roles }: RunFilter): readonly StepCondition[] {
  return [
    ...(workers.length > 0 ? [named(table, 'worker', workers)] : []),
    ...(providers.length > 0 ? [named(table, 'provider', providers)] : []),
    ...(roles.length > 0 ? [isAmong(table.steps.kinds.role, 256, codesIn(KINDS.role, roles))] : []),
  ];
}

function oneStep(table: RunTable, filter: StepFilter): readonly StepCondition[] {
  const { steps } = table;
  const { worker, otherThan, provider, role, isFinished, hasContent } = filter;
  const { latency } = steps.numbers;
  const isOther = otherThan.length > 0 ? named(table, 'worker', otherThan) : null;
  return [
    ...(worker === null ? [] : [named(table, 'worker', [worker])]),
    ...(isOther ? [(step: number) => !isOther(step)] : []),
    ...(provider === null ? [] : [named(table, 'provider', [provider])]),
    ...(role === null ? [] : [isAmong(steps.kinds.role, 256, codesIn(KINDS.role, [role]))]),
    ...(isFinished ? [isAmong(steps.kinds.outcome, 256, codesIn(KINDS.outcome, ['finished']))] : []),
    ...(hasContent ? [(step: number) => !Number.isNaN(latency[step] ?? NaN)] : []),
  ];
}

function named(
  { steps, names, dictionaries }: RunTable,
  column: 'worker' | 'provider',
  values: readonly string[],
): StepCondition {
  return isAmong(steps.codes[column], names[column].length, codesOf(dictionaries[column], values));
}

/** @param size number of codes */
function isAmong(codes: ArrayLike<number>, size: number, wanted: readonly number[]): StepCondition {
  const marks = marked(size, wanted);
  return (step) => marks[codes[step] ?? 0] === 1;
}

function codesIn<Value>(all: readonly Value[], values: readonly Value[]): readonly number[] {
  return values.map((value) => all.indexOf(value));
}

function byLabel(columns: RunTable, labels: readonly string[], selection: Selection): void {
  const wanted = marked(columns.names.label.length, codesOf(columns.dictionaries.label, labels));
  const codes = columns.labels;
  for (let row = 0; row < selection.length; row++) {
    if (selection[row] !== 1) continue;
    let has = false;
    for (let at = columns.labelsOf.start(row); at < columns.labelsOf.end(row) && !has; at++) {
      has = wanted[codes[at] ?? 0] === 1;
    }
    if (!has) selection[row] = 0;
  }
}

function codesOf(dictionary: Dictionary, texts: readonly string[]): number[] {
  return texts.flatMap((text) => dictionary.find(text) ?? []);
}

function marked(length: number, indexes: readonly number[]): Uint8Array {
  const marks = new Uint8Array(length);
  for (const index of indexes) if (index >= 0) marks[index] = 1;
  return marks;
}
