/**
 * @file Stores the columns of saved runs, and which rows are in use. When a run changes, it gets a new row at the end,
 * and its old row is no longer in use.
 */
import type { IndexedRun, IndexedStep, RunSummary } from '../../contract';
import { Dictionary } from './dictionary';
import { GrowingRows, Offsets, record, type Layout, type Rows } from './growing';
import {
  FLAGS,
  KINDS,
  NAMES,
  NO_KIND,
  packChecks,
  RUN_LAYOUT,
  STEP_LAYOUT,
  type NameColumn,
  type RunColumns,
  type RunRows,
  type Selection,
  type StepRows,
} from './layout';

export const LABEL_LAYOUT: Layout<never, 'label', never> = { numbers: [], codes: ['label'], kinds: [] };

/** A copy of some rows, for storage. Its codes refer to its own dictionaries (`names`). */
export interface TableChunk {
  readonly ids: readonly string[];
  readonly runs: RunRows;
  readonly steps: StepRows;
  readonly labels: Rows<never, 'label', never>;
  /** For each run, the number of its steps and of its labels. */
  readonly counts: { readonly steps: Uint32Array<ArrayBuffer>; readonly labels: Uint32Array<ArrayBuffer> };
  readonly names: Readonly<Record<NameColumn, readonly string[]>>;
}

export class RunTable implements RunColumns {
  readonly runs = new GrowingRows(RUN_LAYOUT);
  readonly steps = new GrowingRows(STEP_LAYOUT);
  readonly stepsOf = new Offsets();
  readonly labelsOf = new Offsets();
  readonly ids: string[] = [];
  readonly dictionaries = record(NAMES, () => new Dictionary());
  readonly names = record(NAMES, (name) => this.dictionaries[name].texts);
  readonly #labels = new GrowingRows(LABEL_LAYOUT);
  readonly #rows = new Map<string, number>();
  #live = new Uint8Array(1024);

  constructor() {
    // Code 0 is the empty text in every dictionary. It means, for example, no batch or no parent.
    for (const name of NAMES) this.dictionaries[name].code('');
  }

  get labels(): Uint32Array {
    return this.#labels.codes.label;
  }

  /** The number of runs. */
  get size(): number {
    return this.#rows.size;
  }

  /** The selection of all rows in use, as a copy. */
  live(): Selection {
    return this.#live.slice(0, this.runs.length);
  }

  isLive(row: number): boolean {
    return this.#live[row] === 1;
  }

  /** The row of a run. `null`: the run is not in the table. */
  rowOf(id: string): number | null {
    return this.#rows.get(id) ?? null;
  }

  /** Adds a run in a new row, and marks its older row as no longer in use. @returns the new row */
  add({ summary, steps, ...run }: IndexedRun, questionHash: number): number {
    this.remove(summary.id);
    const row = this.runs.length;
    const code = (name: NameColumn, text: string | null) => this.dictionaries[name].code(text ?? '');
    this.runs.push(
      {
        startedAt: summary.startedAt,
        time: summary.time,
        tokens: summary.tokens,
        usd: summary.usd,
        planUsd: run.planUsd,
        laterUsd: run.laterUsd,
        judgeUsd: run.judgeUsd,
        judgeUnpriced: run.judgeUnpriced,
        unpriced: summary.unpriced,
        rounds: summary.rounds,
        turn: summary.thread?.turn ?? 1,
        reward: summary.reward ?? NaN,
        questionHash,
      },
      {
        conductor: code('conductor', summary.conductor),
        batch: code('batch', summary.batch ?? null),
        dataset: code('dataset', run.dataset),
        method: code('method', run.method),
        parent: code('parent', run.parentId),
        question: code('question', summary.question),
        thread: code('thread', summary.thread?.id ?? null),
      },
      {
        status: kind(KINDS.status, summary.status),
        grade: kind(KINDS.grade, gradeOf(summary)),
        validity: kind(KINDS.validity, validityOf(summary)),
        shape: kind(KINDS.shape, run.shape),
        domain: kind(KINDS.domain, run.domain),
        conductorKind: kind(KINDS.conductorKind, run.conductorKind),
        grammar: kind(KINDS.grammar, run.grammar),
        gradedBy: kind(KINDS.gradedBy, run.gradedBy),
        flags: flagsOf(summary),
      },
    );
    for (const step of steps) this.#addStep(row, step);
    for (const label of summary.labels) this.#labels.push({}, { label: code('label', label) }, {});
    this.#closeRow(summary.id);
    return row;
  }

