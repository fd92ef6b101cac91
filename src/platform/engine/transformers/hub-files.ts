/**
 * @file Reads a model's files from a hub. Complete files are stored in the Cache API. So a stopped download resumes with the
 * first incomplete file, a reload needs no requests, and the model works offline.
 */
import { FaultError } from '../../../core/contract';
import { isQuota, networkFault, quotaFault, type Named } from '../engine-faults';
import { fetchFault } from '../fetch-fault';
import { httpFault } from './transformers-faults';
import type { FoundFile, ModelFiles } from './files';
import { HUB_CACHE, hubAddress, type HubModel } from './hub-address';

export async function hubFiles(model: HubModel, named: Named): Promise<ModelFiles> {
  return new HubFiles(model, named, await caches.open(HUB_CACHE));
}

class HubFiles implements ModelFiles {
  readonly #model: HubModel;
  readonly #named: Named;
  readonly #cache: Cache;
  /** The hub's answers about files, by path. `null`: the hub has no such file. */
  readonly #found = new Map<string, FoundFile | null>();

  constructor(model: HubModel, named: Named, cache: Cache) {
    this.#model = model;
    this.#named = named;
    this.#cache = cache;
  }

  async find(path: string): Promise<FoundFile | null> {
    const kept = await this.#cache.match(this.#address(path));
    if (kept) return kept.ok ? { size: lengthOf(kept), isHere: true } : null;
    const known = this.#found.get(path);
    if (known !== undefined) return known;
    const found = await this.#request(path);
    this.#found.set(path, found);
    return found;
  }

  async #request(path: string): Promise<FoundFile | null> {
    // Requests the first byte instead of sending HEAD, because signed addresses of some hubs refuse HEAD.
    const response = await this.#fetch(path, { headers: { range: 'bytes=0-0' }, cache: 'no-store' });
    await response.body?.cancel();
    if (response.status === 404) return null;
    if (!response.ok) throw new FaultError(httpFault(response.status, path, this.#named));
    return { size: response.status === 206 ? wholeLengthOf(response) : lengthOf(response), isHere: false };
  }

  async bring(path: string, onbytes: (count: number) => void): Promise<boolean> {
    const address = this.#address(path);
    const kept = await this.#cache.match(address);
    if (kept) return kept.ok;
    const response = await this.#fetch(path, {});
    if (response.status === 404) {
      // The 404 is stored, so that an offline page can distinguish a nonexistent file from a file that was not downloaded.
      await this.#keep(address, new Response(null, { status: 404 }));
      return false;
    }
    if (!response.ok) throw new FaultError(httpFault(response.status, path, this.#named));
    await this.#keep(address, counted(response, this.#found.get(path)?.size ?? lengthOf(response), onbytes));
    return true;
  }

  async open(path: string): Promise<Response | null> {
    const kept = await this.#cache.match(this.#address(path));
    return kept?.ok ? kept : null;
  }

  #address(path: string): string {
    return hubAddress(this.#model, path);
  }

  async #fetch(path: string, init: RequestInit): Promise<Response> {
    const address = this.#address(path);
    try {
      return await fetch(address, init);
    } catch (thrown) {
      throw new FaultError(await fetchFault(address, thrown, this.#named));
    }
  }

  /** Stores a response. If its body doesn't arrive completely, stores nothing and throws a `FaultError`. */
  async #keep(address: string, response: Response): Promise<void> {
    try {
      await this.#cache.put(address, response);
    } catch (thrown) {
      if (isQuota(thrown)) throw new FaultError(quotaFault(this.#named));
      throw new FaultError(networkFault(navigator.onLine, thrown, this.#named));
    }
  }
}

/**
 * A copy of a response that calls `onbytes` as its bytes are read.
 * @param size of the uncompressed file in bytes. The response itself may state the compressed size
 */
function counted(response: Response, size: number | null, onbytes: (count: number) => void): Response {
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(piece, controller) {
      onbytes(piece.byteLength);
      controller.enqueue(piece);
    },
  });
  const headers = new Headers();
  if (size !== null) headers.set('content-length', String(size));
  return new Response(response.body?.pipeThrough(counter) ?? null, { headers });
}

function lengthOf(response: Response): number | null {
  return readCount(response.headers.get('content-length'));
}

function wholeLengthOf(response: Response): number | null {
  return readCount(/\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1] ?? null);
}

function readCount(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}
