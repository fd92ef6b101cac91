/** @file Builds a replay file in memory, so that the user sees its size and content before saving it. */
import type { ReplayFile, ReplayReport } from '../../core/contract';
import type { ReplayServices } from '../services';
import { LongWork } from './long-work.svelte';
import { chooseTarget, dateInName, type ChooseTarget } from './save-file';

/** What a replay file has beside its runs. */
export interface ReplayContent {
  readonly report?: (signal: AbortSignal) => Promise<ReplayReport>;
  /** Part of the name of the file. */
  readonly name?: string;
}

export class ReplayExport {
  readonly work = new LongWork();
  /** The finished file. `null` until it is ready, or if the work failed or was stopped. */
  file: ReplayFile<Blob> | null = $state.raw(null);
  withAttachments = $state(true);
  /** Whether the user agreed to leave out the runs that may contain a key. */
  isReduced = $state(false);

  readonly canSave: boolean = $derived.by(
    () =>
      this.file !== null &&
      (this.file.runs > 0 || this.#about.report !== undefined) &&
      (this.isReduced || this.file.withheld.length === 0),
  );

  readonly #services: ReplayServices;
  readonly #ids: readonly string[];
  readonly #choose: ChooseTarget;
  readonly #about: ReplayContent;

  /** @param about a report above the runs, and a name for the file. Default: neither */
  constructor(
    services: ReplayServices,
    ids: readonly string[],
    about: ReplayContent = {},
    choose: ChooseTarget = chooseTarget,
  ) {
    this.#services = services;
    this.#ids = ids;
    this.#about = about;
    this.#choose = choose;
  }

  /** Builds the file. */
  async prepare(): Promise<void> {
    this.file = null;
    this.file = await this.work.do('Preparing the file', async (signal, onprogress) => {
      const [writer, report] = await Promise.all([this.#services.replayFiles(), this.#about.report?.(signal)]);
      const attachments = this.withAttachments;
      return writer.write({ ids: this.#ids, attachments, ...(report && { report }), signal, onprogress });
    });
  }

  /** Includes or leaves out images and files, and builds the file again. */
  async includeAttachments(on: boolean): Promise<void> {
    this.withAttachments = on;
    await this.prepare();
  }

  /** Saves the file that was built. @returns whether it was saved */
  async save(): Promise<boolean> {
    const prepared = this.canSave ? this.file : null;
    if (!prepared) return false;
    const name = `podium-${this.#about.name ?? 'replay'}-${dateInName(Date.now())}.html`;
    const saved = await this.work.do('Saving the file', async (signal) => {
      const target = await this.#choose(name);
      if (!target) return false;
      await target.write(prepared.file.stream(), signal);
      return true;
    });
    return saved === true;
  }

  stop(): void {
    this.work.stop();
  }
}
