/**
 * @file Where the ONNX runtime's WebAssembly lies: on our own origin and never a CDN. It is kept where the service worker keeps
 * large files, so that it is here once, whoever of the two comes first; without a service worker it is kept all the same.
 */
import wasm from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.wasm?url';

/** The service worker's, in the Cache API. */
export const RUNTIME_CACHE = 'podium-late';
/** Where versions before this one kept it. */
const FORMER_CACHE = 'podium-onnx-runtime';
/** Bytes of the file; a server that compresses it tells less. */
export const RUNTIME_BYTES = 26_861_777;

export function runtimeAddress(): string {
  return new URL(wasm, self.location.href).href;
}

export async function openRuntime(): Promise<Response | null> {
  return (await (await caches.open(RUNTIME_CACHE)).match(runtimeAddress(), { ignoreVary: true })) ?? null;
}

/** Deletes what an older version kept elsewhere: nobody reads it any more. */
export async function forgetFormerRuntime(): Promise<void> {
  await caches.delete(FORMER_CACHE).catch(() => false);
}
