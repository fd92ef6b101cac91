/** @file Exports runs to files and imports them. */
import type { ImportProgress, LineProblem, RunFileOptions } from '../../core/contract';
import type { RunServices, Services, StorageServices } from '../services';
import { shownName } from './file-name';
import { LongWork } from './long-work.svelte';
import { chooseTarget, dateInName, type ChooseTarget } from './save-file';

/** Maximum number of problems to show. Further problems are only counted. */
const MOST_PROBLEMS = 100;

/** The result of an import so far. */
export interface Imported extends Pick<ImportProgress, 'runs' | 'lines'> {
  /** File names, safe to show. */
  readonly names: readonly string[];
  readonly problems: readonly LineProblem[];
  /** Number of all problems, including those that are not in `problems`. */
  readonly problemCount: number;
}

type Needed = Pick<RunServices, 'runs'> & Pick<StorageServices, 'archive'>;

export class RunFiles {
  readonly work = new LongWork();
  imported: Imported | null = $state.raw(null);
  /** Number of runs that the last export wrote. `null`: the last work was no export, or the export wrote no file. */
  exported: number | null = $state(null);
  /** Whether the last work was an export. */
  wrote = $state(false);
  /** Messages about runs that are missing from the exported file, because they could not be read. */
  leftOut: readonly string[] = $state.raw([]);

  readonly #services: Needed;
  readonly #choose: ChooseTarget;
  #listeners: readonly (() => void)[] = [];

  constructor(services: Needed, choose: ChooseTarget = chooseTarget) {
    this.#services = services;
    this.#choose = choose;
  }

  /** Exports runs. @param ids ids of the runs. `null`: all runs */
  async export(ids: readonly string[] | null, compress: boolean): Promise<void> {
    this.dismiss();
    const what = ids?.length === 1 ? 'run' : 'runs';
    const name = `podium-${what}-${dateInName(Date.now())}.podium.jsonl${compress ? '.gz' : ''}`;
    const leftOut: string[] = [];
    this.wrote = true;
    const written = await this.work.do(`Exporting`, async (signal, onprogress) => {
      const target = await this.#choose(name);
      if (!target) return null;
      const archive = await this.#services.archive();
      // Counts the written runs, because a requested run may be deleted before it is written.
      let written = 0;
      const options: RunFileOptions = {
        ids,
        compress,
        signal,
        onprogress(done, of) {
          written = done;
          onprogress(done, of);
        },
        leftOut: (message) => void leftOut.push(message),
      };
      await target.write(archive.exportRuns(options), signal);
      return written;
    });
    if (written === null) return;
    this.exported = written;
    this.leftOut = leftOut;
  }

  /** Imports the runs of some files. If the import is stopped, the runs imported so far are kept. */
  async import(files: Iterable<File>): Promise<void> {
    // The user can drag a file onto the page during other work.
    if (this.work.isBusy) return;
    this.dismiss();
    await this.work.do('Importing', async (signal, onprogress) => {
      try {
        const all = [...files];
        for (const file of all) {
          // With several files, a line number alone is ambiguous.
          const where = all.length > 1 ? `${shownName(file.name)}: ` : '';
          await this.#importOne(file, where, signal, onprogress);
        }
      } finally {
        await this.#services.runs.reloadRuns();
        for (const listener of this.#listeners) listener();
      }
    });
  }

  /** Subscribes to imports. @returns a function that unsubscribes */
  listen(listener: () => void): () => void {
    this.#listeners = [...this.#listeners, listener];
    return () => (this.#listeners = this.#listeners.filter((each) => each !== listener));
  }

  dismiss(): void {
    this.imported = null;
    this.exported = null;
    this.wrote = false;
    this.leftOut = [];
    this.work.fault = null;
    this.work.wasStopped = false;
  }

  async #importOne(
    file: File,
    where: string,
    signal: AbortSignal,
    onprogress: (done: number, of: number) => void,
  ): Promise<void> {
    const before = this.imported;
    const problems: LineProblem[] = [...(before?.problems ?? [])];
    let problemCount = before?.problemCount ?? 0;
    for await (const progress of (await this.#services.archive()).importRuns(file, signal)) {
      problemCount += progress.problems.length;
      const named = progress.problems.map(({ line, message }) => ({ line, message: where + message }));
      problems.push(...named.slice(0, MOST_PROBLEMS - problems.length));
      this.imported = {
        names: [...(before?.names ?? []), shownName(file.name)],
        runs: before ? sumOf(before.runs, progress.runs) : progress.runs,
        lines: (before?.lines ?? 0) + progress.lines,
        problems: [...problems],
        problemCount,
      };
      onprogress(progress.read, progress.of);
    }
  }
}

function sumOf(one: Imported['runs'], other: Imported['runs']): Imported['runs'] {
  return {
    added: one.added + other.added,
    present: one.present + other.present,
    repaired: one.repaired + other.repaired,
    updated: one.updated + other.updated,
    copied: one.copied + other.copied,
    kept: one.kept + other.kept,
    busy: one.busy + other.busy,
    removed: one.removed + other.removed,
  };
}

/** The exports and imports of this tab. They are kept while the user visits other pages, so that an import continues. */
export function runFilesOf(app: { openedRunFiles: RunFiles | null }, services: Services): RunFiles {
  return (app.openedRunFiles ??= new RunFiles(services));
}
