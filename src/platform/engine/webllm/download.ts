/**
 * @file Downloads a model's files into WebLLM's caches. Only missing files are downloaded, so a complete model needs no
 * network. The small files come first, so that a model that can't run is rejected before gigabytes are downloaded.
 */
import {
  FaultError,
  isAbort,
  sha256Hex,
  type Clock,
  type LoadProgress,
  type ModelIntegrity,
  type ModelPin,
} from '../../../core/contract';
import { systemClock } from '../../clock';
import { replaceReceipt, sizeOf, type ReceiptFile } from '../receipts';
import { createSpeedMeter } from '../speed-meter';
import { ArtifactCache, type Artifact, type CacheName } from './artifact-cache';
import { withAttempts } from './attempts';
import { expectedFiles, type ExpectedFiles } from './expected-files';
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
  type Shard,
} from './model-files';

/**
 * The location of a model's library (its compiled code), as a source and a path in this source. `url` is the address under which
 * WebLLM requests the library.
 */
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
  /** Digests from the manifest of the user's own model. */
  readonly integrity?: ModelIntegrity | undefined;
  /** Sizes and digests of a prebuilt model's files. */
  readonly pin?: ModelPin | null;
  /** The model's library. Throws a `FaultError` if neither the user's folder nor WebLLM has a library for the model. */
  library(config: ModelConfig): LibraryPlace;
  /**
   * Checks whether the model can run. Called when all files except the weights are cached. If the check throws, the library is
   * removed from the cache. So a corrected library at the same address is downloaded next time.
   */
  check?(library: LibraryPlace, config: ModelConfig, shards: readonly Shard[]): Promise<void>;
}

export interface Downloaded {
  /** Address of the library. */
  readonly library: string;
  /** Identifies the weights: the SHA-256 of the file that lists all shards of the weights with their digests. */
  readonly digest: string;
  readonly config: ModelConfig;
}

export interface DownloadSettings {
  readonly storage?: CacheStorage;
  readonly clock?: Clock;
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

/** Resolves when every file is cached. Throws a `FaultError` or an `AbortError`. Needs the Cache API. */
export async function downloadModel(
  request: DownloadRequest,
  onprogress: (progress: LoadProgress) => void,
  signal: AbortSignal,
  { storage = caches, clock = systemClock }: DownloadSettings = {},
): Promise<Downloaded> {
  return new Download(request, onprogress, signal, { storage, clock }).run();
}

class Download {
  readonly #request: DownloadRequest;
  readonly #onprogress: (progress: LoadProgress) => void;
  readonly #signal: AbortSignal;
  readonly #storage: CacheStorage;
  readonly #clock: Clock;
  readonly #cache: ArtifactCache;
  readonly #expected: ExpectedFiles;
  readonly #speed = createSpeedMeter();
  #total = 0;
  #loaded = 0;
  #fetched = 0;
  #reportedAt = -Infinity;

  constructor(
    request: DownloadRequest,
    onprogress: (progress: LoadProgress) => void,
    signal: AbortSignal,
    { storage, clock }: Required<DownloadSettings>,
  ) {
    this.#request = request;
    this.#onprogress = onprogress;
    this.#signal = signal;
    this.#storage = storage;
    this.#clock = clock;
    this.#cache = new ArtifactCache(storage, request.source.named);
    this.#expected = expectedFiles(request.pin ?? null, request.integrity ?? {});
  }

