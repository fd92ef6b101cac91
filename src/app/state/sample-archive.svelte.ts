/** @file Imports the runs of the sample archive in the same way as a user's file, and can remove them later. */
import { fault, FaultError, isAbort, isSampleRun, MOST_SAMPLE_RUNS, sampleRunId, toFault } from '../../core/contract';
import type { Fault } from '../../core/contract';
import archiveUrl from '../../../sample/archive.podium.bin?url';
import type { RunServices, StorageServices } from '../services';
import { deletionOf } from './run-deletion.svelte';
import type { RunFiles } from './run-files.svelte';

type Needed = Pick<RunServices, 'runs'> & Pick<StorageServices, 'store'>;
type Fetch = (address: string, options: RequestInit) => Promise<Response>;

export class SampleArchive {
  /** Ids of the sample runs that are stored. `null` until they are known. */
  stored: readonly string[] | null = $state.raw(null);
  /** The current work. */
  doing: 'loading' | 'removing' | null = $state(null);
  fault: Fault | null = $state.raw(null);

  readonly #services: Needed;
  readonly #files: Pick<RunFiles, 'import' | 'work'>;
  readonly #fetch: Fetch;
  readonly #closing = new AbortController();

  constructor(
    services: Needed,
    files: Pick<RunFiles, 'import' | 'work'>,
    fetchFile: Fetch = (address, options) => fetch(address, options),
  ) {
    this.#services = services;
    this.#files = files;
    this.#fetch = fetchFile;
  }

  /** Finds the stored sample runs. */
  async find(): Promise<void> {
    await this.#do(null, async () => {
      const { store } = this.#services;
      const ids = Array.from({ length: MOST_SAMPLE_RUNS }, (_, index) => sampleRunId(index + 1));
      const found = await Promise.all(ids.map((id) => store.summary(id)));
      this.stored = found.flatMap((summary) => (summary && isSampleRun(summary.id) ? [summary.id] : []));
    });
  }

  /** Downloads the archive and imports its runs. */
  async load(): Promise<void> {
    await this.#do('loading', async () => {
      const file = await this.#download();
      await this.#files.import([file]);
      const { fault: refusal } = this.#files.work;
      if (refusal) throw new FaultError(refusal);
    });
    await this.find();
  }

  /**
   * Deletes the sample runs. If one of them can't be deleted, deletes the others. Forks of sample runs stay, because they are the
   * user's own runs.
   */
  async remove(): Promise<void> {
    const { runs } = this.#services;
    await this.#do('removing', async () => {
      // Otherwise, the list would still offer Undo for sample runs that this method deletes.
      await deletionOf(runs).complete();
      let refusal: Fault | null = null;
      for (const id of this.stored ?? []) {
        try {
          await runs.delete(id);
        } catch (thrown) {
          refusal ??= toFault(thrown);
        }
      }
      if (refusal) throw new FaultError(refusal);
    });
    const { fault: refusal } = this;
    await this.find();
    this.fault ??= refusal;
  }

  /** Stops a download. An import continues. */
  close(): void {
    this.#closing.abort();
  }

  async #download(): Promise<File> {
    const { signal } = this.#closing;
    try {
      const response = await this.#fetch(archiveUrl, { signal });
      if (!response.ok) throw new TypeError(`Status ${response.status}`);
      return new File([await response.blob()], 'sample.podium.jsonl.gz');
    } catch (thrown) {
      if (isAbort(thrown)) throw thrown;
      const message = 'Couldn’t download the sample runs. Check your connection and try again.';
      throw new FaultError(fault('unreachable', message, { retryable: true, detail: String(thrown).slice(0, 500) }));
    }
  }

  async #do(doing: 'loading' | 'removing' | null, work: () => Promise<void>): Promise<void> {
    if (this.doing !== null) return;
    this.doing = doing;
    if (doing) this.fault = null;
    try {
      await work();
    } catch (thrown) {
      if (!isAbort(thrown)) this.fault = toFault(thrown);
    } finally {
      this.doing = null;
    }
  }
}
