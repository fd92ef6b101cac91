/**
 * @file The form that imports a table of recorded outcomes: answers or scores of workers, recorded outside Podium. Opens a file,
 * shows a preview, and stores the table as a dataset.
 */
import type { Dataset, GraderKind, Table } from '../../core/contract';
import type { RecordedImporter, RecordedPreview } from '../../core/evaluation/recorded/recorded-import';
import type { RecordedMap } from '../../core/evaluation/recorded/recorded-map';
import type { RecordedGrading } from '../../core/evaluation/recorded/recorded-table';
import { shownName } from '../state/file-name';
import { LongWork } from '../state/long-work.svelte';

export class RecordedForm {
  readonly work = new LongWork();
  name = $state('');
  /** A preview of the open table with the current grading. `null`: no table has been read. */
  preview: RecordedPreview | null = $state.raw(null);
  gradedBy: RecordedGrading['by'] = $state('score');
  passMark = $state(1);
  grader: GraderKind = $state('exact');
  /** The open table. `null`: none. */
  table: Table | null = $state.raw(null);
  /** The columns of the open table. `null`: no table is open. */
  map: RecordedMap | null = $state.raw(null);
  readonly #importer: RecordedImporter<File>;
  #isReading = false;
  /** Whether the columns or the grading have changed since the last read began. */
  #isOutdated = false;

  constructor(importer: RecordedImporter<File>) {
    this.#importer = importer;
  }

  async openFiles([first, ...others]: readonly File[]): Promise<void> {
    if (!first) return;
    const name = shownName(first.name);
    const doing = others.length === 0 ? `Reading ${name}` : `Reading ${others.length + 1} files`;
    const table = await this.work.do(doing, (signal) => this.#importer.openFiles([first, ...others], signal));
    if (!table) return;
    this.table = table;
    this.name = name.replace(/\.(jsonl?|ndjson|[ct]sv|parquet|eval|ya?ml)(\.gz)?$/i, '');
    const { map, by } = this.#importer.suggest(table);
    this.map = map;
    this.gradedBy = by;
    await this.#read();
  }

  /** Changes how the outcomes are graded, and updates the preview. */
  async grade(fields: Partial<Pick<RecordedForm, 'gradedBy' | 'passMark' | 'grader'>>): Promise<void> {
    Object.assign(this, fields);
    await this.#read();
  }

  /** Changes the columns, and updates the preview. */
  async assign(fields: Partial<RecordedMap>): Promise<void> {
    if (!this.map) return;
    this.map = { ...this.map, ...fields };
    await this.#read();
  }

  /** Imports the table. @returns the dataset. `null`: no table is open, or the import failed or was stopped */
  async add(): Promise<Dataset | null> {
    const { table, map } = this;
    if (!table || !map) return null;
    const options = { name: this.name.trim() || 'Recorded outcomes', map, grading: this.#grading };
    return this.work.do('Importing', (signal, onprogress) => this.#importer.add(table, options, signal, onprogress));
  }

  /** Closes the table, so that the user can choose another file. */
  close(): void {
    this.work.stop();
    this.table = null;
    this.map = null;
    this.preview = null;
    this.work.fault = null;
  }

  get #grading(): RecordedGrading {
    const { gradedBy, passMark, grader } = this;
    return gradedBy === 'score' ? { by: 'score', passMark } : { by: 'answer', grader };
  }

  /** Reads the preview. A change during a read starts the read again. */
  async #read(): Promise<void> {
    this.#isOutdated = true;
    if (this.#isReading) {
      this.work.stop();
      return;
    }
    this.#isReading = true;
    while (this.#isOutdated) {
      this.#isOutdated = false;
      const { table, map } = this;
      if (!table || !map) break;
      const reading = { map, grading: this.#grading };
      const preview = await this.work.do('Reading the table', (signal, onprogress) =>
        this.#importer.preview(table, reading, signal, onprogress),
      );
      if (preview && this.table === table) this.preview = preview;
    }
    this.#isReading = false;
  }
}
