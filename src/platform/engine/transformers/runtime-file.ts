/**
 * @file Where the ONNX runtime's WebAssembly lies: on our own origin and never a CDN. It is kept where the service worker keeps
 * large files, so that it is here once, whoever of the two comes first; without a service worker it is kept all the same.
 */
import { bytesToHex } from '@noble/hashes/utils.js';
import wasm from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.wasm?url';

/** The service worker's, in the Cache API. */
export const RUNTIME_CACHE = 'podium-late';
/** Where versions before this one kept it. */
const FORMER_CACHE = 'podium-onnx-runtime';
/** Bytes of the file; a server that compresses it tells less. */
export const RUNTIME_BYTES = 26_861_777;
/** SHA-256 of the file, in hex. */
const RUNTIME_DIGEST = '49871f5a4409519797e127440868a6d1923339d9185907f301a5b2a1d90af082';

export function runtimeAddress(): string {
  // A Worker's own location is a blob, against which no path can be resolved.
  return new URL(wasm, import.meta.url).href;
}

/** What is stored, if its size is right: a captive portal's page may have been stored in its place. Check its digest before use. */
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

/** Deletes what an older version kept elsewhere: nobody reads it any more. */
export async function forgetFormerRuntime(): Promise<void> {
  await caches.delete(FORMER_CACHE).catch(() => false);
}
