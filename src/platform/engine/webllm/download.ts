/**
 * @file Downloads a model's files into WebLLM's caches. Cached files are skipped, so a stopped download resumes with the next
 * file, and a complete model needs no network.
 */
import { FaultError, isAbort, sha256Hex, type LoadProgress } from '../../../core/contract';
import { writeReceipt } from '../receipts';
import { createSpeedMeter } from '../speed-meter';
import { ArtifactCache, sizeOf, type Artifact, type CacheName } from './artifact-cache';
import { networkFault } from '../engine-faults';
import { noTokenizer, roomFault, unreadableFile } from './webllm-faults';
import type { FileSource } from './file-source';
import {
  CONFIG_FILE,
  OLD_WEIGHTS_FILE,
  readConfig,
  readShards,
  tokenizerFile,
  WEIGHTS_FILE,
  type ModelConfig,
} from './model-files';

/** The source of the library, and the address under which WebLLM requests it. */
export interface LibraryPlace {
  readonly url: string;
  readonly source: FileSource;
  readonly path: string;
}

export interface DownloadRequest {
  readonly manifestId: string;
  /** The address under which WebLLM looks for the model, see `cacheBase`. */
  readonly base: string;
  readonly source: FileSource;
  /** Throws a `FaultError` if the folder has none and none is known. */
  library(config: ModelConfig): LibraryPlace;
}

export interface Downloaded {
  /** Address of the library. */
  readonly library: string;
  /** Identifies the weights: the digest of the list that contains all their digests. */
  readonly digest: string;
}

/** Number of parallel downloads, as in WebLLM. */
const LANES = 4;
/** Time between two reports of progress, ms. */
const REPORT_EVERY = 200;

interface File {
  readonly artifact: Artifact;
  readonly source: FileSource;
  readonly path: string;
}

/**
 * Resolves when every file is cached. Throws a `FaultError` that names the failed file, or an `AbortError`.
 * Needs the Cache API.
 */
export async function downloadModel(
  request: DownloadRequest,
  onprogress: (progress: LoadProgress) => void,
  signal: AbortSignal,
  storage: CacheStorage = caches,
): Promise<Downloaded> {
  return new Download(request, onprogress, signal, storage).run();
}

class Download {
  readonly #request: DownloadRequest;
  readonly #onprogress: (progress: LoadProgress) => void;
  readonly #signal: AbortSignal;
  readonly #storage: CacheStorage;
  readonly #cache: ArtifactCache;
  readonly #speed = createSpeedMeter();
  #total = 0;
  #loaded = 0;
  #fetched = 0;
  #reportedAt = -Infinity;

  constructor(
    request: DownloadRequest,
    onprogress: (progress: LoadProgress) => void,
    signal: AbortSignal,
    storage: CacheStorage,
  ) {
    this.#request = request;
    this.#onprogress = onprogress;
    this.#signal = signal;
    this.#storage = storage;
    this.#cache = new ArtifactCache(storage, request.source.named);
  }