  #addStep(row: number, step: IndexedStep): void {
    const { worker, workerId, provider } = this.dictionaries;
    this.steps.push(
      {
        tokens: step.tokens,
        usd: step.usd,
        unpriced: step.unpriced,
        time: step.time,
        latency: step.latency ?? NaN,
      },
      {
        run: row,
        worker: worker.code(step.worker),
        workerId: workerId.code(step.workerId),
        provider: provider.code(step.provider),
        round: step.round,
        step: step.step,
        retries: step.retries,
        checks: packChecks(step.checks),
      },
      { role: kind(KINDS.role, step.role), outcome: kind(KINDS.outcome, step.outcome) },
    );
  }

  /** Records where the steps and labels of the newest row end, and marks the row as in use. */
  #closeRow(id: string): void {
    const row = this.ids.length;
    this.ids.push(id);
    this.stepsOf.push(this.steps.length);
    this.labelsOf.push(this.#labels.length);
    if (row >= this.#live.length) {
      const grown = new Uint8Array(this.#live.length * 2);
      grown.set(this.#live);
      this.#live = grown;
    }
    this.#live[row] = 1;
    this.#rows.set(id, row);
  }

  /** Marks a run's row as no longer in use. @returns the row. `null`: the run had no row */
  remove(id: string): number | null {
    const row = this.#rows.get(id);
    if (row === undefined) return null;
    this.#live[row] = 0;
    this.#rows.delete(id);
    return row;
  }

  /** Marks a row as no longer in use. */
  kill(row: number): void {
    const id = this.ids[row];
    if (id !== undefined && this.#rows.get(id) === row) this.#rows.delete(id);
    this.#live[row] = 0;
  }

  /** Removes the texts of a row that is no longer in use. */
  blank(row: number): void {
    const { runs, steps } = this;
    this.ids[row] = '';
    runs.numbers.questionHash[row] = 0;
    for (const codes of Object.values(runs.codes)) codes[row] = 0;
    for (let at = this.labelsOf.start(row); at < this.labelsOf.end(row); at++) this.labels[at] = 0;
    for (let at = this.stepsOf.start(row); at < this.stepsOf.end(row); at++) {
      for (const name of ['worker', 'workerId', 'provider'] as const) steps.codes[name][at] = 0;
    }
  }

  /** Removes this row and all later rows. */
  cut(row: number): void {
    for (let at = row; at < this.runs.length; at++) this.kill(at);
    this.steps.cut(row === 0 ? 0 : this.stepsOf.end(row - 1));
    this.#labels.cut(row === 0 ? 0 : this.labelsOf.end(row - 1));
    this.runs.cut(row);
    this.stepsOf.cut(row);
    this.labelsOf.cut(row);
    this.ids.length = row;
  }

  /** Copies rows for storage. The chunk has its own dictionaries, and its codes refer to them. */
  chunk(rows: readonly number[]): TableChunk {
    const itemsOf = (spans: Offsets) =>
      rows.flatMap((row) =>
        Array.from({ length: spans.end(row) - spans.start(row) }, (_, at) => spans.start(row) + at),
      );
    const countsOf = (spans: Offsets) => Uint32Array.from(rows, (row) => spans.end(row) - spans.start(row));
    const runs = this.runs.pick(rows);
    const steps = this.steps.pick(itemsOf(this.stepsOf));
    const labels = this.#labels.pick(itemsOf(this.labelsOf));
    const counts = { steps: countsOf(this.stepsOf), labels: countsOf(this.labelsOf) };
    const own = record(NAMES, () => new Dictionary());
    for (const { name, codes } of codedColumns({ runs, steps, labels })) {
      own[name].code('');
      for (const [at, code] of codes.entries()) codes[at] = own[name].code(this.names[name][code] ?? '');
    }
    return {
      ids: rows.map((row) => this.ids[row] ?? ''),
      runs,
      steps,
      labels,
      counts,
      names: record(NAMES, (name) => own[name].texts),
    };
  }

  /**
   * Adds the rows of a chunk. Replaces the codes in `chunk` with codes of this table.
   * @param dead for each row of the chunk: 1 if the row is out of date, 0 if not. `null`: no row is out of
   * date
   */
  addChunk(chunk: TableChunk, dead: Selection | null): void {
    const { runs, steps, labels, counts, ids } = chunk;
    const first = this.runs.length;
    for (const { name, codes } of codedColumns(chunk)) {
      const here = chunk.names[name].map((text) => this.dictionaries[name].code(text));
      for (const [at, code] of codes.entries()) codes[at] = here[code] ?? 0;
    }
    let step = 0;
    let end = { steps: this.steps.length, labels: this.#labels.length };
    for (const [row, id] of ids.entries()) {
      const count = { steps: counts.steps[row] ?? 0, labels: counts.labels[row] ?? 0 };
      for (const last = step + count.steps; step < last; step++) steps.codes.run[step] = first + row;
      end = { steps: end.steps + count.steps, labels: end.labels + count.labels };
      this.ids.push(id);
      this.stepsOf.push(end.steps);
      this.labelsOf.push(end.labels);
    }
    this.runs.append(runs);
    this.steps.append(steps);
    this.#labels.append(labels);
    this.#useFrom(first, dead);
  }

  #useFrom(first: number, dead: Selection | null): void {
    const grown = new Uint8Array(Math.max(this.#live.length, this.ids.length * 2));
    grown.set(this.#live);
    this.#live = grown;
    for (let row = first; row < this.ids.length; row++) {
      const id = this.ids[row] ?? '';
      if (dead?.[row - first] === 1) continue;
      this.remove(id);
      this.#live[row] = 1;
      this.#rows.set(id, row);
    }
  }
}

/** All columns whose codes refer to a dictionary, with the dictionary's name. */
function codedColumns({
  runs,
  steps,
  labels,
}: Pick<TableChunk, 'runs' | 'steps' | 'labels'>): { readonly name: NameColumn; readonly codes: Uint32Array }[] {
  const { conductor, batch, dataset, method, parent, question, thread } = runs.codes;
  const { worker, workerId, provider } = steps.codes;
  const columns = { conductor, batch, dataset, method, parent, question, thread, worker, workerId, provider };
  return NAMES.map((name) => ({ name, codes: name === 'label' ? labels.codes.label : columns[name] }));
}

function kind<Value>(list: readonly Value[], value: Value | null): number {
  const index = value === null ? -1 : list.indexOf(value);
  return index === -1 ? NO_KIND : index;
}

function gradeOf({ correct }: RunSummary) {
  return correct === null ? 'none' : correct ? 'right' : 'wrong';
}

function validityOf({ isValid }: RunSummary) {
  return isValid === undefined ? 'unknown' : isValid ? 'valid' : 'invalid';
}

function flagsOf({ simulated, imported, starred, recorded, early }: RunSummary): number {
  return (
    (simulated ? FLAGS.simulated : 0) +
    (imported ? FLAGS.imported : 0) +
    (starred ? FLAGS.starred : 0) +
    (recorded ? FLAGS.recorded : 0) +
    (early ? FLAGS.early : 0)
  );
}
