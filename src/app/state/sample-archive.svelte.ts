/** @file Imports the sample runs that come with Podium, and deletes them again. */
import { fault, FaultError, isAbort, isSampleRun, MOST_SAMPLE_RUNS, sampleRunId, toFault } from '../../core/contract';
import type { Fault } from '../../core/contract';
import archiveUrl from '../../../sample/archive.podium.bin?url';
import type { RunServices, StorageServices } from '../services';
import { deletionOf } from './run-deletion.svelte';
import type { RunFiles } from './run-files.svelte';

type Needed = Pick<RunServices, 'runs'> & Pick<StorageServices, 'store'>;
type Fetch = (address: string, options: RequestInit) => Promise<Response>;

export class SampleArchive {
  /** Ids of the stored sample runs. `null` until `find` has read them. */
  stored: readonly string[] | null = $state.raw(null);
  /** The action in progress. `null`: none. */
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

  /** Reads which sample runs are stored. */
  async find(): Promise<void> {
    await this.#do(null, async () => {
      const { store } = this.#services;
      const ids = Array.from({ length: MOST_SAMPLE_RUNS }, (_, index) => sampleRunId(index + 1));
      const found = await Promise.all(ids.map((id) => store.summary(id)));
      this.stored = found.flatMap((summary) => (summary && isSampleRun(summary.id) ? [summary.id] : []));
    });
  }

  /** Downloads the archive and imports its runs in the same way as a user's file. */
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
   * Deletes the sample runs. If one deletion fails, still deletes the other runs. Keeps forks of
   * sample runs, because the user made these forks.
   */
  async remove(): Promise<void> {
    const { runs } = this.#services;
    await this.#do('removing', async () => {
      // Completes pending deletions. Otherwise, the list could offer Undo for a run that is deleted here.
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

  /** Cancels a download in progress. An import in progress continues. */
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
