/**
 * @file Stores a model's files in WebLLM's caches before WebLLM starts. Reports each received chunk, and
 * checks sizes and digests. WebLLM itself reports no progress within a shard (one file of the weights), does
 * not name a failed file, and never checks cached files.
 */
import { FaultError } from '../../../core/contract';
import { isQuota, quotaFault, type Named } from '../engine-faults';
import { sizeOf } from '../receipts';
import { DigestCheck, matchesDigest, type Digest } from './digests';
import { notALibrary, wrongFile } from './webllm-faults';

/** The names of WebLLM's caches. */
export type CacheName = 'webllm/config' | 'webllm/model' | 'webllm/wasm';

/** A file to store. */
export interface Artifact {
  readonly cache: CacheName;
  readonly url: string;
  /** The file's name in error messages. The address is not shown, because it may be only a key of the cache. */
  readonly name: string;
  /** `null` if the size is not known in advance. */
  readonly bytes: number | null;
  /** `null` if the digest is not known in advance. */
  readonly digest: Digest | null;
  /** Whether the file is a shard of weights. The digest of a shard is compared only on arrival, because comparing takes long. */
  readonly isShard: boolean;
}

export class ArtifactCache {
  readonly #storage: CacheStorage;
  readonly #named: Named;

  constructor(storage: CacheStorage, named: Named) {
    this.#storage = storage;
    this.#named = named;
  }

  /** The cached file. `null` if it is missing, or if its size or digest is wrong. The digest of a shard is not compared again. */
  async find({ cache, url, bytes, digest, isShard }: Artifact): Promise<Response | null> {
    const found = await (await this.#storage.open(cache)).match(url);
    if (!found) return null;
    if (bytes !== null && sizeOf(found) !== bytes) return null;
    if (digest === null || isShard) return found;
    return matchesDigest(new Uint8Array(await found.clone().arrayBuffer()), digest) ? found : null;
  }

  async delete({ cache, url }: Artifact): Promise<void> {
    await (await this.#storage.open(cache)).delete(url);
  }

  /**
   * Stores a file. Throws a `FaultError` and stores nothing if the file is invalid or there is not enough space.
   * @param onbytes called with the size of each received chunk
   */
  async keep(artifact: Artifact, response: Response, onbytes: (count: number) => void): Promise<void> {
    const cache = await this.#storage.open(artifact.cache);
    const { bytes, url } = artifact;
    if (bytes === null || !response.body) {
      const content = new Uint8Array(await response.arrayBuffer());
      this.#checkWhole(artifact, content);
      onbytes(content.byteLength);
      await this.#put(cache, url, new Response(content, { headers: headersFor(content.byteLength) }));
      return;
    }
    const { stream, problem } = this.#checked(response.body, artifact, bytes, onbytes);
    try {
      await this.#put(cache, url, new Response(stream, { headers: headersFor(bytes) }));
    } catch (thrown) {
      throw problem() ?? thrown;
    }
  }

  #checkWhole({ cache, name, digest, bytes }: Artifact, content: Uint8Array): void {
    // The response may be a web page instead of a library, because many servers send their start page for missing files.
    if (cache === 'webllm/wasm' && !isCompiled(content)) throw new FaultError(notALibrary(name, this.#named));
    const isWhole = (bytes === null || content.byteLength === bytes) && (!digest || matchesDigest(content, digest));
    if (!isWhole) throw new FaultError(wrongFile(name, this.#named));
  }

  async #put(cache: Cache, url: string, response: Response): Promise<void> {
    try {
      await cache.put(url, response);
    } catch (thrown) {
      throw isQuota(thrown) ? new FaultError(quotaFault(this.#named)) : thrown;
    }
  }

  /** Checks a body while it streams. If the body is invalid, the stream fails at its end, so that nothing is stored. */
  #checked(
    body: ReadableStream<Uint8Array<ArrayBuffer>>,
    { name, digest }: Artifact,
    bytes: number,
    onbytes: (count: number) => void,
  ): { stream: ReadableStream<Uint8Array<ArrayBuffer>>; problem: () => FaultError | null } {
    const digestCheck = digest === null ? null : new DigestCheck(digest);
    let size = 0;
    let problem: FaultError | null = null;
    const check = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(piece, controller) {
        size += piece.byteLength;
        digestCheck?.add(piece);
        onbytes(piece.byteLength);
        controller.enqueue(piece);
      },
      flush: (controller) => {
        if (size === bytes && (!digestCheck || digestCheck.matches())) return;
        problem = new FaultError(wrongFile(name, this.#named));
        controller.error(problem);
      },
    });
    return { stream: body.pipeThrough(check), problem: () => problem };
  }
}

function isCompiled(content: Uint8Array): boolean {
  return WASM_MAGIC.every((byte, index) => content[index] === byte);
}

const WASM_MAGIC = [0x00, 0x61, 0x73, 0x6d];

function headersFor(bytes: number): Record<string, string> {
  return { 'content-type': 'application/octet-stream', 'content-length': String(bytes) };
}
