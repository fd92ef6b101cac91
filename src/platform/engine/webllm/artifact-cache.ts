/**
 * @file Stores a model's files in WebLLM's caches before WebLLM starts, with byte-wise progress and checks of size and digest.
 * WebLLM would download whole shards without progress or the name of a failed file, and never checks cached files.
 */
import { md5 } from '@noble/hashes/legacy.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { FaultError, type Fault } from '../../../core/contract';
import { isQuota, quotaFault, type Named } from '../engine-faults';
import { notALibrary, wrongFile } from './webllm-faults';

/** The names that WebLLM uses. */
export type CacheName = 'webllm/config' | 'webllm/model' | 'webllm/wasm';

/** One file to store. */
export interface Artifact {
  readonly cache: CacheName;
  readonly url: string;
  /** `null` if it is not known in advance. */
  readonly bytes: number | null;
  readonly md5: string | null;
}

export class ArtifactCache {
  readonly #storage: CacheStorage;
  readonly #named: Named;

  constructor(storage: CacheStorage, named: Named) {
    this.#storage = storage;
    this.#named = named;
  }

  /** The cached file, if its size is right. */
  async find({ cache, url, bytes }: Artifact): Promise<Response | null> {
    const found = await (await this.#storage.open(cache)).match(url);
    if (!found) return null;
    return bytes === null || sizeOf(found) === bytes ? found : null;
  }

  async keepText(artifact: Artifact, text: string): Promise<void> {
    await this.keep(artifact, new Response(text), () => undefined);
  }

  /**
   * Stores a file. Throws a `FaultError` and stores nothing if the file is invalid or there is not enough space.
   * @param onbytes called with the size of each received chunk
   * @returns its size
   */
  async keep(artifact: Artifact, response: Response, onbytes: (count: number) => void): Promise<number> {
    const cache = await this.#storage.open(artifact.cache);
    if (artifact.bytes === null || !response.body) {
      const content = await response.arrayBuffer();
      if (artifact.cache === 'webllm/wasm' && !isCompiled(content)) {
        throw new FaultError(notALibrary(nameOf(artifact.url), this.#named));
      }
      onbytes(content.byteLength);
      await this.#put(cache, artifact.url, new Response(content, { headers: headersFor(content.byteLength) }));
      return content.byteLength;
    }
    const { stream, problem } = this.#checked(response.body, artifact, artifact.bytes, onbytes);
    try {
      await this.#put(cache, artifact.url, new Response(stream, { headers: headersFor(artifact.bytes) }));
    } catch (thrown) {
      throw problem() ?? thrown;
    }
    return artifact.bytes;
  }

  async #put(cache: Cache, url: string, response: Response): Promise<void> {
    try {
      await cache.put(url, response);
    } catch (thrown) {
      throw isQuota(thrown) ? new FaultError(quotaFault(this.#named)) : thrown;
    }
  }

  /** Checks a body while it streams. The stream fails at the end if the body is invalid, so that nothing is stored. */
  #checked(
    body: ReadableStream<Uint8Array<ArrayBuffer>>,
    { url, md5: expected }: Artifact,
    bytes: number,
    onbytes: (count: number) => void,
  ): { stream: ReadableStream<Uint8Array<ArrayBuffer>>; problem: () => FaultError | null } {
    const digest = expected === null ? null : md5.create();
    let size = 0;
    let problem: FaultError | null = null;
    const refuse = (reason: Fault) => {
      problem = new FaultError(reason);
      return problem;
    };
    const check = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(piece, controller) {
        size += piece.byteLength;
        digest?.update(piece);
        onbytes(piece.byteLength);
        controller.enqueue(piece);
      },
      flush: (controller) => {
        const isWhole = size === bytes && (!digest || bytesToHex(digest.digest()) === expected);
        if (!isWhole) controller.error(refuse(wrongFile(nameOf(url), this.#named)));
      },
    });
    return { stream: body.pipeThrough(check), problem: () => problem };
  }
}

/** The size of a cached file from its header. `null` if another program cached it without one. */
export function sizeOf(response: Response): number | null {
  const length = response.headers.get('content-length');
  return length === null ? null : Number(length);
}

/** Many servers answer requests for missing files with their start page. */
function isCompiled(content: ArrayBuffer): boolean {
  const start = new Uint8Array(content.slice(0, WASM_MAGIC.length));
  return WASM_MAGIC.every((byte, index) => start[index] === byte);
}

const WASM_MAGIC = [0x00, 0x61, 0x73, 0x6d];

function headersFor(bytes: number): Record<string, string> {
  return { 'content-type': 'application/octet-stream', 'content-length': String(bytes) };
}

function nameOf(url: string): string {
  return new URL(url).pathname.split('/').at(-1) ?? url;
}
