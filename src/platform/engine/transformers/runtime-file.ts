/**
 * @file The file of the ONNX runtime's WebAssembly, on our own origin and never on a CDN. It is stored in the service worker's
 * cache for large files, so that there is only one copy. It is cached even without a service worker.
 */
import { bytesToHex } from '@noble/hashes/utils.js';
import wasm from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.wasm?url';

/** The service worker's cache. */
export const RUNTIME_CACHE = 'podium-late';
/** The cache that older versions used. */
const FORMER_CACHE = 'podium-onnx-runtime';
/** Bytes of the file. A server that compresses it reports less. */
export const RUNTIME_BYTES = 26_861_777;
/** SHA-256 of the file, in hex. */
const RUNTIME_DIGEST = '49871f5a4409519797e127440868a6d1923339d9185907f301a5b2a1d90af082';

export function runtimeAddress(): string {
  // A Worker's location is a blob, against which paths cannot be resolved.
  return new URL(wasm, import.meta.url).href;
}

/**
 * The stored file. `null` if its size is wrong, because a captive portal's page may have been stored instead. Check its
 * digest before use.
 */
export async function openRuntime(): Promise<Blob | null> {
  const stored = await (await caches.open(RUNTIME_CACHE)).match(runtimeAddress(), { ignoreVary: true });
  const file = await stored?.blob();
  return file?.size === RUNTIME_BYTES ? file : null;
}

/** Whether these bytes are the runtime. It takes about as long as copying them. */
export async function isRuntime(bytes: ArrayBuffer): Promise<boolean> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return bytesToHex(digest) === RUNTIME_DIGEST;
}

/** Deletes the copy of older versions, which is unused. */
export async function forgetFormerRuntime(): Promise<void> {
  await caches.delete(FORMER_CACHE).catch(() => false);
}