  async run(): Promise<Downloaded> {
    const { source } = this.#request;
    const [config] = await this.#readList('webllm/config', [CONFIG_FILE], readConfig);
    const [shards, listText] = await this.#readList('webllm/model', [WEIGHTS_FILE, OLD_WEIGHTS_FILE], readShards);
    const tokenizer = tokenizerFile(config);
    if (tokenizer === null) throw new FaultError(noTokenizer(source.named));
    const library = this.#request.library(config);
    const small: readonly File[] = [
      this.#fileOf('webllm/model', tokenizer),
      { ...library, artifact: { cache: 'webllm/wasm', url: library.url, bytes: null, md5: null } },
    ];
    const large = shards.map((shard) => ({ ...this.#fileOf('webllm/model', shard.path, shard.bytes, shard.md5) }));
    const missing = await this.#findMissing(small, large);
    await this.#checkRoom(missing);
    await this.#writeReceipt([...small, ...large]);
    await this.#fetchAll(missing);
    await this.#writeReceipt([...small, ...large]);
    this.#report(true);
    return { library: library.url, digest: sha256Hex(listText) };
  }

  #fileOf(cache: CacheName, path: string, bytes: number | null = null, md5: string | null = null): File {
    const { base, source } = this.#request;
    return { artifact: { cache, url: new URL(path, base).href, bytes, md5 }, source, path };
  }

  /** A file that lists other files. Tries several names, and caches it under the first. */
  async #readList<T>(
    cache: CacheName,
    [name = '', ...otherNames]: readonly string[],
    read: (text: string) => T | null,
  ): Promise<readonly [T, string]> {
    const { artifact } = this.#fileOf(cache, name);
    const kept = await (await this.#cache.find(artifact))?.text();
    const known = kept === undefined ? null : read(kept);
    if (known !== null && kept !== undefined) return [known, kept];
    const text = await this.#fetchText([name, ...otherNames]);
    const content = read(text);
    if (content === null) throw new FaultError(unreadableFile(name, this.#request.source.named));
    await this.#cache.keepText(artifact, text);
    return [content, text];
  }

  async #fetchText([name = '', ...otherNames]: readonly string[]): Promise<string> {
    const { source } = this.#request;
    try {
      return await this.#unbroken(source, async () => (await source.open(name, this.#signal)).text());
    } catch (thrown) {
      if (otherNames.length === 0 || !isMissing(thrown)) throw thrown;
      // If no name exists, the fault names the first.
      return this.#fetchText(otherNames).catch((other: unknown) => Promise.reject(isMissing(other) ? thrown : other));
    }
  }

  /** Counts cached files. @returns the missing ones */
  async #findMissing(small: readonly File[], large: readonly File[]): Promise<readonly File[]> {
    const missing: File[] = [];
    for (const file of [...small, ...large]) {
      const found = await this.#cache.find(file.artifact);
      const bytes = file.artifact.bytes ?? (found && sizeOf(found)) ?? 0;
      this.#total += bytes;
      if (found) this.#loaded += bytes;
      else missing.push(file);
    }
    this.#report(true);
    return missing;
  }

  async #checkRoom(missing: readonly File[]): Promise<void> {
    const needed = missing.reduce((sum, { artifact }) => sum + (artifact.bytes ?? 0), 0);
    const { usage, quota } = await navigator.storage.estimate().catch((): StorageEstimate => ({}));
    if (usage === undefined || quota === undefined) return;
    const free = Math.max(0, quota - usage);
    if (needed > free) throw new FaultError(roomFault(needed, free, this.#request.source.named));
  }

  async #writeReceipt(files: readonly File[]): Promise<void> {
    const all = [this.#fileOf('webllm/config', CONFIG_FILE), this.#fileOf('webllm/model', WEIGHTS_FILE), ...files];
    const listed = await Promise.all(
      all.map(async ({ artifact }) => {
        const found = artifact.bytes === null ? await this.#cache.find(artifact) : null;
        const bytes = artifact.bytes ?? (found && sizeOf(found)) ?? 0;
        return { cache: artifact.cache, url: artifact.url, bytes };
      }),
    );
    await writeReceipt({ manifestId: this.#request.manifestId, files: listed }, this.#storage);
  }

  async #fetchAll(files: readonly File[]): Promise<void> {
    const queue = files.values();
    // The first failure stops the other downloads, which then fail too. Complete files stay cached.
    const failed = new AbortController();
    const signal = AbortSignal.any([this.#signal, failed.signal]);
    const lane = async () => {
      try {
        for (const file of queue) await this.#fetch(file, signal);
      } catch (thrown) {
        failed.abort(thrown);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    this.#signal.throwIfAborted();
    failed.signal.throwIfAborted();
  }

  async #fetch({ artifact, source, path }: File, signal: AbortSignal): Promise<void> {
    const onbytes = (count: number) => {
      if (artifact.bytes === null) this.#total += count;
      this.#loaded += count;
      this.#fetched += count;
      this.#report(false);
    };
    await this.#unbroken(source, async () => {
      await this.#cache.keep(artifact, await source.open(path, signal), onbytes);
    });
    this.#report(true);
  }

  /** An error while a body streams has no details. Its cause is the connection. */
  async #unbroken<T>({ named }: FileSource, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      if (thrown instanceof FaultError || isAbort(thrown) || this.#signal.aborted) throw thrown;
      throw new FaultError(networkFault(navigator.onLine, thrown, named));
    }
  }

  #report(isDue: boolean): void {
    const now = performance.now();
    if (!isDue && now - this.#reportedAt < REPORT_EVERY) return;
    this.#reportedAt = now;
    this.#onprogress({
      phase: 'fetching',
      loaded: this.#loaded,
      total: this.#total,
      speed: this.#fetched === 0 ? null : this.#speed.note(this.#fetched, now),
      cached: this.#fetched === 0,
    });
  }
}

function isMissing(thrown: unknown): boolean {
  return thrown instanceof FaultError && thrown.fault.code === 'not-found';
}
