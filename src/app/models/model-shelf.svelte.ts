/** @file The state of the Models page: the machine, the listed models, and the cached files. */
import {
  fault,
  FaultError,
  toFault,
  type CachedModel,
  type Fault,
  type FitVerdict,
  type MachineProbe,
  type ModelManifest,
  type RunStore,
} from '../../core/contract';
import type { FolderAccess, PickedFolder } from '../../core/contract';
import type { ModelDesk, ModelServices, StorageServices } from '../services';
import type { ModelsState } from '../state/models.svelte';

/**
 * Counts saved runs in which a local model wrote a plan while no grammar constrained its output. `parsed`:
 * runs whose first such plan could be parsed. `all`: all such runs.
 */
export interface FreePlans {
  readonly parsed: number;
  readonly all: number;
}

type Needed = Pick<ModelServices, 'models'> & Pick<StorageServices, 'store' | 'storage'>;

export class ModelShelf {
  readonly #services: Needed;
  readonly #models: ModelsState;
  #desk: ModelDesk | null = $state.raw(null);

  machine: MachineProbe | null = $state.raw(null);
  cached: readonly CachedModel[] = $state.raw([]);
  /** Access to the folders of the user's own models, by model id. */
  #folders: Readonly<Record<string, FolderAccess>> = $state.raw({});
  freePlans: FreePlans | null = $state.raw(null);
  /** The first fault since the newest action began. `null`: none. */
  fault: Fault | null = $state.raw(null);
  isMeasuring = $state(false);

  /**
   * The user's own models and the built-in models. If a built-in model exists with and without half
   * precision, the version that does not suit the GPU is listed only if it is cached.
   */
  readonly listed: readonly ModelManifest[] = $derived.by(() => {
    const { all } = this.#models;
    const half = this.machine?.gpu?.half ?? true;
    const twins = all.flatMap(({ withoutHalf }) => withoutHalf ?? []);
    const isForThis = (manifest: ModelManifest) =>
      half
        ? !twins.includes(manifest.id)
        : manifest.withoutHalf === undefined || !manifest.needs.includes('shader-f16');
    return all.filter((manifest) => isForThis(manifest) || this.cacheOf(manifest) !== null);
  });
  /**
   * The last loaded model, or else the default model. A default model that does not fit the machine is
   * replaced by the model that `fit` suggests. `null`: `fit` suggests none, or the models are not loaded yet.
   */
  readonly recommended: ModelManifest | null = $derived.by(() => {
    const { last } = this.#models;
    if (last) return last;
    const favourite = this.#models.find(this.#desk?.favourite ?? null);
    const verdict = favourite && this.verdict(favourite);
    if (!verdict || verdict.fit !== 'no') return favourite;
    return this.#models.find(verdict.instead);
  });

  constructor(services: Needed, models: ModelsState) {
    this.#services = services;
    this.#models = models;
  }

