/** @file Backups as state: one is made, one is chosen and looked into, and one is restored. */
import type { BackupContents, RestoreMode, RestoreProgress } from '../../core/contract';
import type { RunServices, StorageServices } from '../services';
import { FileWork } from './file-work.svelte';
import { chooseTarget, dateInName, type ChooseTarget } from './save-file';

type Needed = Pick<RunServices, 'runs'> & Pick<StorageServices, 'archive'>;

export class Backups {
  readonly work = new FileWork();
  /** The file that was chosen, once it has been looked into. */
  chosen: { readonly file: File; readonly contents: BackupContents } | null = $state.raw(null);
  /** What is being done, or was done last. */
  kind: 'make' | 'choose' | RestoreMode = $state('make');
  /** What came of the restoring, as far as it went. */
  restored: RestoreProgress | null = $state.raw(null);
  /** A backup was made under this name. */
  made = $state('');
  /** What is not in the backup that was made, and why. */
  leftOut: readonly string[] = $state.raw([]);

  readonly #services: Needed;
  readonly #reload: () => Promise<void>;
  readonly #choose: ChooseTarget;

  /** @param reload takes over what was restored beside runs, in this page */
  constructor(services: Needed, reload: () => Promise<void>, choose: ChooseTarget = chooseTarget) {
    this.#services = services;
    this.#reload = reload;
    this.#choose = choose;
  }

  /** Writes everything down. @param keys with the vault, encrypted as it lies here */
  async make(keys: boolean): Promise<void> {
    this.#forget('make');
    const name = `podium-${dateInName(Date.now())}.podium-backup.jsonl.gz`;
    const leftOut: string[] = [];
    const isMade = await this.work.do('Writing the backup', async (signal, heard) => {
      const target = await this.#choose(name);
      if (!target) return false;
      const archive = await this.#services.archive();
      const stream = archive.backup({ keys, signal, heard, leftOut: (message) => leftOut.push(message) });
      await target.write(stream, signal);
      return true;
    });
    if (!isMade) return;
    this.made = name;
    this.leftOut = leftOut;
  }

  /** Looks into a file and changes nothing. */
  async choose(file: File): Promise<void> {
    this.#forget('choose');
    const contents = await this.work.do('Looking into the file', async (signal, heard) =>
      (await this.#services.archive()).inspect(file, signal, heard),
    );
    if (contents) this.chosen = { file, contents };
  }

  /** @param isOwn the user says that they made the backup, so that its grades count */
  async restore(mode: RestoreMode, isOwn: boolean): Promise<void> {
    const { chosen } = this;
    if (!chosen) return;
    this.chosen = null;
    this.kind = mode;
    await this.work.do('Restoring', async (signal, heard) => {
      try {
        for await (const progress of (await this.#services.archive()).restore(chosen.file, { mode, isOwn }, signal)) {
          const isMore = besideRuns(progress) !== besideRuns(this.restored);
          this.restored = progress;
          heard(progress.read, progress.of);
          // At once, while runs still come: what is changed meanwhile must build on what was restored.
          if (isMore) await this.#reload();
        }
      } finally {
        // However it ended: what has come is here.
        await this.#services.runs.takeStock();
        await this.#reload();
      }
    });
  }

  /** Lets go of the chosen file. */
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

/** How much of what is read by `reload` was changed. */
function besideRuns(progress: RestoreProgress | null): number {
  const parts = progress?.parts.filter(({ name }) => name !== 'runs') ?? [];
  return parts.reduce((sum, { taken }) => sum + taken.added + taken.updated + taken.removed, 0);
}
