/**
 * @file Puts a model's files where WebLLM looks for them. WebLLM would fetch them itself, but whole shards at a time, without
 * saying how far it is or which file failed, and what it has once kept it never looks at again. So they are put there before
 * it starts: byte by byte, held against their size and digest, and kept only when whole.
 */
import { md5 } from '@noble/hashes/legacy.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { FaultError, type Fault } from '../../../core/contract';
import { isQuota, quotaFault, type Named } from '../engine-faults';
import { notALibrary, wrongFile } from './webllm-faults';

/** WebLLM's own names. */
export type CacheName = 'webllm/config' | 'webllm/model' | 'webllm/wasm';

/** One file, as it is to be kept. */
export interface Artifact {
  readonly cache: CacheName;
  readonly url: string;
  /** `null` where it is not known beforehand. */
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

  /** The file, if it is here with the size it must have. */
  async find({ cache, url, bytes }: Artifact): Promise<Response | null> {
    const found = await (await this.#storage.open(cache)).match(url);
    if (!found) return null;
    return bytes === null || sizeOf(found) === bytes ? found : null;
  }

  async keepText(artifact: Artifact, text: string): Promise<void> {
    await this.keep(artifact, new Response(text), () => undefined);
  }

  /**
   * Keeps a file. Throws a `FaultError` and keeps nothing if it is not what it must be, or if there is no room.
   * @param onbytes told of every piece that has come
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

  /** The body as it goes by; it breaks off at the end if it was not what it must be, so that nothing of it is kept. */
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

/** The size of a kept file as its header says; `null` for one that somebody else kept without. */
export function sizeOf(response: Response): number | null {
  const length = response.headers.get('content-length');
  return length === null ? null : Number(length);
}

/** Many servers answer with their start page what they do not have. */
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
