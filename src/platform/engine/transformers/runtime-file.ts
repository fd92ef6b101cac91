/**
 * @file Finds and verifies the WebAssembly file of the ONNX runtime. The file comes from Podium's
 * own origin, never from a CDN. It is stored in the service worker's cache for large files, so that
 * there is only one copy. Without a service worker, the page uses the same cache.
 */
import { bytesToHex } from '@noble/hashes/utils.js';
import wasm from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.wasm?url';

/** Name of the service worker's cache for large files. */
export const RUNTIME_CACHE = 'podium-late';
/** Name of the cache that older versions of Podium used. */
const FORMER_CACHE = 'podium-onnx-runtime';
/** Size of the uncompressed file in bytes. A server that compresses the file reports a smaller size. */
export const RUNTIME_BYTES = 26_861_777;
/** SHA-256 of the file, in hex. */
const RUNTIME_DIGEST = '49871f5a4409519797e127440868a6d1923339d9185907f301a5b2a1d90af082';

export function runtimeAddress(): string {
  // Not resolved against `location`, because in Podium's Web Workers `location` is a blob URL.
  return new URL(wasm, import.meta.url).href;
}

/**
 * The stored file. `null` if the file is missing or has the wrong size. This function does not
 * check the content, so call `isRuntime` before use.
 */
export async function openRuntime(): Promise<Blob | null> {
  const stored = await (await caches.open(RUNTIME_CACHE)).match(runtimeAddress(), { ignoreVary: true });
  const file = await stored?.blob();
  return file?.size === RUNTIME_BYTES ? file : null;
}

/**
 * Whether these bytes are the runtime. Compares their digest, which takes about as long as copying
 * the bytes.
 */
export async function isRuntime(bytes: ArrayBuffer): Promise<boolean> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return bytesToHex(digest) === RUNTIME_DIGEST;
}

/** Deletes the runtime that older versions of Podium stored in a cache of its own. */
export async function forgetFormerRuntime(): Promise<void> {
  await caches.delete(FORMER_CACHE).catch(() => false);
}
