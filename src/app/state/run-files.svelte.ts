/** @file Runs as files: some are written out, others come in. */
import type { ImportProgress, LineProblem, RunFileOptions } from '../../core/contract';
import type { RunServices, StorageServices } from '../services';
import { shownName } from './file-name';
import { FileWork } from './file-work.svelte';
import { chooseTarget, dateInName, type ChooseTarget } from './save-file';

/** Problems that are kept to be shown; beyond them they are only counted. */
const MOST_PROBLEMS = 100;

/** What came of an import, as far as it went. */
export interface Imported extends Pick<ImportProgress, 'runs' | 'lines'> {
  /** Of the files, as they may be shown. */
  readonly names: readonly string[];
  readonly problems: readonly LineProblem[];
  /** All of them. */
  readonly problemCount: number;
}

type Needed = Pick<RunServices, 'runs'> & Pick<StorageServices, 'archive' | 'store' | 'preferences'>;

export class RunFiles {
  readonly work = new FileWork();
  imported: Imported | null = $state.raw(null);
  /** How many runs were written out; `null` unless some just were. */
  exported: number | null = $state(null);
  /** How many plans were written out for training; `null` unless some just were. */
  rollouts: number | null = $state(null);
  /** The newest work wrote a file, rather than read one. */
  wrote = $state(false);
  /** Runs that could not be read and are not in the file, in sentences. */
  leftOut: readonly string[] = $state.raw([]);

  readonly #services: Needed;
  readonly #choose: ChooseTarget;
  #listeners: readonly (() => void)[] = [];

  constructor(services: Needed, choose: ChooseTarget = chooseTarget) {
    this.#services = services;
    this.#choose = choose;
  }

  /** @param ids `null` for all */
  async export(ids: readonly string[] | null, compress: boolean): Promise<void> {
    this.dismiss();
    const what = ids?.length === 1 ? 'run' : 'runs';
    const name = `podium-${what}-${dateInName(Date.now())}.podium.jsonl${compress ? '.gz' : ''}`;
    const leftOut: string[] = [];
    this.wrote = true;
    const written = await this.work.do(`Exporting`, async (signal, heard) => {
      const target = await this.#choose(name);
      if (!target) return null;
      const archive = await this.#services.archive();
      // Counted as they are written: one that is asked for may have been deleted meanwhile.
      let written = 0;
      const options: RunFileOptions = {
        ids,
        compress,
        signal,
        heard(done, of) {
          written = done;
          heard(done, of);
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

  /** Writes the plans whose worth is known, for whoever trains a Conductor. */
  async exportRollouts(): Promise<void> {
    this.dismiss();
    this.wrote = true;
    this.rollouts = await this.work.do('Exporting for training', async (signal, heard) => {
      const target = await this.#choose(`podium-rollouts-${dateInName(Date.now())}.jsonl`);
      if (!target) return null;
      const { rolloutLines } = await import('../../core/training/export/rollout-export');
      let rollouts = 0;
      const { importedGrades: countsImported } = await this.#services.preferences.read();
      const lines = rolloutLines(this.#services.store, {
        signal,
        countsImported,
        onProgress: (progress) => {
          rollouts = progress.rollouts;
          heard(progress.runs, progress.of);
        },
      });
      await target.write(streamOf(lines), signal);
      return rollouts;
    });
  }

  /** Adds the runs of some files. What has come stays, also if it is stopped. */
  async import(files: Iterable<File>): Promise<void> {
    // A file may be dropped while another is at work.
    if (this.work.isBusy) return;
    this.dismiss();
    await this.work.do('Importing', async (signal, heard) => {
      try {
        const all = [...files];
        for (const file of all) {
          // Where there are several, a line's number alone does not say which file it stands in.
          const where = all.length > 1 ? `${shownName(file.name)}: ` : '';
          await this.#importOne(file, where, signal, heard);
        }
      } finally {
        // However it ended: what has come is here.
        await this.#services.runs.takeStock();
        for (const came of this.#listeners) came();
      }
    });
  }

  /** Hears of runs that may have come from a file. @returns ends it */
  listen(came: () => void): () => void {
    this.#listeners = [...this.#listeners, came];
    return () => (this.#listeners = this.#listeners.filter((each) => each !== came));
  }

  dismiss(): void {
    this.imported = null;
    this.exported = null;
    this.rollouts = null;
    this.wrote = false;
    this.leftOut = [];
    this.work.fault = null;
    this.work.wasStopped = false;
  }

  async #importOne(
    file: File,
    where: string,
    signal: AbortSignal,
    heard: (done: number, of: number) => void,
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
      heard(progress.read, progress.of);
    }
  }
}

function sumOf(one: Imported['runs'], other: Imported['runs']): Imported['runs'] {
  return {
    added: one.added + other.added,
    present: one.present + other.present,
    mended: one.mended + other.mended,
    updated: one.updated + other.updated,
    copied: one.copied + other.copied,
    kept: one.kept + other.kept,
    busy: one.busy + other.busy,
    removed: one.removed + other.removed,
  };
}

/** Lines as bytes. They are asked for as the stream is read; cancelling it ends them. */
function streamOf(lines: AsyncGenerator<string, void, undefined>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const next = await lines.next();
      if (next.done) controller.close();
      else controller.enqueue(encoder.encode(next.value));
    },
    async cancel() {
      await lines.return();
    },
  });
}
