/** @file Backups: writing a backup, inspecting a chosen file, and restoring it. */
import type { BackupContents, RestoreMode, RestoreProgress } from '../../core/contract';
import type { RunServices, StorageServices } from '../services';
import { LongWork } from './long-work.svelte';
import { chooseTarget, dateInName, type ChooseTarget } from './save-file';

type Needed = Pick<RunServices, 'runs'> & Pick<StorageServices, 'archive'>;

export class Backups {
  readonly work = new LongWork();
  /** The chosen file, once it has been inspected. */
  chosen: { readonly file: File; readonly contents: BackupContents } | null = $state.raw(null);
  /** What `work` is doing or did last: making a backup, inspecting a chosen file, or restoring it. */
  kind: 'make' | 'choose' | RestoreMode = $state('make');
  /** The result of restoring so far. */
  restored: RestoreProgress | null = $state.raw(null);
  /** File name of the written backup. */
  made = $state('');
  /** Sentences about the parts that are missing from the written backup. */
  leftOut: readonly string[] = $state.raw([]);

  readonly #services: Needed;
  readonly #reload: () => Promise<void>;
  readonly #choose: ChooseTarget;

  /** @param reload reads restored data other than runs into this page's state */
  constructor(services: Needed, reload: () => Promise<void>, choose: ChooseTarget = chooseTarget) {
    this.#services = services;
    this.#reload = reload;
    this.#choose = choose;
  }

  /** Writes a backup. @param keys whether to include the vault, which stays encrypted */
  async make(keys: boolean): Promise<void> {
    this.#forget('make');
    const name = `podium-${dateInName(Date.now())}.podium-backup.jsonl.gz`;
    const leftOut: string[] = [];
    const isMade = await this.work.do('Writing the backup', async (signal, onprogress) => {
      const target = await this.#choose(name);
      if (!target) return false;
      const archive = await this.#services.archive();
      const stream = archive.backup({ keys, signal, onprogress, leftOut: (message) => leftOut.push(message) });
      await target.write(stream, signal);
      return true;
    });
    if (!isMade) return;
    this.made = name;
    this.leftOut = leftOut;
  }

  /** Inspects a file. Stores nothing. */
  async choose(file: File): Promise<void> {
    this.#forget('choose');
    const contents = await this.work.do('Reading the file', async (signal, onprogress) =>
      (await this.#services.archive()).inspect(file, signal, onprogress),
    );
    if (contents) this.chosen = { file, contents };
  }

  /** Restores the chosen file. @param isOwn whether the user made the backup. If so, its grades count as the user's own */
  async restore(mode: RestoreMode, isOwn: boolean): Promise<void> {
    const { chosen } = this;
    if (!chosen) return;
    this.chosen = null;
    this.kind = mode;
    await this.work.do('Restoring', async (signal, onprogress) => {
      try {
        for await (const progress of (await this.#services.archive()).restore(chosen.file, { mode, isOwn }, signal)) {
          const isMore = besideRuns(progress) !== besideRuns(this.restored);
          this.restored = progress;
          onprogress(progress.read, progress.of);
          // Without the reload, a setting that the user changes during the restore would overwrite the restored settings.
          if (isMore) await this.#reload();
        }
      } finally {
        // Some runs may have been restored even if the work failed or was stopped.
        await this.#services.runs.reloadRuns();
        await this.#reload();
      }
    });
  }

  /** Forgets the chosen file and the last result. */
  dismiss(): void {
    this.#forget('choose');
  }

  #forget(kind: 'make' | 'choose'): void {
    this.kind = kind;
    this.chosen = null;
    this.restored = null;
    this.made = '';
    this.leftOut = [];
    this.work.fault = null;
    this.work.wasStopped = false;
  }
}

/** Number of changes so far to stored items other than runs. */
function besideRuns(progress: RestoreProgress | null): number {
  const parts = progress?.parts.filter(({ name }) => name !== 'runs') ?? [];
  return parts.reduce((sum, { counts }) => sum + counts.added + counts.updated + counts.removed, 0);
}
