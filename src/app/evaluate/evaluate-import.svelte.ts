/** @file Adds a dataset from a file or the Hugging Face hub: opens a table, assigns its columns, and imports it. */
import {
  abortError,
  GRADERS,
  toFault,
  type ChoiceMap,
  type Dataset,
  type DatasetImporter,
  type DatasetMap,
  type DatasetTable,
  type FieldMap,
  type GraderKind,
  type HubAddress,
  type HubFile,
  type KnownSet,
  type MapCheck,
  type ReferencePart,
  type RowProblem,
  type TestMap,
} from '../../core/contract';
import type { TextEncoding } from '../../core/contract/text-encoding';
import { shownName } from '../state/file-name';
import { LongWork } from '../state/long-work.svelte';

/** Maximum number of skipped rows to show. Further rows are only counted. */
const MOST_PROBLEMS = 20;

/** Progress of an import. */
export interface ImportCount {
  readonly tasks: number;
  readonly skipped: number;
  /** The first skipped rows. */
  readonly problems: readonly RowProblem[];
}

const NOTHING: ImportCount = { tasks: 0, skipped: 0, problems: [] };

/** References that are not graded as right. The user has to confirm the import. */
export interface Doubt {
  readonly failed: number;
  readonly tried: number;
  /** Whether only the first rows were tried. */
  readonly isPreview: boolean;
  /** The reason for the first failed reference, as sentences. */
  readonly reason: string;
}

export class DatasetForm {
  readonly work = new LongWork();
  table: DatasetTable | null = $state.raw(null);
  map: DatasetMap | null = $state.raw(null);
  name = $state('');
  /** The repository on the hub as `owner/name`, its file and revision, and the token for a gated repository. */
  repository = $state('');
  file = $state('');
  revision = $state('');
  token = $state('');
  /** The tables of the repository. Empty until they are listed. */
  files: readonly HubFile[] = $state.raw([]);
  counted: ImportCount = $state.raw(NOTHING);
  /** `null`: all references that were tried are graded as right, or they are still being tried. */
  doubt: Doubt | null = $state.raw(null);
  /** Why some references of the preview could not be tried. `null`: all were tried, or they are still being tried. */
  untried: string | null = $state(null);
  /** Whether the references of the preview are being tried. */
  isTrying = $state(false);
  /** Stops the trial of the current columns. */
  #trial = new AbortController();
  /** Settles when this trial ends. */
  #tried: Promise<void> = Promise.resolve();
  /** The encoding that the user chose for the open table. `null`: it is detected. */
  encoding: TextEncoding | null = $state(null);
  readonly #importer: DatasetImporter<File>;
  /** Opens the table again. `null`: no table has been opened. */
  #openAgain: (() => Promise<void>) | null = null;

  /** The first tasks made from the current columns, or why these columns can't be used. `null`: no table is open. */
  readonly check: MapCheck | null = $derived.by(() =>
    this.table && this.map ? this.#importer.check(this.table, this.map) : null,
  );
  /** The columns that the user assigns. `null`: no table is open, or the known columns of a published dataset are used. */
  readonly fields: FieldMap | null = $derived.by(() => (this.map?.kind === 'columns' ? this.map.map : null));

  constructor(importer: DatasetImporter<File>) {
    this.#importer = importer;
  }

  get known(): DatasetImporter<File>['known'] {
    return this.#importer.known;
  }

  /** Title of the published dataset that the table belongs to. `null`: none was recognized, or the user assigns the columns. */
  get recognized(): string | null {
    const { map } = this;
    if (map?.kind !== 'known') return null;
    return this.table?.title ?? this.known.find(({ set }) => set === map.set)?.title ?? map.set;
  }