  async run(): Promise<Downloaded> {
    const { source, check } = this.#request;
    const [config] = await this.#readList('webllm/config', [CONFIG_FILE], readConfig);
    const [shards, listText] = await this.#readList('webllm/model', [WEIGHTS_FILE, OLD_WEIGHTS_FILE], readShards);
    const tokenizer = tokenizerFile(config);
    if (tokenizer === null) throw new FaultError(noTokenizer(source.named));
    const place = this.#request.library(config);
    const library = this.#libraryFile(place);
    const small = [this.#fileOf('webllm/model', tokenizer), library];
    const large = shards.map((shard) => {
      const { artifact, ...file } = this.#fileOf('webllm/model', shard.path);
      const digest = artifact.digest ?? shard.digest;
      return { ...file, artifact: { ...artifact, bytes: shard.bytes, digest, isShard: true } };
    });
    const missing = await this.#findMissing([...small, ...large]);
    await this.#checkRoom(missing);
    const list = () => this.#listForReceipt([...small, ...large]);
    const finishReceipt = await replaceReceipt(this.#request.manifestId, list, this.#storage);
    await this.#fetchAll(missing.filter(({ artifact }) => !artifact.isShard));
    try {
      await check?.(place, config, shards);
    } catch (thrown) {
      await this.#cache.delete(library.artifact);
      throw thrown;
    }
    await this.#fetchAll(missing.filter(({ artifact }) => artifact.isShard));
    await finishReceipt();
    this.#report(true);
    return { library: place.url, digest: sha256Hex(listText), config };
  }

  #fileOf(cache: CacheName, path: string): File {
    const { base, source } = this.#request;
    const url = new URL(path, base).href;
    return { artifact: { cache, url, name: path, isShard: false, ...this.#expected.file(path) }, source, path };
  }

  #libraryFile({ url, source, path }: LibraryPlace): File {
    const name = path.split('/').at(-1) ?? path;
    return { artifact: { cache: 'webllm/wasm', url, name, isShard: false, ...this.#expected.library }, source, path };
  }

  /**
   * Reads a file that lists other files. If no valid file is cached, requests the file from the source under
   * each of the names in order, and caches it under the first name.
   * @returns the parsed content and the text
   */
  async #readList<T>(
    cache: CacheName,
    names: readonly [string, ...string[]],
    read: (text: string) => T | null,
  ): Promise<readonly [T, string]> {
    const { source } = this.#request;
    const [name] = names;
    const expected = this.#expected.file(names.find((each) => this.#expected.file(each).digest) ?? name);
    const artifact = { ...this.#fileOf(cache, name).artifact, ...expected };
    const kept = await (await this.#cache.find(artifact))?.text();
    const known = kept === undefined ? null : read(kept);
    if (known !== null && kept !== undefined) return [known, kept];
    return withAttempts(async (attempt) => {
      const text = await this.#fetchText(names, attempt > 1);
      const content = read(text);
      if (content === null) throw new FaultError(unreadableFile(name, source.named));
      await this.#cache.keep(artifact, new Response(text), () => undefined);
      return [content, text] as const;
    });
  }

  async #fetchText([name, ...otherNames]: readonly [string, ...string[]], isRepeat: boolean): Promise<string> {
    const { source } = this.#request;
    try {
      return await this.#unbroken(source, async () => (await source.open(name, this.#signal, isRepeat)).text());
    } catch (thrown) {
      const [nextName, ...rest] = otherNames;
      if (nextName === undefined || !isMissing(thrown)) throw thrown;
      // If there is no file under any of the names, the fault of the first name is thrown.
      const next = this.#fetchText([nextName, ...rest], isRepeat);
      return next.catch((other: unknown) => Promise.reject(isMissing(other) ? thrown : other));
    }
  }

  /**
   * Counts the bytes of all files and of the cached ones.
   * @returns the missing files
   */
  async #findMissing(files: readonly File[]): Promise<readonly File[]> {
    const missing: File[] = [];
    for (const file of files) {
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

  async #listForReceipt(files: readonly File[]): Promise<readonly ReceiptFile[]> {
    const lists = [this.#fileOf('webllm/config', CONFIG_FILE), this.#fileOf('webllm/model', WEIGHTS_FILE)];
    return Promise.all(
      [...lists, ...files].map(async ({ artifact }) => {
        const found = artifact.bytes === null ? await this.#cache.find(artifact) : null;
        const bytes = artifact.bytes ?? (found && sizeOf(found)) ?? 0;
        return { cache: artifact.cache, url: artifact.url, bytes };
      }),
    );
  }

  async #fetchAll(files: readonly File[]): Promise<void> {
    const queue = files.values();
    // The first failure stops the other downloads, which then fail too. Complete files stay cached.
    const failed = new AbortController();
    const signal = AbortSignal.any([this.#signal, failed.signal]);
    const lane = async () => {
      try {
        for (const file of queue) {
          await withAttempts((attempt) => this.#fetch(file, attempt, signal), { clock: this.#clock, signal });
        }
      } catch (thrown) {
        failed.abort(thrown);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    this.#signal.throwIfAborted();
    failed.signal.throwIfAborted();
  }

  async #fetch({ artifact, source, path }: File, attempt: number, signal: AbortSignal): Promise<void> {
    let received = 0;
    const count = (bytes: number) => {
      received += bytes;
      if (artifact.bytes === null) this.#total += bytes;
      this.#loaded += bytes;
      this.#fetched += Math.max(0, bytes);
      this.#report(false);
    };
    try {
      await this.#unbroken(source, async () => {
        await this.#cache.keep(artifact, await source.open(path, signal, attempt > 1), count);
      });
    } catch (thrown) {
      // The bytes that a failed attempt received no longer count.
      count(-received);
      throw thrown;
    }
    this.#report(true);
  }

  /** Throws a network fault if the connection breaks while a body is read. The browser's own error has no details. */
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