  /** Loads everything that the page shows. If one part fails to load, the others are still shown. */
  async open(): Promise<void> {
    this.fault = null;
    await this.#attempt(async () => {
      this.#desk = await this.#services.models.desk();
      await this.#models.readAll();
    });
    await this.#measure();
    await this.#attempt(async () => {
      this.freePlans = await countFreePlans(this.#services.store);
    });
  }

  /** Probes the machine and lists the cached files again. */
  async measure(): Promise<void> {
    this.fault = null;
    await this.#measure();
  }

  async #measure(): Promise<void> {
    this.isMeasuring = true;
    await this.#attempt(async () => {
      this.machine = (await this.#desk?.probe()) ?? null;
      await this.#look();
    });
    this.isMeasuring = false;
  }

  /** Whether a model fits this machine. `null` until the machine is known. */
  verdict(manifest: ModelManifest): FitVerdict | null {
    const { machine } = this;
    if (!machine || !this.#desk) return null;
    return this.#desk.fit(manifest, machine, this.#models.all, this.cacheOf(manifest)?.bytes);
  }

  cacheOf({ id }: ModelManifest): CachedModel | null {
    return this.cached.find(({ manifestId }) => manifestId === id) ?? null;
  }

  /** Whether the folder of a model can be read now. Returns `open` if the model needs no folder. */
  folderOf(manifest: ModelManifest): FolderAccess {
    const { source } = manifest;
    if (source.kind !== 'folder' || this.cacheOf(manifest)?.complete) return 'open';
    return this.#folders[manifest.id] ?? 'open';
  }

  /** Downloads missing files, loads the model and makes it the Conductor. The browser may first ask for access to a folder. */
  async use(manifest: ModelManifest): Promise<void> {
    this.fault = null;
    const readable = await this.#openFolder(manifest);
    if (readable) await this.#load(readable);
  }

  async #load(manifest: ModelManifest): Promise<void> {
    // Browsers do not evict persistent storage when space is short. Some browsers ask the user for permission, so
    // the page requests it only after a click.
    void this.#services.storage.persist();
    await this.#attempt(() => this.#models.use(manifest));
    await this.#measure();
  }

  async unload(): Promise<void> {
    this.fault = null;
    await this.#attempt(() => this.#models.unload());
  }

  async cancel(): Promise<void> {
    this.fault = null;
    await this.#attempt(() => this.#models.cancel());
  }

  /** Deletes the cached files of a model. If the model is loaded, unloads it first. */
  async forget(manifest: ModelManifest): Promise<void> {
    this.fault = null;
    await this.#forget(manifest);
  }

  /** @returns whether the model's files were deleted */
  async #forget(manifest: ModelManifest): Promise<boolean> {
    const isForgotten = await this.#attempt(async () => {
      const { state } = this.#models;
      if (state.kind !== 'idle' && state.manifest.id === manifest.id) await this.#models.unload();
      await this.#desk?.cache.delete(manifest);
    });
    await this.#measure();
    return isForgotten;
  }

  /** Deletes a model's cached files and downloads them again, for example after a corrupt download. */
  async fetchAgain(manifest: ModelManifest): Promise<void> {
    this.fault = null;
    if (await this.#forget(manifest)) await this.use(manifest);
  }

  /** Adds or changes one of the user's own models. @param folder the folder that the user picked for the model. `null`: none */
  async save(manifest: ModelManifest, folder: PickedFolder | null = null): Promise<void> {
    this.fault = null;
    await this.#attempt(async () => {
      await this.#models.saveOwn(manifest);
      await folder?.keepFor(manifest.id);
      await this.#lookAtFolders();
    });
  }

  /** Deletes one of the user's own models and its cached files. If the files can't be deleted, the model stays in the list. */
  async remove(manifest: ModelManifest): Promise<void> {
    this.fault = null;
    if (!(await this.#forget(manifest))) return;
    await this.#attempt(async () => {
      await this.#models.removeOwn(manifest.id);
      await this.#services.models.folders.forget(manifest.id);
    });
  }

  /** Asks the user for access to the model's folder if necessary. @returns the model. `null` if its folder can't be read */
  async #openFolder(manifest: ModelManifest): Promise<ModelManifest | null> {
    const { source } = manifest;
    const access = this.folderOf(manifest);
    if (source.kind !== 'folder' || access === 'open') return manifest;
    const { folders } = this.#services.models;
    let readable: ModelManifest | null = null;
    await this.#attempt(async () => {
      if (access === 'asks') {
        if (!(await folders.reopen(manifest))) throw new FaultError(notOpened(source.name));
        readable = manifest;
        return;
      }
      if (!folders.canPick) throw new FaultError(toChooseAgain(source.name));
      const folder = await folders.pick();
      if (!folder) return;
      readable = { ...manifest, source: { kind: 'folder', name: folder.name } };
      if (folder.name !== source.name) await this.#models.saveOwn(readable);
      await folder.keepFor(manifest.id);
    });
    await this.#lookAtFolders();
    return readable;
  }

  async #look(): Promise<void> {
    this.cached = (await this.#desk?.cache.list(this.#models.all)) ?? [];
    await this.#lookAtFolders();
  }

  async #lookAtFolders(): Promise<void> {
    const { folders } = this.#services.models;
    const inFolders = this.#models.own.filter(({ source }) => source.kind === 'folder');
    this.#folders = Object.fromEntries(
      await Promise.all(inFolders.map(async (manifest) => [manifest.id, await folders.access(manifest)] as const)),
    );
  }

  /** Runs a part of an action. A failure sets `fault`, unless `fault` is already set. @returns whether the part succeeded */
  async #attempt(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (thrown) {
      this.fault ??= toFault(thrown);
      return false;
    }
  }
}

function notOpened(name: string): Fault {
  return fault('forbidden', `The folder “${name}” was not opened. Press the button again and let the browser read it.`);
}

function toChooseAgain(name: string): Fault {
  const message = `This browser cannot remember a folder. Press Edit under Your models, then choose “${name}” again.`;
  return fault('forbidden', message);
}

/** Number of run summaries in one read. */
const PAGE = 200;

async function countFreePlans(store: RunStore): Promise<FreePlans> {
  let parsed = 0;
  let all = 0;
  let after: string | null = null;
  do {
    const page = await store.summaries({ limit: PAGE, after });
    for (const { freePlan } of page.summaries) {
      if (freePlan) all += 1;
      if (freePlan === 'parsed') parsed += 1;
    }
    after = page.next;
  } while (after !== null);
  return { parsed, all };
}