  async openFile(file: File): Promise<void> {
    await this.#open(
      `Reading ${shownName(file.name)}`,
      shownName(file.name).replace(/\.(jsonl?|ndjson|[ct]sv|parquet|eval|ya?ml)(\.gz)?$/i, ''),
      (signal, encoding) => this.#importer.openFile(file, signal, encoding),
    );
  }

  /** Opens the table again with another encoding. @param encoding `null`: detects the encoding */
  async chooseEncoding(encoding: TextEncoding | null): Promise<void> {
    const { encoding: before } = this;
    this.encoding = encoding;
    await this.#openAgain?.();
    // The table that is still open was read with the previous encoding.
    if (this.work.fault || this.work.wasStopped) this.encoding = before;
  }

  /** Fills in the address of a published dataset. */
  choosePublished(set: KnownSet | '', file: number): void {
    const address = this.known.find((each) => each.set === set)?.files[file]?.address;
    this.repository = address?.repository ?? '';
    this.revision = address?.revision ?? '';
    this.file = address?.file ?? '';
    this.files = [];
  }

  /** Opens the table at the typed address. If no file was typed, lists the tables, and opens the table if there is only one. */
  async openHub(): Promise<void> {
    const { file: path, ...repository } = this.#address;
    if (path === undefined) {
      const files = await this.work.do('Listing the files', (signal) => this.#importer.listHub(repository, signal));
      if (!files) return;
      this.files = files;
      if (files.length !== 1) return;
    }
    const address = { ...repository, file: path ?? this.files[0]?.path ?? '' };
    await this.#open('Reading the table', address.repository.split('/').at(-1) ?? '', (signal, encoding) =>
      this.#importer.openHub(address, signal, encoding),
    );
  }

  /** Assigns suggested columns, which the user can then change. Replaces the known columns of a recognized set. */
  assignColumns(): void {
    if (this.table) this.#use({ kind: 'columns', map: this.#importer.suggest(this.table) });
  }

  /** Undoes `assignColumns`: uses the known columns of the recognized set. */
  useRecognized(): void {
    const set = this.table?.recognized ?? null;
    if (set !== null) this.#use({ kind: 'known', set });
  }

  assign(fields: Partial<Omit<FieldMap, 'grader'>>): void {
    if (this.fields) this.#use({ kind: 'columns', map: { ...this.fields, ...fields } });
  }

  /** Changes the grader. Clears the fields that the new grader doesn't use, and suggests columns for those that it needs. */
  assignGrader(grader: GraderKind): void {
    const { fields } = this;
    if (!fields) return;
    const { referencePart, ...others } = fields;
    const needsReference = GRADERS[grader].needs === 'reference';
    this.#use({
      kind: 'columns',
      map: {
        ...others,
        ...(referencePart && needsReference && grader !== 'letter' && { referencePart }),
        grader,
        choices: grader === 'letter' ? (fields.choices ?? this.#firstChoices()) : null,
        tests: this.#testsFor(grader, fields.tests),
        reference: needsReference ? (fields.reference ?? this.#column(1)) : null,
        solution: GRADERS[grader].by === 'sandbox' ? fields.solution : null,
      },
    });
  }

  /** The whole column, or a part of it, is the reference. */
  assignPart(part: ReferencePart | null): void {
    const { fields } = this;
    if (!fields) return;
    const { referencePart: _before, ...others } = fields;
    this.#use({ kind: 'columns', map: { ...others, ...(part && { referencePart: part }) } });
  }

  /**
   * Imports the open table. If some references are not graded as right, the first call only sets `doubt`, and the next call
   * imports them.
   * @returns the dataset. `null`: there is a doubt, `check` found a problem, or the import failed or was stopped
   */
  async import(): Promise<Dataset | null> {
    const { table, map } = this;
    if (!table || !map || this.check?.ok !== true) return null;
    const isConfirmed = this.doubt !== null;
    this.counted = NOTHING;
    const name = this.name.trim() || 'Dataset';
    if (!isConfirmed && this.isTrying) {
      const isTried = await this.work.do('Trying the references', (signal) => this.#endOfTrial(signal));
      if (isTried !== true || this.doubt !== null) return null;
    }
    return this.work.do('Importing', async (signal, report) => {
      for await (const event of this.#importer.import(table, map, { name, isConfirmed }, signal)) {
        if (event.kind === 'finished') return event.dataset;
        if (event.kind === 'doubtful') {
          const { doubtful, tasks, first } = event;
          this.doubt = {
            failed: doubtful,
            tried: tasks,
            isPreview: false,
            reason: `Row ${first.row}: ${first.message}`,
          };
          return null;
        }
        const problems = [...this.counted.problems, ...event.problems].slice(0, MOST_PROBLEMS);
        this.counted = { tasks: event.tasks, skipped: event.skipped, problems };
        report(event.read, event.of ?? 0);
      }
      return null;
    });
  }

  close(): void {
    this.work.stop();
    this.#forgetTrial();
    this.table = null;
    this.map = null;
    this.counted = NOTHING;
    this.work.fault = null;
  }

  get #address(): HubAddress {
    const { repository, revision, file, token } = this;
    return {
      repository: repository.trim(),
      ...(revision.trim() === '' ? {} : { revision: revision.trim() }),
      ...(file.trim() === '' ? {} : { file: file.trim() }),
      ...(token.trim() === '' ? {} : { token: token.trim() }),
    };
  }

  async #open(doing: string, name: string, open: OpenWith): Promise<void> {
    this.encoding = null;
    this.name = name;
    this.#openAgain = async () => {
      const table = await this.work.do(doing, (signal) => open(signal, this.encoding ?? undefined));
      if (table) this.#show(table);
    };
    await this.#openAgain();
  }

  #show(table: DatasetTable): void {
    this.table = table;
    this.counted = NOTHING;
    const { recognized } = table;
    if (recognized === null) this.assignColumns();
    else this.#use({ kind: 'known', set: recognized });
  }

  /** Changes the map, and tries the references of the preview with it. */
  #use(map: DatasetMap): void {
    this.map = map;
    this.#forgetTrial();
    this.#tried = this.#try(this.#trial.signal);
  }

  #forgetTrial(): void {
    this.#trial.abort();
    this.#trial = new AbortController();
    this.isTrying = false;
    this.doubt = null;
    this.untried = null;
  }

  async #try(signal: AbortSignal): Promise<void> {
    const { check } = this;
    if (check?.ok !== true) return;
    this.isTrying = true;
    try {
      const { tried, failed, untried } = await this.#importer.tryReferences(check.tasks, signal);
      if (signal.aborted) return;
      const [first] = failed;
      this.untried = untried;
      this.doubt = first ? { failed: failed.length, tried, isPreview: true, reason: first.message } : null;
    } catch (thrown) {
      // Grading code that can't be loaded, for example offline, must not prevent the import.
      if (!signal.aborted) this.untried = toFault(thrown).message;
    } finally {
      if (!signal.aborted) this.isTrying = false;
    }
  }

  /** Waits for the trial. */
  async #endOfTrial(signal: AbortSignal): Promise<true> {
    const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    await Promise.race([this.#tried, stopped]);
    if (signal.aborted) throw abortError();
    return true;
  }

  #column(place: number): string | null {
    return this.table?.columns[place]?.name ?? null;
  }

  #firstChoices(): ChoiceMap {
    const list = this.table?.columns.find(({ kind }) => kind === 'list')?.name ?? this.#column(1) ?? '';
    return { columns: [list], answer: 'letter', shuffleSeed: null };
  }

  #testsFor(grader: GraderKind, tests: TestMap | null): TestMap | null {
    const column = this.#column(1) ?? '';
    const { needs } = GRADERS[grader];
    if (needs === 'cases') {
      return tests?.kind === 'cases' ? tests : { kind: 'cases', tests: column, privateTests: null, functionName: null };
    }
    if (needs !== 'unit-tests') return null;
    return tests && tests.kind !== 'cases'
      ? tests
      : { kind: 'unittest', test: column, entryPoint: column, libraries: null };
  }
}

type OpenWith = (signal: AbortSignal, encoding: TextEncoding | undefined) => Promise<DatasetTable>;
